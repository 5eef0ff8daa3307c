/**
 * The key of a session that a script returned without `AuthValue`. It is not stored, and its counters belong to the API
 * (docs/reference/scripts.md#authentication-scripts).
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Session } from '../../ports/session.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import { makePathPatterns } from '../access/path-patterns.ts'
import type { CachedKey } from '../cached-key.ts'
import { applyPolicies } from '../policies/apply-policies.ts'
import type { PolicyBook } from '../policies/policy-book.ts'
import { SessionProfile } from '../session-profile.ts'
import { makeUnstoredKey } from '../unstored-key.ts'

interface UnnamedKeyDependencies {
  readonly settings: GatewaySettings
  readonly clock: Pick<Clock, 'now'>
  policies(): PolicyBook
}

/** The made function returns `undefined` if the policies of the session cannot be applied. */
export function makeUnnamedKeys({ settings, clock, policies }: UnnamedKeyDependencies) {
  const patterns = makePathPatterns(settings.routing)
  return (given: Session, api: ApiDefinition): CachedKey | undefined => {
    // A change of `lastUpdated` starts a new rate window, and a script can return another time with each request.
    const applied = applyPolicies({ ...given, lastUpdated: '' }, policies(), api)
    if (applied.problem !== undefined) return undefined
    const session = withOwnScope(applied.session, api.id)
    const profile = new SessionProfile(session, undefined, settings, patterns)
    return makeUnstoredKey({ keyName: '', orgId: api.orgId }, session, profile, clock.now(), settings.keys)
  }
}

/** The session with counters of its own on the API: all APIs share the empty key name. */
function withOwnScope(session: Session, apiId: string): Session {
  const right = session.accessRights?.[apiId]
  if (right === undefined) return session
  return { ...session, accessRights: { ...session.accessRights, [apiId]: { ...right, allowanceScope: apiId } } }
}
