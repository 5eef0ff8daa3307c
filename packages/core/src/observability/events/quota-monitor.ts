/** When a share of a quota is told. Source: docs/reference/events.md#event-list. */
import type { Millis } from '../../ports/clock.ts'
import type { QuotaResult } from '../../ports/quota.ts'

/** `monitor` of the configuration. */
export interface QuotaMonitor {
  /** Percent; 0 or less: none. */
  readonly globalLimit: number
  readonly userKeys: boolean
  readonly orgKeys: boolean
}

/** A share that was passed, in percent. */
export interface PassedShare {
  readonly limit: number
  readonly usage: number
}

/**
 * Which share a counted request passed; `undefined`: none. The global one counts while the quota will renew; after it
 * the first of the session's own in their order.
 */
export function decideShare(
  { remaining, renewsAt }: QuotaResult,
  max: number,
  globalLimit: number,
  ownLimits: readonly number[] | null,
  now: Millis,
): PassedShare | undefined {
  const usage = (100 * (max - remaining)) / max
  if (globalLimit > 0 && usage >= globalLimit && renewsAt !== undefined && renewsAt > now) {
    return { limit: globalLimit, usage }
  }
  const own = ownLimits?.find((limit) => limit > 0 && usage >= limit)
  return own === undefined ? undefined : { limit: own, usage }
}
