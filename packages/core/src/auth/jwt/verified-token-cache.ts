/**
 * A cache of tokens with a valid signature, because verifying a signature costs more than the rest of a request. An entry
 * states only that a key signed a token. Every request still checks the times and looks up the key, so that expired
 * tokens, revoked keys and changed secrets take effect at once. Invalid tokens are not cached.
 */
import { LRUCache } from 'lru-cache'
import type { Millis } from '../../ports/clock.ts'
import type { ParsedToken, TokenKey } from '../../ports/token-verifier.ts'
import type { CachedKey } from '../../session/cached-key.ts'

export interface VerifiedToken {
  readonly token: ParsedToken
  /** The key that verified the signature. */
  readonly key: TokenKey
  /** The signature is verified again after this time. */
  readonly expiresAt: Millis
  /** The session that last matched the token's claims; policies are applied again only if the session changed. */
  settled: CachedKey | undefined
  /** Name of that session, cached because computing it needs a hash. */
  keyName: string | undefined
}

/** How long an entry is valid. */
export const trustedForMs = 300_000
/** Capacity in characters of tokens, per API version; the parsed claims take about as much memory again. */
const maxCharacters = 4 * 1024 * 1024

export interface VerifiedTokenCache {
  get(text: string, now: Millis): VerifiedToken | undefined
  add(token: ParsedToken, key: TokenKey, now: Millis): VerifiedToken
}

export function makeVerifiedTokenCache(): VerifiedTokenCache {
  // No limit on the number of entries, because LRUCache would preallocate it for every API.
  const tokens = new LRUCache<string, VerifiedToken>({
    maxSize: maxCharacters,
    sizeCalculation: (_, text) => text.length,
  })
  return {
    get(text, now) {
      const known = tokens.get(text)
      return known !== undefined && now < known.expiresAt ? known : undefined
    },
    add(token, key, now) {
      const checked: VerifiedToken = {
        token,
        key,
        expiresAt: now + trustedForMs,
        settled: undefined,
        keyName: undefined,
      }
      tokens.set(token.text, checked)
      return checked
    },
  }
}
