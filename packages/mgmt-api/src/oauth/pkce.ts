/** Proof key for code exchange (RFC 7636). Source: docs/differences.md. */

import { createHash } from 'node:crypto'
import { sameText } from '@turnpike/core/lib'

export type ChallengeMethod = 'plain' | 'S256'

/** The challenge of a code request; an empty one counts as missing. */
export interface Challenge {
  readonly challenge: string
  readonly method: ChallengeMethod
}

const wordShape = /^[A-Za-z0-9\-._~]{43,128}$/

/** The challenge of an approval; `undefined` if it violates RFC 7636, sections 4.2 and 4.3. */
export function parseChallenge(challenge: string, method: string): Challenge | undefined {
  if (challenge === '') return method === '' || isMethod(method) ? { challenge, method: 'plain' } : undefined
  const known = method === '' ? 'plain' : method
  return isMethod(known) && wordShape.test(challenge) ? { challenge, method: known } : undefined
}

/** Whether the verifier matches the challenge (RFC 7636, section 4.6). */
export function isVerified(verifier: string, { challenge, method }: Challenge): boolean {
  if (!wordShape.test(verifier)) return false
  const proof = method === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier
  return sameText(proof, challenge)
}

function isMethod(method: string): method is ChallengeMethod {
  return method === 'plain' || method === 'S256'
}
