/** Makes keys whose session is not stored: they exist for one request. */
import type { Millis } from '../ports/clock.ts'
import type { Session } from '../ports/session.ts'
import type { GatewaySettings } from '../ports/settings.ts'
import { CachedKey } from './cached-key.ts'
import { storedNameOf } from './names/key-name.ts'
import type { SessionProfile } from './session-profile.ts'

/** `session`: with its policies applied. `now`: when the request began, because the key must not be cached. */
export function makeUnstoredKey(
  { keyName, orgId }: Pick<CachedKey, 'keyName' | 'orgId'>,
  session: Session,
  profile: SessionProfile,
  now: Millis,
  keys: GatewaySettings['keys'],
): CachedKey {
  const summary = {
    rights: session,
    expires: session.expires,
    // A session that is made for each request does not change, so its rate window continues.
    lastUpdated: '',
    mayRequireProof: false,
    storedUntil: undefined,
    whole: () => session,
  }
  const names = { keyName, storedName: storedNameOf(keyName, keys.hashKeys), orgId, missing: [] }
  return new CachedKey(names, summary, profile, now, { apply: (applied) => applied, keys })
}
