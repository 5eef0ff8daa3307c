/**
 * What one batch call shares with all batches inside it, so that nesting multiplies nothing: places, items and bytes
 * of responses.
 */
import type { BatchSettings } from './batch-settings.ts'
import { type Gate, makeGate } from './gate.ts'

export interface BatchShares {
  readonly gate: Gate
  /** Counts items against `batch.max_items`; false when they are too many. */
  takeItems(count: number): boolean
  /**
   * Asks for room for more bytes of a response that has `held` already. Refused when all responses together would pass
   * `batch.max_answer_bytes` and this one is over its even share: a large response never takes the room of small ones.
   */
  takeBytes(held: number, more: number): boolean
  giveBytes(bytes: number): void
}

export function makeBatchShares({ maxItems, maxConcurrency, maxResponseBytes }: BatchSettings): BatchShares {
  const evenShare = Math.floor(maxResponseBytes / maxItems)
  let itemsLeft = maxItems
  let bytesUsed = 0
  return {
    gate: makeGate(maxConcurrency),
    takeItems(count) {
      if (count > itemsLeft) return false
      itemsLeft -= count
      return true
    },
    takeBytes(held, more) {
      if (bytesUsed + more > maxResponseBytes && held + more > evenShare) return false
      bytesUsed += more
      return true
    },
    giveBytes(bytes) {
      bytesUsed -= bytes
    },
  }
}
