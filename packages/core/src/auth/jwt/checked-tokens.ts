/**
 * Tokens whose signature was found right, remembered for a while: a signature costs more than everything else of a
 * request. What is remembered is only that this text was signed by this key; times are compared and the key is asked
 * for at every request, so that an expired token, a key that was withdrawn and a secret that was changed are seen at
 * once. Tokens that did not pass are never remembered.
 */
import { LRUCache } from 'lru-cache'
import type { Millis } from '../../ports/clock.ts'
import type { CachedKey } from '../../session/session-cache.ts'
import type { TokenKey } from './check-signature.ts'
import type { ParsedToken } from './parse-token.ts'

export interface CheckedToken {
  readonly token: ParsedToken
  /** With which it was checked. */
  readonly key: TokenKey
  /** After it, the signature is checked again. */
  readonly until: Millis
  /** Session that was last found to fit the token's claims; as long as it is the same, nothing is decided anew. */
  settled: CachedKey | undefined
  /** Name of that session, which takes a hash to make. */
  keyName: string | undefined
}

/** How long a signature is believed. */
export const trustedForMs = 300_000
/** Characters of tokens that one API version remembers; claims take about as much again. */
const mostCharacters = 4 * 1024 * 1024

export interface CheckedTokens {
  get(text: string, now: Millis): CheckedToken | undefined
  add(text: string, token: ParsedToken, key: TokenKey, now: Millis): CheckedToken
}

export function makeCheckedTokens(): CheckedTokens {
  // Bounded by size alone: a bound by number would reserve its room at once, for every API.
  const tokens = new LRUCache<string, CheckedToken>({
    maxSize: mostCharacters,
    sizeCalculation: (_, text) => text.length,
  })
  return {
    get(text, now) {
      const known = tokens.get(text)
      return known !== undefined && now < known.until ? known : undefined
    },
    add(text, token, key, now) {
      const checked: CheckedToken = { token, key, until: now + trustedForMs, settled: undefined, keyName: undefined }
      tokens.set(text, checked)
      return checked
    },
  }
}
