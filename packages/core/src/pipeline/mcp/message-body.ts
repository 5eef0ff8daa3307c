/**
 * Decides which requests carry JSON-RPC messages, and decodes their text (docs/reference/mcp-proxies.md#request-routing).
 *
 * The upstream parses the same bytes with its own parser. A body is therefore accepted only if every parser decodes the
 * same text from it: UTF-8 without byte order mark, content coding or another charset.
 */

import { headersOf } from '../../http/headers.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import { strictUtf8Text, utf8Text } from '../../lib/text/utf8.ts'

/** Returns true for every media type that contains `application/json`, because some servers match only that part. */
export function carriesMessage({ method, headers }: Pick<GatewayRequest, 'method' | 'headers'>): boolean {
  if (method !== 'POST') return false
  return headersOf(headers, 'content-type').some((type) => type.toLowerCase().includes('application/json'))
}

/** Decodes the body; `undefined` if it is not plain UTF-8. */
export function textOfMessage({ headers }: Pick<GatewayRequest, 'headers'>, body: Uint8Array): string | undefined {
  if (headersOf(headers, 'content-encoding').some((coding) => !isPlainCoding(coding))) return undefined
  if (headersOf(headers, 'content-type').some(namesOtherCharset)) return undefined
  // The byte order mark, which the decoder would remove silently.
  if (body[0] === 0xef && body[1] === 0xbb) return undefined
  const text = utf8Text(body)
  // A replacement character may mean invalid bytes, so only then decode again strictly.
  return text.includes('\ufffd') ? strictUtf8Text(body) : text
}

function isPlainCoding(coding: string): boolean {
  const name = coding.trim().toLowerCase()
  return name === '' || name === 'identity'
}

function namesOtherCharset(type: string): boolean {
  for (const [, charset] of type.toLowerCase().matchAll(/charset\s*=\s*["']?([^;"'\s,]*)/g)) {
    if (!['utf-8', 'utf8', 'us-ascii'].includes(charset as string)) return true
  }
  return false
}
