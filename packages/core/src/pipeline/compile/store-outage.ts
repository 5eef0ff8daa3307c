/**
 * Decides what happens to a request when the store fails with `StoreUnavailableError`: it continues, or gets status 503.
 * The health of the connection to Redis is in the adapter: packages/adapters/src/store-redis/redis-availability.ts.
 *
 * Other places catch the error before it reaches the chain: `session/org-session-cache.ts` keeps the last known session of
 * an organisation, `3-admit/mcp-admit.ts` finishes its access checks first, and the OAuth server of mgmt-api responds with
 * 503 itself.
 */
import { type Rejection, rejections } from '../../http/rejections.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import { StoreUnavailableError } from '../../ports/store.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { Stage } from '../contract/stage.ts'

/**
 * Returns true if the request continues without the result of a stage because the store is unavailable. Stages of phase 5
 * use the store only as a cache. Other stages may be skipped on keyless APIs, or with the setting `storageOutage: allow`.
 */
export function passesWithoutStore(
  cause: unknown,
  stage: Stage,
  context: RequestContext,
  settings: Pick<GatewaySettings, 'storageOutage'>,
): boolean {
  if (!(cause instanceof StoreUnavailableError)) return false
  if (stage.phase === '5-respond') return true
  return settings.storageOutage === 'allow' || context.api.authModes.length === 0
}

/** The rejection of a request that cannot continue; `undefined` if the error is not an outage of the store. */
export function rejectionOfOutage(cause: unknown): Rejection | undefined {
  // Not logged per request: the store logs when it becomes unavailable and when it is back.
  return cause instanceof StoreUnavailableError ? rejections.storeUnavailable : undefined
}
