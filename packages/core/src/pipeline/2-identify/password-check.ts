/**
 * Checks passwords of basic users. The digest of a correct password is remembered for a limited time, because the
 * password hash is slow. Concurrent requests with the same password share one check.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { LRUCache } from 'lru-cache'
import { hashText, isHashFunction } from '../../lib/hash/key-hash.ts'
import type { Maybe } from '../../lib/maybe.ts'
import { sameBytes, sameText } from '../../lib/same-bytes.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { Millis } from '../../ports/clock.ts'
import type { CachedKey } from '../../session/session-cache.ts'
import type { StageServices } from '../contract/stage-services.ts'

export type CheckPassword = (entry: CachedKey, password: string) => Maybe<boolean>

/** Maximum number of remembered passwords per API version. */
const maxUsers = 10_000

interface Remembered {
  readonly digest: Uint8Array
  readonly until: Millis
}

/**
 * `rememberMs` 0 remembers nothing. Entries are keyed by the stored hash: a changed password has a new hash, and a reload
 * changes no hash.
 */
export function makePasswordCheck({ passwords, clock }: StageServices, rememberMs: Millis): CheckPassword {
  // `maxSize` instead of `max`: `max` allocates all slots at once, for every API.
  const right = new LRUCache<string, Remembered>({ maxSize: maxUsers, sizeCalculation: () => 1 })
  const running = new Map<string, { readonly digest: Uint8Array; readonly outcome: Promise<boolean> }>()

  const slowly = (hash: string, password: string, digest: Uint8Array): Promise<boolean> => {
    const checked = passwords.matches(password, hash).then((matches) => {
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

  return (entry, password) => {
    const { password: hash, hashType } = entry.session.basicAuthData
    if (hash === '') return false
    if (hashType !== '' && hashType !== 'bcrypt') {
      return isHashFunction(hashType) && sameText(hashText(password, hashType), hash)
    }
    const digest = sha256(utf8Bytes(password))
    const known = right.get(hash)
    if (known !== undefined && clock.now() < known.until && sameBytes(digest, known.digest)) return true
    const pending = running.get(hash)
    return pending !== undefined && sameBytes(digest, pending.digest) ? pending.outcome : slowly(hash, password, digest)
  }
}
