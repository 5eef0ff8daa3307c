/** Decides when the use of a quota fires an event. Source: docs/reference/events.md#event-list. */
import type { Millis } from '../../ports/clock.ts'
import type { QuotaResult } from '../../ports/quota.ts'

/** `monitor` of the configuration. */
export interface QuotaMonitor {
  /** Threshold in percent; 0 or less: none. */
  readonly globalLimit: number
  readonly userKeys: boolean
  readonly orgKeys: boolean
}

/** A threshold that was reached, in percent. */
export interface PassedShare {
  readonly limit: number
  readonly usage: number
}

/**
 * Returns the threshold that a counted request reached; `undefined`: none. The global threshold is checked first, if the
 * quota will renew, then those of the session in their order.
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
