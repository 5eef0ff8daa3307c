/**
 * One circuit breaker. It opens if at least `samples` calls ended in the last ten seconds and the share of failures
 * reaches `threshold`, and closes when its time is over or a single trial call succeeded. Pauses between trials grow by
 * half from half a second to a minute. Callers pass the time, so the breaker needs no clock and no timer. Source:
 * docs/reference/upstreams.md#circuit-breaker.
 */
import type { Millis } from '../../ports/clock.ts'
import type { BreakerRule, BreakerState, BreakerStatus } from './breaker-rule.ts'
import { CountWindow } from './count-window.ts'

const firstPauseMs = 500
const maxPauseMs = 60_000
const pauseGrowth = 1.5

/** Whether a call passes, passes as the single trial of an open breaker, or is rejected. */
export type Admission = 'passes' | 'tries' | 'rejected'
/** Result of a call; `unknown` if the call was cancelled before its result was known. */
export type CallResult = 'good' | 'bad' | 'unknown'

export class CircuitBreaker {
  readonly rule: BreakerRule
  private readonly onChange: (kind: 'tripped' | 'reset') => void
  private readonly counts = new CountWindow()
  private openedAt: Millis | undefined = undefined
  private isTrialRunning = false
  private pauseMs = firstPauseMs
  private nextTrialAt: Millis = 0

  /** `onChange` is called synchronously when the breaker opens or closes. */
  constructor(rule: BreakerRule, onChange: (kind: 'tripped' | 'reset') => void) {
    this.rule = rule
    this.onChange = onChange
  }

  /** Requests a call. Unless the result is `rejected`, call `settle` exactly once afterwards. */
  admit(now: Millis): Admission {
    if (this.openedAt === undefined) return 'passes'
    if (this.closeWhenDue(now)) return 'passes'
    if (!this.rule.halfOpens || this.isTrialRunning || now < this.nextTrialAt) return 'rejected'
    this.isTrialRunning = true
    return 'tries'
  }

  settle(admission: Exclude<Admission, 'rejected'>, result: CallResult, now: Millis): void {
    if (admission === 'tries') this.settleTrial(result, now)
    else if (result !== 'unknown') this.count(result === 'bad', now)
  }

  /** Closes the breaker if its maximum open time is over; returns whether it closed. */
  closeWhenDue(now: Millis): boolean {
    if (this.openedAt === undefined || now < this.openedAt + this.rule.closesAfterMs) return false
    this.close()
    return true
  }

  status(now: Millis): BreakerStatus {
    const { counts, openedAt, rule } = this
    return {
      ...rule,
      state: this.stateNow(),
      failures: counts.failures(now),
      successes: counts.successes(now),
      closesAt: openedAt === undefined ? undefined : openedAt + rule.closesAfterMs,
    }
  }

  private stateNow(): BreakerState {
    if (this.openedAt === undefined) return 'closed'
    return this.isTrialRunning ? 'half-open' : 'open'
  }

  private count(failed: boolean, now: Millis): void {
    const { counts, rule } = this
    counts.add(failed, now)
    // Calls that end while the breaker is open are counted, but do not open it again.
    if (!failed || this.openedAt !== undefined) return
    const failures = counts.failures(now)
    const calls = failures + counts.successes(now)
    if (calls >= rule.samples && failures / calls >= rule.threshold) this.open(now)
  }

  private open(now: Millis): void {
    this.openedAt = now
    this.isTrialRunning = false
    this.pauseMs = firstPauseMs
    this.nextTrialAt = now + firstPauseMs
    this.onChange('tripped')
  }

  private settleTrial(result: CallResult, now: Millis): void {
    // It may have closed by time while the trial ran, and even have opened again since. If a newer trial runs by then,
    // the late result counts for it.
    if (!this.isTrialRunning) return
    this.isTrialRunning = false
    if (result === 'good') this.close()
    else if (result === 'bad') {
      this.pauseMs = Math.min(maxPauseMs, this.pauseMs * pauseGrowth)
      this.nextTrialAt = now + this.pauseMs
    }
  }

  private close(): void {
    this.openedAt = undefined
    this.isTrialRunning = false
    this.counts.clear()
    this.onChange('reset')
  }
}
