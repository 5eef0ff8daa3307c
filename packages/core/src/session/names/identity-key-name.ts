/** Names of the sessions of JSON web tokens. Source: docs/reference/jwt.md#jwt-sessions. */
import { md5 } from '@noble/hashes/legacy.js'
import type { HashFunction } from '../../lib/hash/hash-key-name.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import { makeKeyName } from './key-name.ts'

/** Full name of an identity's key: organisation and MD5 of the identity. The hash is not a security measure. */
export function identityKeyName(identity: string, orgId: string, hashFunction: HashFunction | ''): string {
  return makeKeyName(orgId, digestOf(identity), hashFunction)
}

/** Full name of the key that an identity has with one client: the MD5 of the client comes before that of the identity. */
export function clientIdentityKeyName(
  identity: string,
  clientId: string,
  orgId: string,
  hashFunction: HashFunction | '',
): string {
  return makeKeyName(orgId, digestOf(clientId) + digestOf(identity), hashFunction)
}

function digestOf(text: string): string {
  return Array.from(md5(utf8Bytes(text)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
