/**
 * Slows down guesses of the management key, the admin secret of the dashboard and the secrets of OAuth clients. After
 * repeated wrong secrets, further new ones from the same address are checked one after the other, with a pause that
 * doubles. A call waits for its turn if that is soon; otherwise it is not checked. A secret that was checked from the
 * address before does not wait, right or wrong, so that others behind the address do not stop a client whose secret is
 * right. The price: while a right secret is remembered, calls from its own address can guess it at full speed. Source:
 * docs/security.md#guessing-of-secrets.
 */
import { LRUCache } from 'lru-cache'
import { sameText } from '../lib/constant-time.ts'
import { hashText } from '../lib/hash/hash-key-name.ts'
import { networkOf, parseIpAddress } from '../lib/ip-address.ts'
import type { Clock, Millis } from '../ports/clock.ts'

/** Different wrong secrets that an address may send without a pause. */
const freeGuesses = 20
const firstPauseMs = 50
/** Shorter than the longest wait, so that a call always gets a turn if no others wait. */
const maxPauseMs = 1_000
/** Longest pause between calls of this computer. Development must not stop because of wrong secrets. */
const loopbackPauseMs = 50
/** A call waits at most this long for its turn. */
const maxWaitMs = 2_000
/** After this time without a wrong secret the count starts again. */
const forgetAfterMs = 600_000
/** A right secret passes at once from an address where it was right in this time. */
const rememberRightMs = 3_600_000
/** Wrong secrets that are remembered for each address. */
const maxRepeatable = 16
const maxEntries = 10_000

/** Where a secret comes from, and which one it should be. */
export interface Guess {
  /** Which secret is guessed. Each is counted on its own. */
  readonly subject: string
  /** Address of the client; empty: this process. */
  readonly address: string
  /** The secret that was sent. Missing or empty ones are wrong and are not counted. */
  readonly given: string | null | undefined
  isRight(): boolean
}

/** `retryAfterSeconds`: the secret was not checked, because too many wrong ones came from the address. */
export type GuessVerdict = 'right' | 'wrong' | { readonly retryAfterSeconds: number }

interface WrongSecrets {
  count: number
  /** Hashes of the latest wrong secrets. A client with an outdated secret repeats it, which is not a further guess. */
  latest: readonly string[]
  lastAt: Millis
  /** When the next secret is checked. */
  nextAt: Millis
}

interface RightSecret {
  readonly hash: string
  readonly until: Millis
}

export class SecretBackOff {
  private readonly entries = new LRUCache<string, WrongSecrets>({ maxSize: maxEntries, sizeCalculation: () => 1 })
  private readonly right = new LRUCache<string, RightSecret>({ maxSize: maxEntries, sizeCalculation: () => 1 })
  private readonly clock: Pick<Clock, 'now' | 'after'>

  constructor(clock: Pick<Clock, 'now' | 'after'>) {
    this.clock = clock
  }

  /** Checks a secret, later if wrong ones came from the address before. */
  async check(guess: Guess): Promise<GuessVerdict> {
    const { subject, address, given } = guess
    if (given === null || given === undefined || given === '') return 'wrong'
    const name = `${subject}\n${networkOf(address)}`
    const hash = hashText(given, 'sha256')
    if (this.wasRight(name, hash) && guess.isRight()) return this.accept(name, hash)
    // Secrets can change, so a repeated one is checked too.
    if (this.wasWrong(name, hash)) return guess.isRight() ? this.accept(name, hash) : 'wrong'
    const waitMs = this.reserve(name, address)
    if (waitMs > maxWaitMs) return { retryAfterSeconds: Math.ceil(waitMs / 1000) }
    if (waitMs > 0) await new Promise<void>((resolve) => void this.clock.after(waitMs, resolve))
    if (guess.isRight()) {
      this.entries.delete(name)
      return this.accept(name, hash)
    }
    this.addWrong(name, hash, address)
    return 'wrong'
  }

  private accept(name: string, hash: string): 'right' {
    this.right.set(name, { hash, until: this.clock.now() + rememberRightMs })
    return 'right'
  }

  private wasRight(name: string, hash: string): boolean {
    const known = this.right.get(name)
    return known !== undefined && this.clock.now() < known.until && sameText(hash, known.hash)
  }

  private wasWrong(name: string, hash: string): boolean {
    return this.current(name)?.latest.includes(hash) ?? false
  }

  /** Returns how long the call must wait for its turn, and lets the next call wait longer. */
  private reserve(name: string, address: string): Millis {
    const entry = this.current(name)
    if (entry === undefined) return 0
    const waitMs = Math.max(0, entry.nextAt - this.clock.now())
    if (waitMs > 0 && waitMs <= maxWaitMs) entry.nextAt += pauseOf(entry, address)
    return waitMs
  }

  private addWrong(name: string, hash: string, address: string): void {
    // The same secret can have waited twice.
    if (this.wasWrong(name, hash)) return
    const now = this.clock.now()
    const entry = this.current(name) ?? { count: 0, latest: [], lastAt: now, nextAt: 0 }
    entry.count++
    entry.latest = [...entry.latest, hash].slice(-maxRepeatable)
    entry.lastAt = now
    entry.nextAt = Math.max(entry.nextAt, now + pauseOf(entry, address))
    this.entries.set(name, entry)
  }

  private current(name: string): WrongSecrets | undefined {
    const entry = this.entries.get(name)
    return entry === undefined || this.clock.now() >= entry.lastAt + forgetAfterMs ? undefined : entry
  }
}

function pauseOf({ count }: WrongSecrets, address: string): Millis {
  if (count < freeGuesses) return 0
  const maxMs = isLoopback(address) ? loopbackPauseMs : maxPauseMs
  return Math.min(maxMs, firstPauseMs * 2 ** (count - freeGuesses))
}

function isLoopback(address: string): boolean {
  const parsed = parseIpAddress(address)
  if (parsed === undefined) return address === ''
  const range = parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().range() : parsed.range()
  return range === 'loopback'
}

const limits = new WeakMap<object, SecretBackOff>()

/** The guesses of a gateway: all its parts share the clock, so they share the counts too. */
export function secretBackOffOf(clock: Pick<Clock, 'now' | 'after'>): SecretBackOff {
  const known = limits.get(clock) ?? new SecretBackOff(clock)
  limits.set(clock, known)
  return known
}
