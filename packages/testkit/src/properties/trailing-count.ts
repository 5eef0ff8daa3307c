/** Counts instants in a trailing window while going through a trace: the plain model that properties compare with. */
import type { Millis } from '@turnpike/core/lib'

export class TrailingCount {
  private readonly times: Millis[] = []
  private oldest = 0
  private readonly windowMs: Millis

  constructor(windowMs: Millis) {
    this.windowMs = windowMs
  }

  add(at: Millis): void {
    this.times.push(at)
  }

  /** Instants in (at − window, at]; `at` must not go back. */
  at(at: Millis): number {
    while (this.oldest < this.times.length && (this.times[this.oldest] as Millis) <= at - this.windowMs)
      this.oldest += 1
    return this.times.length - this.oldest
  }
}
