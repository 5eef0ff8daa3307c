/** Verifies a token of another server by its signature. Source: docs/reference/external-oauth.md#external-token-checks. */
import type { ExternalProvider } from '../../definition/external-oauth-shape.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import type { CallTracer } from '../../ports/call-span.ts'
import type { Millis } from '../../ports/clock.ts'
import type { ParsedToken, TokenVerifier } from '../../ports/token-verifier.ts'
import { decideTimes, type TimeProblem } from '../jwt/check-times.ts'
import type { KeySets } from '../jwt/key-set-cache.ts'
import { type CentralKeySource, type FoundKey, makeCentralKeySource } from '../jwt/key-source.ts'
import { makeVerifiedTokenCache } from '../jwt/verified-token-cache.ts'
import { externalIdentity } from './external-identity.ts'

export type Verification =
  | { readonly kind: 'valid'; readonly identity: string | undefined }
  /** Not a token, or the signature is wrong. */
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: TimeProblem }
  /** Another algorithm, or no key. */
  | { readonly kind: 'failed'; readonly reason: string }

export interface ExternalVerifier {
  /** Why no token can be verified; `undefined` if the source of keys is usable. */
  readonly problem: string | undefined
  verify(text: string, now: Millis, caller: CallTracer | undefined): Maybe<Verification>
}

export interface ExternalVerifierServices {
  readonly tokenVerifier?: TokenVerifier | undefined
  readonly keySets?: KeySets | undefined
}

export function makeExternalVerifier(
  apiId: string,
  options: ExternalProvider['jwt'],
  services: ExternalVerifierServices,
): ExternalVerifier {
  const source: CentralKeySource = makeCentralKeySource(
    { apiId, field: 'external_oauth.providers[0].jwt.source', ...options },
    services,
  )
  const verifiedTokens = makeVerifiedTokenCache()
  const skews = {
    expires: options.expiresAtValidationSkew,
    issuedAt: options.issuedAtValidationSkew,
    notBefore: options.notBeforeValidationSkew,
  }

  const check = (token: ParsedToken, found: FoundKey | undefined, now: Millis): Verification => {
    if (found === undefined) return { kind: 'failed', reason: 'no key for this token' }
    const known = verifiedTokens.get(token.text, now)
    if (known?.key !== found.key) {
      if (!found.key.verifies(token)) return { kind: 'rejected', reason: 'signature is invalid' }
      verifiedTokens.add(token, found.key, now)
    }
    const problem = decideTimes(token.claims, skews, now)
    if (problem !== undefined) return { kind: problem }
    return { kind: 'valid', identity: externalIdentity(token.claims, options.identityBaseField) }
  }

  return {
    problem: source.problem,
    verify(text, now, caller) {
      if (text.split('.', 4).length !== 3) {
        return { kind: 'rejected', reason: 'token contains an invalid number of segments' }
      }
      const token = verifiedTokens.get(text, now)?.token ?? services.tokenVerifier?.parse(text)
      if (token === undefined) return { kind: 'rejected', reason: 'the token cannot be read' }
      if (token.family !== source.family) return { kind: 'failed', reason: 'unexpected signing method' }
      return when(source.find(token, caller), (found) => check(token, found, now))
    },
  }
}
