/**
 * Successes and failures of the last ten seconds, in slices of one second that are counted anew when their second
 * comes round again. Two small arrays for each breaker, whatever the traffic. Source: docs/reference/upstreams.md#circuit-breaker.
 */
import type { Millis } from '../../ports/clock.ts'

const sliceMs = 1000
const slices = 10

export class CountWindow {
  private readonly good = new Uint32Array(slices)
  private readonly bad = new Uint32Array(slices)
  /** Number of the slice that was counted into last. */
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

  /** Empties the slices of seconds that have passed since. A clock that was set back goes on counting where it was. */
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
