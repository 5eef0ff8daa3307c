/**
 * A log of instants that holds the newest ones only, oldest first, in a ring: adding and forgetting never move the
 * others, however long the log is.
 */
import type { Millis } from '../ports/clock.ts'

export class TimeRing {
  private times: number[] = [0, 0, 0, 0]
  private oldest = 0
  private held = 0

  get length(): number {
    return this.held
  }

  /** The newest instant; `-Infinity` when there is none. */
  get newest(): Millis {
    return this.held === 0 ? Number.NEGATIVE_INFINITY : this.nthNewest(1)
  }

  /** The n-th newest instant, counted from 1; n must be within the length. */
  nthNewest(n: number): Millis {
    return this.times[(this.oldest + this.held - n) & (this.times.length - 1)] as number
  }

  /** Adds an instant that is not older than the newest. Beyond `most` entries the oldest one is forgotten. */
  add(at: Millis, most: number): void {
    if (this.held >= most) this.dropOldest()
    if (this.held === this.times.length) this.grow()
    this.times[(this.oldest + this.held) & (this.times.length - 1)] = at
    this.held += 1
  }

  /** Forgets all instants up to and including `until`. */
  drop(until: Millis): void {
    if (this.newest <= until) this.held = 0
    while (this.held > 0 && (this.times[this.oldest] as number) <= until) this.dropOldest()
  }

  /** How many instants are later than `after`; forgets nothing. */
  countAfter(after: Millis): number {
    let low = 0
    let high = this.held
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.nthNewest(middle) > after) low = middle
      else high = middle - 1
    }
    return low
  }

  private dropOldest(): void {
    this.oldest = (this.oldest + 1) & (this.times.length - 1)
    this.held -= 1
  }

  private grow(): void {
    const larger: number[] = []
    for (let n = this.held; n > 0; n -= 1) larger.push(this.nthNewest(n))
    for (let n = this.held; n > 0; n -= 1) larger.push(0)
    this.times = larger
    this.oldest = 0
  }
}
