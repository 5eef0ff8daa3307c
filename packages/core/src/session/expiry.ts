/** When a key expires. Source: docs/reference/sessions.md#session-fields, docs/reference/policies.md#policy-fields. */
import type { Millis } from '../ports/clock.ts'
import type { Session } from '../ports/session.ts'
import { policiesOf } from './policies/policies-of-session.ts'
import type { PolicyBook } from './policies/policy-book.ts'

/** Expiry of the key in ms; `undefined`: never. The key is still valid at exactly this time. */
export function expiresAtOf(session: Pick<Session, 'expires'>): Millis | undefined {
  return session.expires > 0 ? session.expires * 1000 : undefined
}

export function isExpired(expiresAt: Millis | undefined, now: Millis): boolean {
  return expiresAt !== undefined && now > expiresAt
}

/**
 * `expires` of a new key in Unix seconds: now plus the `key_expires_in` of the last policy that sets it, named or in
 * `meta_data.policies`. It replaces the expiry in the request. Returns `undefined` if no policy sets it.
 */
export function newKeyExpires(session: Session, book: PolicyBook, now: Millis): number | undefined {
  const last = policiesOf(session, book).findLast(({ policy }) => policy !== undefined && policy.keyExpiresIn > 0)
  return last?.policy === undefined ? undefined : Math.floor(now / 1000) + last.policy.keyExpiresIn
}
