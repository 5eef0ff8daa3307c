/** The theoretical limit of a batch: how long it takes at least, given the upstream's latency. */

export interface BatchConditions {
  readonly items: number
  /** Milliseconds that the upstream needs for a request, as measured without the gateway. */
  readonly latencyMs: number
  /** Number of items that run at the same time; 1 if the items run in order. */
  readonly concurrency: number
  /** Milliseconds that the gateway itself works for an item, as measured with an upstream that responds at once. */
  readonly overheadMs: number
}

/**
 * Returns milliseconds. In order, each item waits for the upstream: n × latency. At once, items run in
 * ceil(n ÷ concurrency) rounds, and one core does the gateway's work for all of them:
 * ceil(n ÷ concurrency) × latency + n × overhead.
 */
export function batchLimitMs({ items, latencyMs, concurrency, overheadMs }: BatchConditions): number {
  if (concurrency <= 1) return items * latencyMs
  return Math.ceil(items / concurrency) * latencyMs + items * overheadMs
}

/** The limit divided by the measured duration: 1 is optimal. */
export function efficiencyOf(limitMs: number, measuredMs: number): number {
  return measuredMs > 0 ? limitMs / measuredMs : 0
}
