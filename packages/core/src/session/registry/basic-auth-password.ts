/** Hashes passwords of basic users before they are stored. Source: docs/reference/key-management.md#basic-users. */
import { hashText } from '../../lib/hash/hash-key-name.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import { maxBcryptBytes } from '../../ports/passwords.ts'
import type { Session } from '../../ports/session.ts'
import type { KeyRegistryDependencies } from './key-registry-types.ts'

export type PasswordHashing = Pick<KeyRegistryDependencies, 'passwords' | 'basicAuthHash'>

/** Returns why a password cannot be set, or `undefined`: bcrypt would ignore what follows its first 72 bytes. */
export function findLongPassword(
  { password }: Session['basicAuthData'],
  { basicAuthHash = 'bcrypt' }: PasswordHashing,
): string | undefined {
  const bytes = basicAuthHash === 'bcrypt' ? utf8Bytes(password).length : 0
  if (bytes <= maxBcryptBytes) return undefined
  return `basic_auth_data.password has ${bytes} bytes, but bcrypt compares only ${maxBcryptBytes}: use a shorter password, or set basic_auth_hash_key_function to "sha256"`
}

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
