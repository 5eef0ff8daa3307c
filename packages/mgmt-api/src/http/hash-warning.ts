/** The header `Warning` of lists of hashes that can be inverted. Source: docs/reference/key-management.md#list-keys. */
import { invertibleHashWarning, looksLikeMurmurHash } from '@turnpike/core/lib'

/** `names`: what the response lists. RFC 7234, section 5.5, defines the format; 299 is a persistent warning. */
export function hashWarning(hashKeys: boolean, names: readonly string[]): Readonly<Record<string, string>> {
  return hashKeys && names.some(looksLikeMurmurHash) ? { warning: `299 - "${invertibleHashWarning}"` } : {}
}
