/** Hashes passwords of basic users before they are stored. Source: docs/reference/key-management.md#basic-users. */
import { hashText } from '../../lib/hash/hash-key-name.ts'
import type { Session } from '../../ports/session.ts'
import type { KeyRegistryDependencies } from './key-registry-types.ts'

export type PasswordHashing = Pick<KeyRegistryDependencies, 'passwords' | 'basicAuthHash'>

/**
 * Returns the basic user's data to store, with a new password hashed. The stored hash is kept if the password is empty
 * or equal to the stored hash, which is what a client sends when it writes back a session that it read.
 */
export async function keptBasicAuth(
  given: Session['basicAuthData'],
  stored: Session['basicAuthData'] | undefined,
  parts: PasswordHashing,
): Promise<Session['basicAuthData']> {
  const isKept = stored !== undefined && (given.password === '' || given.password === stored.password)
  if (isKept) return stored
  if (given.password === '') return given
  const hashType = parts.basicAuthHash ?? 'bcrypt'
  const password =
    hashType === 'bcrypt' ? await parts.passwords.hash(given.password) : hashText(given.password, hashType)
  return { password, hashType }
}
