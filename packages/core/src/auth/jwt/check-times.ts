/**
 * Checks the times of a token: `exp`, `iat` and `nbf` (RFC 7519 sections 4.1.4 to 4.1.6), each optional and each with
 * its own clock skew. A value that is not a number fails the check. Callers turn the problem into a rejection:
 * `pipeline/2-identify/jwt.ts`, `verify-id-token.ts`, `verify-external-token.ts`.
 */
import type { Millis } from '../../ports/clock.ts'
import type { Claims } from './read-claims.ts'

/** Allowed clock skew in seconds. */
export interface TimeSkews {
  readonly expires: number
  readonly issuedAt: number
  readonly notBefore: number
}

export type TimeProblem = 'expired' | 'used-before-issued' | 'not-valid-yet'

/** Returns the problem with the times; if there are several, the last one checked. */
export function decideTimes(claims: Claims, skews: TimeSkews, now: Millis): TimeProblem | undefined {
  const seconds = now / 1000
  let problem: TimeProblem | undefined
  if (has(claims, 'exp') && !(seconds < positiveOf(claims['exp']) + skews.expires)) problem = 'expired'
  if (has(claims, 'iat') && !(seconds >= numberOf(claims['iat']) - skews.issuedAt)) problem = 'used-before-issued'
  if (has(claims, 'nbf') && !(seconds >= numberOf(claims['nbf']) - skews.notBefore)) problem = 'not-valid-yet'
  return problem
}

/** Expiry in Unix seconds; `undefined` if the token has no valid one. */
export function expiresOf(claims: Claims): number | undefined {
  const value = has(claims, 'exp') ? positiveOf(claims['exp']) : Number.NaN
  return Number.isNaN(value) ? undefined : Math.floor(value)
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : Number.NaN
}

/** Issuers that forget to set an expiry write zero, so zero is invalid regardless of the skew. */
function positiveOf(value: unknown): number {
  const seconds = numberOf(value)
  return seconds > 0 ? seconds : Number.NaN
}

function has(claims: Claims, name: string): boolean {
  return Object.hasOwn(claims, name)
}
