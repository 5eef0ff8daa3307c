/**
 * Standard padded base64 (RFC 4648 section 4). Decoding is strict, because each key name must have exactly one
 * encoding.
 */

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const values = new Int16Array(128).fill(-1)
for (let i = 0; i < 64; i++) values[alphabet.charCodeAt(i)] = i

/** Bytes as padded base64. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i
    const group = ((bytes[i] as number) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    text += alphabet.charAt(group >> 18) + alphabet.charAt((group >> 12) & 63)
    text += left > 1 ? alphabet.charAt((group >> 6) & 63) : '='
    text += left > 2 ? alphabet.charAt(group & 63) : '='
  }
  return text
}

/** Decodes padded base64; `undefined` if the text is invalid. Padding is required and white space is rejected. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const digits = text.length - padding
  const bytes = new Uint8Array(((text.length / 4) | 0) * 3 - padding)
  let group = 0
  let bits = 0
  let at = 0
  for (let i = 0; i < digits; i++) {
    const code = text.charCodeAt(i)
    const value = code < 128 ? (values[code] as number) : -1
    if (value < 0) return undefined
    group = ((group << 6) | value) & 0xffffff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      bytes[at++] = (group >> bits) & 0xff
    }
  }
  return bytes
}
