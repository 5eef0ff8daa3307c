/** Padded base32 (RFC 4648 section 6). */

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Bytes as padded base32. */
export function encodeBase32(bytes: Uint8Array): string {
  const digits: string[] = []
  let group = 0
  let bits = 0
  for (const byte of bytes) {
    group = ((group << 8) | byte) & 0xfff
    bits += 8
    for (; bits >= 5; bits -= 5) digits.push(alphabet.charAt((group >> (bits - 5)) & 31))
  }
  if (bits > 0) digits.push(alphabet.charAt((group << (5 - bits)) & 31))
  while (digits.length % 8 !== 0) digits.push('=')
  return digits.join('')
}

/** Decodes padded base32; `undefined` if the text is invalid. */
export function decodeBase32(text: string): Uint8Array | undefined {
  const digits = text.replace(/(?<!=)=+$/, '')
  if (text.length % 8 !== 0 || text.length - digits.length > 6 || /[^A-Z2-7]/.test(digits)) return undefined
  if ([1, 3, 6].includes(digits.length % 8)) return undefined
  const bytes = new Uint8Array(Math.floor((digits.length * 5) / 8))
  let group = 0
  let bits = 0
  let at = 0
  for (const digit of digits) {
    group = ((group << 5) | alphabet.indexOf(digit)) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes[at++] = (group >> bits) & 0xff
  }
  return bytes
}
