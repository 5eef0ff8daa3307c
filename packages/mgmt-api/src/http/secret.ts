/** The management key on calls. Source: docs/reference/key-management.md#management-conventions, docs/reference/sessions.md#sessions-and-keys; docs/differences.md. */
import { isSecret, vendorForms } from '@turnpike/core/lib'
import type { Clock } from '@turnpike/core/ports'
import { secretBackOffOf } from '@turnpike/core/session'
import { failure, type Reply } from './reply.ts'

/** Header that carries the management key, in lower case. */
export function keyHeaderOf(vendor: string): string {
  return `x-${vendorForms(vendor).lower}-authorization`
}

/** Returns the error response to a call without the right management key; `undefined`: the key is right. */
export type KeyCheck = (given: string | null | undefined, address: string) => Promise<Reply | undefined>

const noKey = failure(403, 'Attempted administrative access with invalid or missing key!')
export const tooManyGuesses = 'Too many wrong secrets came from this address; retry later'

/** `address` of the check: of the client. Source: docs/security.md#guessing-of-secrets. */
export function makeKeyCheck(secret: string, clock: Pick<Clock, 'now' | 'after'>): KeyCheck {
  const guesses = secretBackOffOf(clock)
  return async (given, address) => {
    const verdict = await guesses.check({
      subject: 'management',
      address,
      given,
      isRight: () => isSecret(given, secret),
    })
    if (verdict === 'right') return undefined
    if (verdict === 'wrong') return noKey
    return failure(429, tooManyGuesses, { 'retry-after': String(verdict.retryAfterSeconds) })
  }
}
