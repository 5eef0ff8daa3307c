/**
 * Checks passwords of basic users. The digest of a correct password is remembered for a limited time, because the
 * password hash is slow. Concurrent requests with the same password share one check.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { LRUCache } from 'lru-cache'
import { sameBytes, sameText } from '../lib/constant-time.ts'
import { hashText, isHashFunction } from '../lib/hash/hash-key-name.ts'
import { networkOf } from '../lib/ip-address.ts'
import type { Maybe } from '../lib/maybe.ts'
import { utf8Bytes } from '../lib/text/utf8.ts'
import type { Clock, Millis } from '../ports/clock.ts'
import { hashOfNobody, type Passwords, PasswordsBusyError } from '../ports/passwords.ts'
import type { Session } from '../ports/session.ts'
import { type PasswordSender, passwordBackOffOf } from './password-back-off.ts'

export type PasswordVerdict = 'right' | 'wrong' | 'busy'

/**
 * `sender`: for the back-off. `session`: `undefined` for a user who does not exist; the check then takes as long as for one
 * who does. "busy": too many checks wait, or run for the user (503).
 */
export type CheckPassword = (
  sender: PasswordSender,
  session: Session | undefined,
  password: string,
) => Maybe<PasswordVerdict>

/** Settings of basic users in a definition (docs/reference/authentication.md#basic-authentication). */
interface PasswordCacheSettings {
  readonly disableCaching: boolean
  /** Seconds; 0 or less is the default. */
  readonly cacheTtl: number
}

const defaultCacheSeconds = 60

/** Maximum number of remembered passwords per API version. */
const maxUsers = 10_000

interface Remembered {
  readonly digest: Uint8Array
  readonly until: Millis
}

/** Cached passwords are keyed by the stored hash: a changed password has a new hash, and a reload changes no hash. */
export function makePasswordCheck(
  { passwords, clock }: { readonly passwords: Passwords; readonly clock: Pick<Clock, 'now'> },
  { disableCaching, cacheTtl }: PasswordCacheSettings,
): CheckPassword {
  const rememberMs = disableCaching ? 0 : (cacheTtl > 0 ? cacheTtl : defaultCacheSeconds) * 1000
  // `maxSize` instead of `max`: `max` allocates all slots at once, for every API.
  const right = new LRUCache<string, Remembered>({ maxSize: maxUsers, sizeCalculation: () => 1 })
  const running = new Map<string, { readonly digest: Uint8Array; readonly outcome: Promise<boolean> }>()

  const backOff = passwordBackOffOf(passwords, clock)

  /** Every check takes the time of bcrypt, so that its duration does not show which users exist. */
  const matches = async (
    sender: PasswordSender,
    password: string,
    { password: hash, hashType }: Session['basicAuthData'],
  ): Promise<boolean> => {
    const queue = { network: networkOf(sender.address), isTrusted: backOff.isTrusted(sender) }
    if (hash !== '' && (hashType === '' || hashType === 'bcrypt')) return passwords.matches(password, hash, queue)
    await passwords.matches(password, hashOfNobody, queue)
    return hash !== '' && isHashFunction(hashType) && sameText(hashText(password, hashType), hash)
  }

  const slowly = (
    sender: PasswordSender,
    stored: Session['basicAuthData'],
    password: string,
    digest: Uint8Array,
  ): Promise<boolean> => {
    const hash = stored.password
    const checked = backOff
      .check(sender, () => matches(sender, password, stored))
      .then((matches) => {
        if (matches && rememberMs > 0) right.set(hash, { digest, until: clock.now() + rememberMs })
        return matches
      })
    const check = { digest, outcome: checked.finally(over) }
    // A check of another password may have replaced this one.
    function over() {
      if (running.get(hash) === check) running.delete(hash)
    }
    running.set(hash, check)
    return check.outcome
  }

  const verify = (sender: PasswordSender, session: Session | undefined, password: string): Promise<boolean> => {
    const stored = session?.basicAuthData ?? nobody
    if (stored.password === '') return backOff.check(sender, () => matches(sender, password, stored))
    const pending = running.get(stored.password)
    const digest = sha256(utf8Bytes(password))
    const isSame = pending !== undefined && sameBytes(digest, pending.digest)
    return isSame ? pending.outcome : slowly(sender, stored, password, digest)
  }

  const isRemembered = (session: Session | undefined, password: string): boolean => {
    const known = session === undefined ? undefined : right.get(session.basicAuthData.password)
    return known !== undefined && clock.now() < known.until && sameBytes(sha256(utf8Bytes(password)), known.digest)
  }

  return (sender, session, password) => {
    const isRight = isRemembered(session, password)
    // Only where the right password is in use does a remembered one pass at once. Elsewhere that would allow fast guesses.
    if (isRight && backOff.isTrusted(sender)) return 'right'
    if (backOff.isBlocked(sender)) return 'wrong'
    if (isRight) {
      backOff.settle(sender, true)
      return 'right'
    }
    return verify(sender, session, password).then(verdictOf, (cause: unknown) => {
      if (cause instanceof PasswordsBusyError) return 'busy'
      throw cause
    })
  }
}

function verdictOf(isRight: boolean): PasswordVerdict {
  return isRight ? 'right' : 'wrong'
}

const nobody = { password: '', hashType: '' }
