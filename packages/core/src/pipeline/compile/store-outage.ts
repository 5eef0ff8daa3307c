/**
 * Decides what happens to a request when the store fails with `StoreUnavailableError`: it continues, or gets status
 * 503. The health of the connection to Redis is in the adapter:
 * packages/adapters/src/store-redis/redis-availability.ts.
 *
 * Other places catch the error before it reaches the chain: `session/org-session-cache.ts` keeps the last known session
 * of an organisation, `3-admit/mcp-admit.ts` finishes its access checks first, and the OAuth server (`oauth-endpoints.ts`
 * of mgmt-api) responds with 503 inside its stage. Management calls pass no chain.
 */
import { type Rejection, rejections } from '../../http/rejections.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import { StoreUnavailableError } from '../../ports/store.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { Stage } from '../contract/stage.ts'

/**
 * Returns true if the request continues without the result of a stage because the store is unavailable. With
 * `as-configured` it continues if the API is keyless or the setting `storageOutage` is `allow`. Outside phases 2 and 3
 * a stage is skipped only if it sets `withoutStore`: without the check of client certificates, for example, anyone
 * could call a keyless API with mutual TLS.
 */
export function passesWithoutStore(
  cause: unknown,
  stage: Stage,
  context: RequestContext,
  settings: Pick<GatewaySettings, 'storageOutage'>,
): boolean {
  if (!(cause instanceof StoreUnavailableError)) return false
  const checksKey = stage.phase === '2-identify' || stage.phase === '3-admit'
  const withoutStore = stage.withoutStore ?? (checksKey ? 'as-configured' : undefined)
  if (withoutStore !== 'as-configured') return withoutStore === 'continues'
  return settings.storageOutage === 'allow' || context.api.authModes.length === 0
}

/** The rejection of a request that cannot continue; `undefined` if the error is not an outage of the store. */
export function rejectionOfOutage(cause: unknown): Rejection | undefined {
  // Not logged per request: the store logs when it becomes unavailable and when it is back.
  return cause instanceof StoreUnavailableError ? rejections.storeUnavailable : undefined
}
