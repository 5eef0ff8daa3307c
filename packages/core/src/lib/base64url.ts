/**
 * Base64 with the URL alphabet, without padding (RFC 7515 section 2). Strict: unused trailing bits must be zero, so
 * that each token has exactly one encoded form.
 */
import { decodeBase64, encodeBase64 } from './text/base64.ts'

const digits = /^[A-Za-z0-9_-]*$/

/** Returns `undefined` if the text is not valid base64url. */
export function decodeBase64Url(text: string): Uint8Array | undefined {
  if (!digits.test(text) || text.length % 4 === 1) return undefined
  const padded = text.replaceAll('-', '+').replaceAll('_', '/') + '='.repeat((4 - (text.length % 4)) % 4)
  const bytes = decodeBase64(padded)
  if (bytes === undefined || text.length % 4 === 0) return bytes
  // Only the last group can have unused bits.
  const tail = bytes.subarray(bytes.length - (bytes.length % 3))
  return encodeBase64(tail) === padded.slice(-4) ? bytes : undefined
}
