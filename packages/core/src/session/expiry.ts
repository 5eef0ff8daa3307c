/** When a key stops working. Source: docs/reference/sessions.md#session-fields (`expires`), 4.1 (`key_expires_in`). */
import type { Millis } from '../ports/clock.ts'
import type { Session } from '../ports/session.ts'
import { policiesOf } from './policies/policies-of-session.ts'
import type { PolicyBook } from './policies/policy-book.ts'

/** When the key expires, in ms; `undefined`: never. It is refused from the next moment on. */
export function expiresAtOf(session: Pick<Session, 'expires'>): Millis | undefined {
  return session.expires > 0 ? session.expires * 1000 : undefined
}

export function isExpired(expiresAt: Millis | undefined, now: Millis): boolean {
  return expiresAt !== undefined && now > expiresAt
}

/**
 * `expires` that policies give a new key, in Unix seconds: now and the `key_expires_in` of the last policy that has
 * one; `undefined`: none has. It also replaces an expiry that was given; keys that exist are left alone.
 */
export function newKeyExpires(session: Session, book: PolicyBook, now: Millis): number | undefined {
  const last = policiesOf(session, book).findLast(({ policy }) => policy !== undefined && policy.keyExpiresIn > 0)
  return last?.policy === undefined ? undefined : Math.floor(now / 1000) + last.policy.keyExpiresIn
}
