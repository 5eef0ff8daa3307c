/**
 * Base64 with the alphabet for URLs, without padding (RFC 7515, 2). Strict: bits that no byte uses must be zero, so
 * that no token has two written forms.
 */
import { decodeBase64, encodeBase64 } from './text/base64.ts'

const digits = /^[A-Za-z0-9_-]*$/

/** `undefined` when the text is no such base64. */
export function decodeBase64Url(text: string): Uint8Array | undefined {
  if (!digits.test(text) || text.length % 4 === 1) return undefined
  const padded = text.replaceAll('-', '+').replaceAll('_', '/') + '='.repeat((4 - (text.length % 4)) % 4)
  const bytes = decodeBase64(padded)
  if (bytes === undefined || text.length % 4 === 0) return bytes
  // Only the last group can carry bits that no byte uses.
  const tail = bytes.subarray(bytes.length - (bytes.length % 3))
  return encodeBase64(tail) === padded.slice(-4) ? bytes : undefined
}
