/**
 * Checks passwords of basic users. A password that was right is remembered for a while as a digest, since the slow hash
 * would otherwise be paid by every request; requests that ask the same at the same time wait for one check.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { LRUCache } from 'lru-cache'
import { hashText, isHashFunction } from '../../lib/hash/key-hash.ts'
import type { Maybe } from '../../lib/maybe.ts'
import { sameBytes, sameText } from '../../lib/same-bytes.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { Millis } from '../../ports/clock.ts'
import type { CachedKey } from '../../session/cached-key.ts'
import type { StageServices } from '../contract/stage-services.ts'

export type CheckPassword = (entry: CachedKey, password: string) => Maybe<boolean>

/** Users whose passwords one API version remembers. */
const mostUsers = 10_000

interface Remembered {
  readonly digest: Uint8Array
  readonly until: Millis
}

/**
 * `rememberMs` 0: nothing is remembered. What is remembered goes by the stored hash: a password that changes has
 * another one, and a reload that gives all sessions anew changes none.
 */
export function makePasswordCheck({ passwords, clock }: StageServices, rememberMs: Millis): CheckPassword {
  // Bounded by size, since a bound by number would reserve its room at once, for every API.
  const right = new LRUCache<string, Remembered>({ maxSize: mostUsers, sizeCalculation: () => 1 })
  const running = new Map<string, { readonly digest: Uint8Array; readonly outcome: Promise<boolean> }>()

  const slowly = (hash: string, password: string, digest: Uint8Array): Promise<boolean> => {
    const checked = passwords.matches(password, hash).then((matches) => {
      if (matches && rememberMs > 0) right.set(hash, { digest, until: clock.now() + rememberMs })
      return matches
    })
    const check = { digest, outcome: checked.finally(over) }
    // Another password may be under way by now.
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
