/**
 * Back-off for users whose passwords are guessed. It counts wrong passwords by user name, known or not, so that it
 * reveals nothing. Passwords that were verified before are not affected.
 */
import { LRUCache } from 'lru-cache'
import type { Clock, Millis } from '../ports/clock.ts'
import { type Passwords, PasswordsBusyError } from '../ports/passwords.ts'

/** Wrong passwords that a user may send without a pause. */
const freeGuesses = 10
const longestPauseMs = 30_000
/** After this time without a wrong password the count starts again. */
const forgetAfterMs = 600_000
const maxUsers = 10_000

interface Guesses {
  readonly count: number
  readonly lastAt: Millis
}

export class PasswordBackOff {
  private readonly users = new LRUCache<string, Guesses>({ maxSize: maxUsers, sizeCalculation: () => 1 })
  /** Number of checks that run, by user. */
  private readonly running = new Map<string, number>()
  private readonly clock: Pick<Clock, 'now'>

  constructor(clock: Pick<Clock, 'now'>) {
    this.clock = clock
  }

  /** Returns true if passwords of the user are not checked at this moment. */
  isBlocked(user: string): boolean {
    const guesses = this.current(user)
    if (guesses === undefined || guesses.count < freeGuesses) return false
    const pauseMs = Math.min(longestPauseMs, 1000 * 2 ** (guesses.count - freeGuesses))
    return this.clock.now() < guesses.lastAt + pauseMs
  }

  /**
   * Runs a slow check and counts it if the password is wrong. Running checks count too, so guesses in parallel have no
   * advantage: with ten wrong passwords, one check of the user runs at a time. Rejects with `PasswordsBusyError` if too
   * many run.
   */
  async check(user: string, matches: () => Promise<boolean>): Promise<boolean> {
    const others = this.running.get(user) ?? 0
    const wrong = this.current(user)?.count ?? 0
    if (others > 0 && others + wrong >= freeGuesses) throw new PasswordsBusyError()
    this.running.set(user, others + 1)
    try {
      const isRight = await matches()
      this.settle(user, isRight)
      return isRight
    } finally {
      this.endCheck(user)
    }
  }

  private endCheck(user: string): void {
    const left = (this.running.get(user) ?? 0) - 1
    if (left > 0) this.running.set(user, left)
    else this.running.delete(user)
  }

  /** Counts a wrong password; a right one ends the count. */
  settle(user: string, isRight: boolean): void {
    if (isRight) this.users.delete(user)
    else this.users.set(user, { count: (this.current(user)?.count ?? 0) + 1, lastAt: this.clock.now() })
  }

  private current(user: string): Guesses | undefined {
    const guesses = this.users.get(user)
    return guesses === undefined || this.clock.now() >= guesses.lastAt + forgetAfterMs ? undefined : guesses
  }
}

const backOffs = new WeakMap<Passwords, PasswordBackOff>()

/** The back-off of a gateway: all its APIs and its OAuth server share the port, so they share the back-off too. */
export function passwordBackOffOf(passwords: Passwords, clock: Pick<Clock, 'now'>): PasswordBackOff {
  const known = backOffs.get(passwords) ?? new PasswordBackOff(clock)
  backOffs.set(passwords, known)
  return known
}
