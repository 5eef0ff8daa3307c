/**
 * Limits that a batch call shares with all batches nested in it: concurrency, number of items, bytes of responses.
 * Nesting therefore never multiplies a limit.
 */
import type { BatchSettings } from './batch-settings.ts'
import { makeSemaphore, type Semaphore } from './semaphore.ts'

export interface SharedBatchLimits {
  readonly semaphore: Semaphore
  /** Counts items against `batch.max_items`. Returns false if there are too many. */
  addItems(count: number): boolean
  /**
   * Reserves `more` bytes for a response that already holds `held` bytes. Returns false if all responses together would
   * exceed `batch.max_response_bytes` and this one is over its even share, so one large response cannot starve small ones.
   */
  reserveBytes(held: number, more: number): boolean
  releaseBytes(bytes: number): void
}

export function makeSharedBatchLimits({
  maxItems,
  maxConcurrency,
  maxResponseBytes,
}: BatchSettings): SharedBatchLimits {
  const evenShare = Math.floor(maxResponseBytes / maxItems)
  let itemsLeft = maxItems
  let bytesUsed = 0
  return {
    semaphore: makeSemaphore(maxConcurrency),
    addItems(count) {
      if (count > itemsLeft) return false
      itemsLeft -= count
      return true
    },
    reserveBytes(held, more) {
      if (bytesUsed + more > maxResponseBytes && held + more > evenShare) return false
      bytesUsed += more
      return true
    },
    releaseBytes(bytes) {
      bytesUsed -= bytes
    },
  }
}
