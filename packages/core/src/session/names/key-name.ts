/**
 * Full names of keys: how they are made, read, looked up and stored.
 * Source: docs/reference/sessions.md#key-names, docs/reference/sessions.md#hashed-storage; docs/reference/redis-layout.md#tokens.
 */

import { type HashFunction, hashKeyName } from '../../lib/hash/key-hash.ts'
import { readTokenParts } from '../../lib/hash/token-parts.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { GatewaySettings } from '../../ports/settings.ts'

/** The settings that decide names. */
export type KeyNameSettings = Pick<
  GatewaySettings['keys'],
  'hashKeys' | 'hashFunction' | 'hashFunctionFallback' | 'actionsByUsername'
>

/**
 * Full name of a key from its organisation and id: both joined, or base64 of a small JSON object where a hash function
 * is named. An id that already begins with the organisation is not prefixed twice.
 */
export function makeKeyName(orgId: string, id: string, hashFunction: HashFunction | ''): string {
  const hasOrg = id.startsWith(orgId)
  // As it is: a text put together again would be written out anew when it is looked up.
  if (hashFunction === '') return hasOrg ? id : orgId + id
  const own = hasOrg ? id.slice(orgId.length) : id
  // Nothing is escaped: other nodes build the same bytes without escaping.
  return encodeBase64(utf8Bytes(`{"org":"${orgId}","id":"${own}","h":"${hashFunction}"}`))
}

/** Organisation that a name tells: of a base64 name its `org`, else 24 leading hex digits, else empty. */
export function orgOfKeyName(keyName: string): string {
  const parts = readTokenParts(keyName)
  if (parts !== undefined) return parts.org
  return keyName.length > 24 && /^[0-9a-fA-F]{24}/.test(keyName) ? keyName.slice(0, 24) : ''
}

/** Name under which a key is stored: its full name, or the hash of it. */
export function storedNameOf(keyName: string, hashKeys: boolean): string {
  return hashKeys ? hashKeyName(keyName) : keyName
}

/** The first of `candidateNames`, without making the others. */
export function firstCandidateName(credential: string, orgId: string, settings: KeyNameSettings): string {
  if (!settings.actionsByUsername || orgOfKeyName(credential) === orgId) return credential
  return makeKeyName(orgId, credential, settings.hashFunction)
}

/**
 * Full names that a text may mean on an API of this organisation, in the order in which they are tried.
 * The first that is stored wins. Made names are left out with `disable_key_actions_by_username`.
 */
export function candidateNames(credential: string, orgId: string, settings: KeyNameSettings): string[] {
  if (orgOfKeyName(credential) === orgId) return [credential]
  if (!settings.actionsByUsername) return [credential]
  const names = [makeKeyName(orgId, credential, settings.hashFunction), credential]
  for (const older of settings.hashFunctionFallback) names.push(makeKeyName(orgId, credential, older))
  return names.filter((name, i) => names.indexOf(name) === i)
}
