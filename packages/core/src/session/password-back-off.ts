/**
 * Back-off for users whose passwords are guessed. Wrong passwords count by user name, known or not, so that the back-off
 * reveals nothing. An address where the right password was used counts on its own: guesses from other addresses do not
 * stop its user, and a password that is cached gives no address a faster guess. Wrong passwords also count by network, so
 * that guesses with many made-up names do not occupy the threads of the password hash. Source:
 * docs/reference/authentication.md#guesses-of-passwords.
 */
import { LRUCache } from 'lru-cache'
import { networkOf } from '../lib/ip-address.ts'
import type { Clock, Millis } from '../ports/clock.ts'
import { type Passwords, PasswordsBusyError } from '../ports/passwords.ts'

/** Wrong passwords that a user may send without a pause. */
const freeGuesses = 10
/** Wrong passwords of a network, after which its checks run one after the other. */
const freeNetworkGuesses = 50
const maxPauseMs = 30_000
/** After this time without a wrong password the count starts again. */
const forgetAfterMs = 600_000
/** An address is trusted for this time after the right password. */
const trustMs = 3_600_000
const maxEntries = 10_000

/** Who sends a password. */
export interface PasswordSender {
  /** Organisation and user name. */
  readonly user: string
  /** Address of the client, which it cannot choose; empty: this process. */
  readonly address: string
}

interface Guesses {
  readonly count: number
  readonly lastAt: Millis
}

const makeMap = <Value extends object>() =>
  new LRUCache<string, Value>({ maxSize: maxEntries, sizeCalculation: () => 1 })

export class PasswordBackOff {
  /** Wrong passwords of a user from all addresses that were not trusted. */
  private readonly users = makeMap<Guesses>()
  /** Wrong passwords of a user from one address. */
  private readonly addresses = makeMap<Guesses>()
  /** Wrong passwords of all users from one network, without those of trusted addresses. */
  private readonly networks = makeMap<Guesses>()
  /** When the trust in an address of a user ends. A map of its own, so that guesses do not evict it. */
  private readonly trusted = makeMap<{ readonly until: Millis }>()
  /** Number of checks that run, by user and network, or by trusted address. */
  private readonly running = new Map<string, number>()
  private readonly clock: Pick<Clock, 'now'>

  constructor(clock: Pick<Clock, 'now'>) {
    this.clock = clock
  }

  /** Returns true if the right password of the user came from this address in the last hour. */
  isTrusted(sender: PasswordSender): boolean {
    const trust = this.trusted.get(pairOf(sender))
    return trust !== undefined && this.clock.now() < trust.until
  }

  /** Returns true if passwords of the sender are not checked at this moment. */
  isBlocked(sender: PasswordSender): boolean {
    const guesses = this.guessesOf(sender)
    if (guesses === undefined || guesses.count < freeGuesses) return false
    const pauseMs = Math.min(maxPauseMs, 1000 * 2 ** (guesses.count - freeGuesses))
    return this.clock.now() < guesses.lastAt + pauseMs
  }

  /**
   * Runs a slow check and counts it if the password is wrong. Running checks count too, so guesses in parallel have no
   * advantage: with ten wrong passwords, one check of the user runs at a time, and with fifty of a network one of the
   * network. Rejects with `PasswordsBusyError` if too many run.
   */
  async check(sender: PasswordSender, matches: () => Promise<boolean>): Promise<boolean> {
    const isTrusted = this.isTrusted(sender)
    const scope = isTrusted ? `address ${pairOf(sender)}` : `user ${sender.user}`
    this.requireTurn(scope, this.guessesOf(sender), freeGuesses)
    const network = networkOf(sender.address)
    const networkScope = isTrusted || network === '' ? undefined : `network ${network}`
    if (networkScope !== undefined)
      this.requireTurn(networkScope, this.current(this.networks, network), freeNetworkGuesses)
    this.beginCheck(scope)
    if (networkScope !== undefined) this.beginCheck(networkScope)
    try {
      const isRight = await matches()
      this.settle(sender, isRight)
      return isRight
    } finally {
      this.endCheck(scope)
      if (networkScope !== undefined) this.endCheck(networkScope)
    }
  }

  private requireTurn(scope: string, guesses: Guesses | undefined, free: number): void {
    const others = this.running.get(scope) ?? 0
    if (others > 0 && others + (guesses?.count ?? 0) >= free) throw new PasswordsBusyError()
  }

  private beginCheck(scope: string): void {
    this.running.set(scope, (this.running.get(scope) ?? 0) + 1)
  }

  private endCheck(scope: string): void {
    const left = (this.running.get(scope) ?? 0) - 1
    if (left > 0) this.running.set(scope, left)
    else this.running.delete(scope)
  }

  /** Counts a wrong password. A right one makes the address trusted and takes back the wrong ones of this address. */
  settle(sender: PasswordSender, isRight: boolean): void {
    const pair = pairOf(sender)
    const isTrusted = this.isTrusted(sender)
    if (!isRight) {
      this.add(this.addresses, pair)
      if (isTrusted) return
      this.add(this.users, sender.user)
      if (sender.address !== '') this.add(this.networks, networkOf(sender.address))
      return
    }
    const ofAddress = this.current(this.addresses, pair)
    const ofUser = this.current(this.users, sender.user)
    this.addresses.delete(pair)
    if (!isTrusted && ofAddress !== undefined && ofUser !== undefined)
      this.users.set(sender.user, { ...ofUser, count: Math.max(0, ofUser.count - ofAddress.count) })
    this.trusted.set(pair, { until: this.clock.now() + trustMs })
  }

  /** The wrong passwords that count against the sender. */
  private guessesOf(sender: PasswordSender): Guesses | undefined {
    return this.isTrusted(sender) ? this.current(this.addresses, pairOf(sender)) : this.current(this.users, sender.user)
  }

  private add(map: LRUCache<string, Guesses>, name: string): void {
    map.set(name, { count: (this.current(map, name)?.count ?? 0) + 1, lastAt: this.clock.now() })
  }

  private current(map: LRUCache<string, Guesses>, name: string): Guesses | undefined {
    const guesses = map.get(name)
    return guesses === undefined || this.clock.now() >= guesses.lastAt + forgetAfterMs ? undefined : guesses
  }
}

/** The network comes first: it contains no line feed, a user name can. */
function pairOf({ user, address }: PasswordSender): string {
  return `${networkOf(address)}\n${user}`
}

const backOffs = new WeakMap<Passwords, PasswordBackOff>()

/** The back-off of a gateway: all its APIs and its OAuth server share the port, so they share the back-off too. */
export function passwordBackOffOf(passwords: Passwords, clock: Pick<Clock, 'now'>): PasswordBackOff {
  const known = backOffs.get(passwords) ?? new PasswordBackOff(clock)
  backOffs.set(passwords, known)
  return known
}
