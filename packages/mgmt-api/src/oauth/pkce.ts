/** Proof key for code exchange (RFC 7636). Source: docs/differences.md. */

import { createHash } from 'node:crypto'
import { encodeBase64, sameText } from '@turnpike/core'

export type ChallengeMethod = 'plain' | 'S256'

/** What a client showed when it asked for a code; an empty challenge is none. */
export interface Challenge {
  readonly challenge: string
  readonly method: ChallengeMethod
}

const wordShape = /^[A-Za-z0-9\-._~]{43,128}$/

/** The challenge of an approval; `undefined` when it breaks RFC 7636, 4.2 and 4.3. */
export function parseChallenge(challenge: string, method: string): Challenge | undefined {
  if (challenge === '') return method === '' || isMethod(method) ? { challenge, method: 'plain' } : undefined
  const known = method === '' ? 'plain' : method
  return isMethod(known) && wordShape.test(challenge) ? { challenge, method: known } : undefined
}

/** Whether the verifier belongs to the challenge (RFC 7636, 4.6). */
export function isVerified(verifier: string, { challenge, method }: Challenge): boolean {
  if (!wordShape.test(verifier)) return false
  return sameText(
    method === 'S256' ? encodeBase64Url(createHash('sha256').update(verifier).digest()) : verifier,
    challenge,
  )
}

/** Base64 for URLs, without padding (RFC 4648, 5). */
export function encodeBase64Url(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function isMethod(method: string): method is ChallengeMethod {
  return method === 'plain' || method === 'S256'
}
