import type { Millis } from '../ports/clock.ts'
import type { QuotaCounter } from '../quota/decide-quota.ts'
import { isQuotaOver } from '../quota/decide-quota.ts'
import { type RateCounter, rateEndsAt } from '../rate-limit/decide-rate.ts'
import type { LocalBucket } from '../rate-limit/local-bucket.ts'

/**
 * The rate and the quota of one counter in one object, since a million keys have a million of them: about 150 bytes
 * with its entry in the map.
 */
export class CounterState implements LocalBucket, QuotaCounter {
  readonly algorithm = 'local'
  generation = ''
  startedAt: Millis = Number.NEGATIVE_INFINITY
  tokensUsed = 0
  windowMs: Millis = 0
  /** State of the rate where another algorithm counts it; the fields of the bucket are unused then. */
  otherRate: RateCounter | undefined = undefined
  /** Of the quota. */
  used = 0
  renewsAt: Millis | undefined = undefined

  /** Empties the bucket. */
  restartBucket(generation: string): void {
    this.generation = generation
    this.startedAt = Number.NEGATIVE_INFINITY
    this.tokensUsed = 0
    this.windowMs = 0
  }

  /** Whether a new state would decide alike for everybody whose clock shows `now` or later. */
  isOver(now: Millis): boolean {
    return rateEndsAt(this.otherRate ?? this) <= now && (this.used === 0 || isQuotaOver(this, now))
  }
}
