/**
 * Full names of keys: construction, parsing, lookup and stored form. `lib/hash/hash-key-name.ts` computes the hash.
 * Source: docs/reference/sessions.md#key-names, docs/reference/sessions.md#hashed-storage; docs/reference/redis-layout.md#tokens.
 */

import { type HashFunction, hashKeyName } from '../../lib/hash/hash-key-name.ts'
import { readTokenParts } from '../../lib/hash/token-fields.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { GatewaySettings } from '../../ports/settings.ts'

/** The settings that decide names. */
export type KeyNameSettings = Pick<
  GatewaySettings['keys'],
  'hashKeys' | 'hashFunction' | 'hashFunctionFallback' | 'actionsByUsername'
>

/**
 * Makes the full name of a key: organisation and id joined, or base64 of a small JSON object if a hash function is
 * given. An id that already starts with the organisation is not prefixed twice.
 */
export function makeKeyName(orgId: string, id: string, hashFunction: HashFunction | ''): string {
  const hasOrg = id.startsWith(orgId)
  // Returns the same string if possible, because V8 would flatten a concatenation at its first use as a map key.
  if (hashFunction === '') return hasOrg ? id : orgId + id
  const own = hasOrg ? id.slice(orgId.length) : id
  // JSON escaping is omitted on purpose: nodes of the original gateway build the same bytes without it.
  return encodeBase64(utf8Bytes(`{"org":"${orgId}","id":"${own}","h":"${hashFunction}"}`))
}

/** The organisation in a name: `org` of a base64 name, else 24 leading hex digits, else the empty text. */
export function orgOfKeyName(keyName: string): string {
  const parts = readTokenParts(keyName)
  if (parts !== undefined) return parts.org
  return keyName.length > 24 && /^[0-9a-fA-F]{24}/.test(keyName) ? keyName.slice(0, 24) : ''
}

/** Name under which a key is stored: its full name, or the hash of it. */
export function storedNameOf(keyName: string, hashKeys: boolean): string {
  return hashKeys ? hashKeyName(keyName) : keyName
}

/** The first of `candidateNames`. Making only this one saves the cost of the others. */
export function firstCandidateName(credential: string, orgId: string, settings: KeyNameSettings): string {
  if (!settings.actionsByUsername || orgOfKeyName(credential) === orgId) return credential
  return makeKeyName(orgId, credential, settings.hashFunction)
}

/**
 * The full names that a credential can mean on an API of this organisation, in the order of lookup; the first stored one
 * applies. With `disable_key_actions_by_username` the credential itself is the only candidate.
 */
export function candidateNames(credential: string, orgId: string, settings: KeyNameSettings): string[] {
  if (orgOfKeyName(credential) === orgId) return [credential]
  if (!settings.actionsByUsername) return [credential]
  const names = [makeKeyName(orgId, credential, settings.hashFunction), credential]
  for (const older of settings.hashFunctionFallback) names.push(makeKeyName(orgId, credential, older))
  return names.filter((name, i) => names.indexOf(name) === i)
}
