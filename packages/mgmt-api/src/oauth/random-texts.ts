/** Secrets and tokens made of random UUIDs, in their recorded forms. Source: docs/reference/oauth-clients.md#creating-a-client, docs/reference/oauth-endpoints.md#token-endpoint. */

import { encodeBase64, type Ids, utf8Bytes } from '@turnpike/core'
import { encodeBase64Url } from './pkce.ts'

/** Base64 of a UUID as text: 48 characters. For client secrets and refresh tokens. */
export function longText(ids: Ids): string {
  const digits = ids.uuid()
  const parts = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)]
  return encodeBase64(utf8Bytes(parts.join('-')))
}

/** 22 characters of base64url. For authorization codes. */
export function codeText(ids: Ids): string {
  const digits = ids.uuid()
  const bytes = Uint8Array.from({ length: 16 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16))
  return encodeBase64Url(bytes)
}
