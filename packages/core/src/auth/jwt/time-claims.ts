/**
 * Whether a token holds now: `exp`, `iat` and `nbf` (RFC 7519, 4.1.4–4.1.6), each optional and each with its skew.
 * A time that is no number counts as one that does not fit.
 */
import type { Millis } from '../../ports/clock.ts'
import type { Claims } from './claims.ts'

/** Seconds by which clocks may differ. */
export interface TimeSkews {
  readonly expires: number
  readonly issuedAt: number
  readonly notBefore: number
}

export type TimeProblem = 'expired' | 'used-before-issued' | 'not-valid-yet'

/** What is wrong with the times; of several the last one checked is told, as recorded. */
export function decideTimes(claims: Claims, skews: TimeSkews, now: Millis): TimeProblem | undefined {
  const seconds = now / 1000
  let problem: TimeProblem | undefined
  if (has(claims, 'exp') && !(seconds < positiveOf(claims['exp']) + skews.expires)) problem = 'expired'
  if (has(claims, 'iat') && !(seconds >= numberOf(claims['iat']) - skews.issuedAt)) problem = 'used-before-issued'
  if (has(claims, 'nbf') && !(seconds >= numberOf(claims['nbf']) - skews.notBefore)) problem = 'not-valid-yet'
  return problem
}

/** When the token expires, in Unix seconds; `undefined`: it does not say. */
export function expiresOf(claims: Claims): number | undefined {
  const value = has(claims, 'exp') ? positiveOf(claims['exp']) : Number.NaN
  return Number.isNaN(value) ? undefined : Math.floor(value)
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : Number.NaN
}

/** An expiry of zero is what issuers write that forgot to set one; no skew makes a date of it. */
function positiveOf(value: unknown): number {
  const seconds = numberOf(value)
  return seconds > 0 ? seconds : Number.NaN
}

function has(claims: Claims, name: string): boolean {
  return Object.hasOwn(claims, name)
}
