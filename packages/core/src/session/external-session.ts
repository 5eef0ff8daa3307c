/**
 * The session of a token that another server issued, if no session is stored for its identity: access to one API with a
 * fixed rate and without a quota. Source: docs/reference/external-oauth.md#external-identity.
 */
import type { ApiDefinition } from '../definition/api-definition.ts'
import { unixSeconds } from '../lib/text/time.ts'
import type { Millis } from '../ports/clock.ts'
import { accessRightShape, type Session, sessionShape } from '../ports/session.ts'
import type { GatewaySettings } from '../ports/settings.ts'
import { makePathPatterns } from './access/path-patterns.ts'
import type { CachedKey } from './cached-key.ts'
import { SessionProfile } from './session-profile.ts'
import { makeUnstoredKey } from './unstored-key.ts'

const requestsPerMinute = 10_000
/** Numbers of the quota headers, as recorded. No quota is counted. */
const shownQuota = { quotaMax: -1, quotaRemaining: 10 }
const shownRenewalSeconds = 20

/** Makes a key that is not stored, for the identity with this full key name. */
export type MakeExternalSession = (keyName: string, now: Millis) => CachedKey

export function makeExternalSessions(api: ApiDefinition, settings: GatewaySettings): MakeExternalSession {
  const rights: Session = {
    ...sessionShape.zero(),
    ...shownQuota,
    orgId: api.orgId,
    rate: requestsPerMinute,
    per: 60,
    accessRights: {
      [api.id]: { ...accessRightShape.zero(), apiId: api.id, apiName: api.name, versions: [...api.versions.keys()] },
    },
  }
  // Shared by all identities, so that the access is compiled once.
  const profile = new SessionProfile(rights, undefined, settings, makePathPatterns(settings.routing))
  return (keyName, now) => {
    const session = { ...rights, quotaRenews: unixSeconds(now) + shownRenewalSeconds }
    return makeUnstoredKey({ keyName, orgId: api.orgId }, session, profile, now, settings.keys)
  }
}
