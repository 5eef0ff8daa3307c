/**
 * A ring buffer of the newest times, oldest first. Adding and removing an entry costs O(1) at any length.
 */
import type { Millis } from '../ports/clock.ts'

export class TimeRing {
  private times: number[] = [0, 0, 0, 0]
  private oldest = 0
  private held = 0

  /** A log of these times, oldest first. */
  static from(times: Float64Array): TimeRing {
    const ring = new TimeRing()
    let capacity = ring.times.length
    while (capacity < times.length) capacity *= 2
    if (capacity > ring.times.length) ring.times = new Array<number>(capacity).fill(0)
    for (let i = 0; i < times.length; i += 1) ring.times[i] = times[i] as number
    ring.held = times.length
    return ring
  }

  get length(): number {
    return this.held
  }

  /** The newest time; `-Infinity` if the log is empty. */
  get newest(): Millis {
    return this.held === 0 ? Number.NEGATIVE_INFINITY : this.nthNewest(1)
  }

  /** The n-th newest time, counted from 1; n must be within the length. */
  nthNewest(n: number): Millis {
    return this.times[(this.oldest + this.held - n) & (this.times.length - 1)] as number
  }

  /** Adds a time that is not older than the newest. Beyond `max` entries the oldest one is removed. */
  add(at: Millis, max: number): void {
    if (this.held >= max) this.dropOldest()
    if (this.held === this.times.length) this.grow()
    this.times[(this.oldest + this.held) & (this.times.length - 1)] = at
    this.held += 1
  }

  /** Removes all times up to and including `until`. */
  drop(until: Millis): void {
    if (this.newest <= until) this.held = 0
    while (this.held > 0 && (this.times[this.oldest] as number) <= until) this.dropOldest()
  }

  /** The number of times later than `after`. */
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

  /** Writes all times, oldest first, from this index on. Returns the index after the last one. */
  writeTo(numbers: Float64Array, index: number): number {
    const { times, oldest, held } = this
    const mask = times.length - 1
    for (let i = 0; i < held; i += 1) numbers[index + i] = times[(oldest + i) & mask] as number
    return index + held
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
