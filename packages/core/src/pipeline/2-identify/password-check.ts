/**
 * Checks passwords of basic users. A password that was right is remembered for a while as a digest, since the slow hash
 * would otherwise be paid by every request; requests that ask the same at the same time wait for one check.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { LRUCache } from 'lru-cache'
import { sameBytes, sameText } from '../../hmac/same-bytes.ts'
import type { Maybe } from '../../maybe.ts'
import type { Millis } from '../../ports/clock.ts'
import type { KeyEntry } from '../../session/keyring/keyring.ts'
import { hashText, isHashFunction } from '../../session/names/key-hash.ts'
import { utf8Bytes } from '../../text/utf8.ts'
import type { Tools } from '../tools.ts'

export type CheckPassword = (entry: KeyEntry, password: string) => Maybe<boolean>

/** Users whose passwords one API version remembers. */
const mostUsers = 10_000

interface Remembered {
  readonly digest: Uint8Array
  readonly until: Millis
}

/** `rememberMs` 0: nothing is remembered. A session that changes is another entry, so its old password is forgotten. */
export function makePasswordCheck({ passwords, clock }: Tools, rememberMs: Millis): CheckPassword {
  // Bounded by size, since a bound by number would reserve its room at once, for every API.
  const right = new LRUCache<KeyEntry, Remembered>({ maxSize: mostUsers, sizeCalculation: () => 1 })
  const running = new WeakMap<KeyEntry, { readonly digest: Uint8Array; readonly outcome: Promise<boolean> }>()

  const slowly = (entry: KeyEntry, password: string, digest: Uint8Array): Promise<boolean> => {
    const outcome = passwords.matches(password, entry.session.basicAuthData.password).then(
      (matches) => {
        running.delete(entry)
        if (matches && rememberMs > 0) right.set(entry, { digest, until: clock.now() + rememberMs })
        return matches
      },
      (cause: unknown) => {
        running.delete(entry)
        throw cause
      },
    )
    running.set(entry, { digest, outcome })
    return outcome
  }

  return (entry, password) => {
    const { password: hash, hashType } = entry.session.basicAuthData
    if (hash === '') return false
    if (hashType !== '' && hashType !== 'bcrypt') {
      return isHashFunction(hashType) && sameText(hashText(password, hashType), hash)
    }
    const digest = sha256(utf8Bytes(password))
    const known = right.get(entry)
    if (known !== undefined && clock.now() < known.until && sameBytes(digest, known.digest)) return true
    const pending = running.get(entry)
    return pending !== undefined && sameBytes(digest, pending.digest)
      ? pending.outcome
      : slowly(entry, password, digest)
  }
}
