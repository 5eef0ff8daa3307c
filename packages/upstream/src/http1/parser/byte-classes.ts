/** Lookup tables of the bytes allowed in a head (RFC 9110 sections 5.5 and 5.6.2). They are used for every byte. */
const token = new Uint8Array(256)
for (const char of "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
  token[char.charCodeAt(0)] = 1
}

const value = new Uint8Array(256)
for (let byte = 0; byte < 256; byte++) value[byte] = byte === 0x09 || (byte >= 0x20 && byte !== 0x7f) ? 1 : 0

const path = new Uint8Array(256)
for (let byte = 0x21; byte < 256; byte++) path[byte] = 1

/** Returns true if the byte is allowed in a header name or a method. */
export function isTokenByte(byte: number): boolean {
  return token[byte] === 1
}

/** Returns true if the byte is allowed in a header value. */
export function isValueByte(byte: number): boolean {
  return value[byte] === 1
}

/** Returns true if the text is a valid header name or method. */
export function isToken(text: string): boolean {
  return text !== '' && consistsOf(text, token)
}

/** Returns true if the text is a valid header value with one byte per character. */
export function isValueText(text: string): boolean {
  return consistsOf(text, value)
}

/** Returns true if the text is a valid request target with one byte per character. */
export function isPathText(text: string): boolean {
  return text !== '' && consistsOf(text, path)
}

// A character above 0xff is outside the table, which yields `undefined`.
function consistsOf(text: string, table: Uint8Array): boolean {
  for (let i = 0; i < text.length; i++) if (table[text.charCodeAt(i)] !== 1) return false
  return true
}
