/**
 * Which keys are worth being kept ready, of a store that answers at once: the first ones are, then those that come
 * again soon. Where the store tells outlines cheaply, to hold a key that comes seldom costs more, by the garbage
 * collector's work and by the look that finds it not there, than to make it ready anew. See
 * docs/decisions/0006-a-million-keys.md.
 */
import type { SessionOutline } from '../outline.ts'
import { SeenLately } from './seen-lately.ts'

/** Up to so many keys all are kept. */
const alwaysKept = 1024
/** Where outlines are cheap, a key is kept when it comes again within so many others that were not kept. */
const cheapWindow = 4096
/** And all are let go of when of so many questions fewer than this part found a kept key. */
const usefulPart = 1 / 4

export class KeepRule {
  private readonly isCheap: boolean
  private readonly seenLately: SeenLately
  private keepsFirst = true
  /** Questions that found no kept key, in all, modulo 2^32. */
  private missed = 0
  /** Questions that found one, since the rule last looked. */
  private found = 0

  /** `capacity`: keys there is room for, and without outlines how many others count as soon. `isCheap`: the store tells outlines. */
  constructor(capacity: number, isCheap: boolean) {
    this.isCheap = isCheap
    this.seenLately = new SeenLately(isCheap ? Math.min(capacity, cheapWindow) : capacity)
  }

  /** A kept key was found. */
  noteFound(): void {
    this.found++
  }

  /** A key was not found among `kept` others; whether it is to be kept. */
  keeps(credential: string, outline: SessionOutline, kept: number): boolean {
    this.missed = (this.missed + 1) >>> 0
    if (this.keepsFirst && kept < alwaysKept) return true
    if (outline.askedAt === undefined) return this.seenLately.note(credential)
    const before = outline.askedAt
    outline.askedAt = this.missed
    return before > 0 && (this.missed - before) >>> 0 <= cheapWindow
  }

  /** Whether what is kept is so seldom found that it is in the way. To be asked after each miss. */
  isInTheWay(): boolean {
    if (!this.isCheap || this.missed % cheapWindow !== 0) return false
    const isUseful = this.found >= cheapWindow * usefulPart
    this.found = 0
    if (isUseful) return false
    this.keepsFirst = false
    return true
  }

  /** Everything is made ready anew. */
  renew(): void {
    this.keepsFirst = true
    this.found = 0
  }
}
