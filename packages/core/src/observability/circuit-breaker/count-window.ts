/**
 * Counts successes and failures of the last ten seconds in ten slices of one second. Each slice is reset when it is
 * reused. Memory per breaker is constant: two small arrays. Source: docs/reference/upstreams.md#circuit-breaker.
 */
import type { Millis } from '../../ports/clock.ts'

const sliceMs = 1000
const slices = 10

export class CountWindow {
  private readonly good = new Uint32Array(slices)
  private readonly bad = new Uint32Array(slices)
  /** Number of the most recent slice. */
  private last = Number.NEGATIVE_INFINITY

  add(failed: boolean, now: Millis): void {
    this.forgetOld(now)
    const counts = failed ? this.bad : this.good
    const at = this.last % slices
    counts[at] = (counts[at] as number) + 1
  }

  successes(now: Millis): number {
    this.forgetOld(now)
    return sum(this.good)
  }

  failures(now: Millis): number {
    this.forgetOld(now)
    return sum(this.bad)
  }

  clear(): void {
    this.good.fill(0)
    this.bad.fill(0)
  }

  /** Clears expired slices. If the clock is set back, calls are counted in the most recent slice. */
  private forgetOld(now: Millis): void {
    const current = Math.floor(now / sliceMs)
    if (current <= this.last) return
    if (current - this.last >= slices) this.clear()
    else {
      for (let slice = this.last + 1; slice <= current; slice++) {
        this.good[slice % slices] = 0
        this.bad[slice % slices] = 0
      }
    }
    this.last = current
  }
}

function sum(counts: Uint32Array): number {
  let total = 0
  for (let i = 0; i < counts.length; i++) total += counts[i] as number
  return total
}
