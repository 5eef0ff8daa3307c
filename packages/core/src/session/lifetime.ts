/**
 * How long the store keeps a session. Source: docs/reference/sessions.md#session-lifetime,
 * docs/reference/redis-layout.md#stored-sessions.
 */
import type { ClassicDefinition } from '../definition/classic.ts'
import type { Millis } from '../ports/clock.ts'
import type { Session } from '../ports/session.ts'
import type { GatewaySettings } from '../ports/settings.ts'

export type LifetimeOfApi = Pick<ClassicDefinition, 'sessionLifetime' | 'sessionLifetimeRespectsKeyExpiration'>

/** −1 is endless and outranks every number; 0 is endless too, but every other number outranks it. */
type Seconds = number

/**
 * Lifetime of a session in the store, in ms; `undefined`: forever. `apis` are the loaded APIs of its access rights; the
 * longest of their lifetimes applies.
 */
export function storageLifetimeMs(
  session: Session,
  apis: readonly LifetimeOfApi[],
  settings: GatewaySettings['lifetimes'],
  now: Millis,
): Millis | undefined {
  const nowSeconds = Math.floor(now / 1000)
  const noApi: LifetimeOfApi = { sessionLifetime: 0, sessionLifetimeRespectsKeyExpiration: false }
  const lifetimes = (apis.length === 0 ? [noApi] : apis).map((api) => lifetimeFor(session, api, settings, nowSeconds))
  if (lifetimes.includes(-1)) return undefined
  const longest = Math.max(...lifetimes)
  return longest > 0 ? longest * 1000 : undefined
}

function lifetimeFor(
  session: Session,
  api: LifetimeOfApi,
  settings: GatewaySettings['lifetimes'],
  nowSeconds: number,
): Seconds {
  if (settings.forceGlobal) return settings.globalSeconds
  const afterExpiry = lifetimeAfterExpiry(session, nowSeconds)
  if (afterExpiry !== undefined) return afterExpiry
  const own = session.sessionLifetime > 0 ? session.sessionLifetime : Math.max(0, api.sessionLifetime)
  if (!settings.respectKeyExpiration && !api.sessionLifetimeRespectsKeyExpiration) return own
  if (own === 0 || session.expires <= 0) return 0
  return Math.max(own, session.expires - nowSeconds)
}

/** The lifetime that `post_expiry_action` requires; `undefined`: none. A key that never expires is stored forever. */
function lifetimeAfterExpiry(session: Session, nowSeconds: number): Seconds | undefined {
  const { postExpiryAction, postExpiryGracePeriod: grace, expires } = session
  if (postExpiryAction === 'delete') return expires <= 0 ? 0 : Math.max(1, expires - nowSeconds)
  if (postExpiryAction !== 'retain' || grace === 0) return undefined
  if (grace < 0) return -1
  return expires <= 0 ? 0 : Math.max(1, expires - nowSeconds + grace)
}
