/** Passwords of basic users on their way into the store. Source: docs/reference/key-management.md#basic-users. */
import { hashText } from '../../lib/hash/key-hash.ts'
import type { Session } from '../../ports/session.ts'
import type { KeyRegistryParts } from './key-registry-parts.ts'

export type BasicAuthParts = Pick<KeyRegistryParts, 'passwords' | 'basicAuthHash'>

/**
 * The basic user's data as stored. A new password is hashed; none given keeps the stored one, and so does the stored
 * hash itself, which is what a client sends that writes back what it once read.
 */
export async function keptBasicAuth(
  given: Session['basicAuthData'],
  stored: Session['basicAuthData'] | undefined,
  parts: BasicAuthParts,
): Promise<Session['basicAuthData']> {
  const isKept = stored !== undefined && (given.password === '' || given.password === stored.password)
  if (isKept) return stored
  if (given.password === '') return given
  const hashType = parts.basicAuthHash ?? 'bcrypt'
  const password =
    hashType === 'bcrypt' ? await parts.passwords.hash(given.password) : hashText(given.password, hashType)
  return { password, hashType }
}
