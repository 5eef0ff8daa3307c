/**
 * Limits that a batch call shares with all batches nested in it: concurrency, number of items, bytes of responses.
 * Nesting therefore never multiplies a limit.
 */
import type { BatchSettings } from './batch-settings.ts'

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

/** Limits how many items of one batch call, including nested batches, are in progress at a time. */
interface Semaphore {
  /** Returns false if no slot is free. */
  tryAcquire(): boolean
  release(): void
  /** Calls `wake` once when a slot may be free again, in the order of registration. */
  onFree(wake: () => void): void
}

function makeSemaphore(slots: number): Semaphore {
  let free = slots
  const waiting: (() => void)[] = []
  return {
    tryAcquire() {
      if (free === 0) return false
      free -= 1
      return true
    },
    release() {
      free += 1
      // The callback may not need the slot any more; then the next one is called.
      while (free > 0 && waiting.length > 0) waiting.shift()?.()
    },
    onFree(wake) {
      waiting.push(wake)
    },
  }
}
