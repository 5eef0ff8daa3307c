/**
 * Which requests carry JSON-RPC messages, and the text of a body. Source: spec/oas-and-mcp.md 2.2.
 *
 * The upstream reads the same bytes with a reader of its own, so a body is text here only where every reader takes it
 * for the same text: UTF-8 without a mark, no coding, no other charset.
 */

import { headersOf } from '../../http/headers.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import { strictUtf8Text, utf8Text } from '../../lib/text/utf8.ts'

/** Whether the body is a JSON-RPC message; also for types that only mention JSON, since some readers go by that. */
export function carriesMessage({ method, headers }: Pick<GatewayRequest, 'method' | 'headers'>): boolean {
  if (method !== 'POST') return false
  return headersOf(headers, 'content-type').some((type) => type.toLowerCase().includes('application/json'))
}

/** The text of a message's body; `undefined`: it is not plain UTF-8. */
export function textOfMessage({ headers }: Pick<GatewayRequest, 'headers'>, body: Uint8Array): string | undefined {
  if (headersOf(headers, 'content-encoding').some((coding) => !isPlainCoding(coding))) return undefined
  if (headersOf(headers, 'content-type').some(namesOtherCharset)) return undefined
  // The byte order mark, which the decoder would take off without a word.
  if (body[0] === 0xef && body[1] === 0xbb) return undefined
  const text = utf8Text(body)
  // Only where something may have been replaced is it worth to read the bytes again.
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
