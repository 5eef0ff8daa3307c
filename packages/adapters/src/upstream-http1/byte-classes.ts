/** Which bytes may stand where in a head (RFC 9110, 5.5 and 5.6.2), as tables: asked for every byte that comes or goes. */
const token = new Uint8Array(256)
for (const char of "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
  token[char.charCodeAt(0)] = 1
}

const value = new Uint8Array(256)
for (let byte = 0; byte < 256; byte++) value[byte] = byte === 0x09 || (byte >= 0x20 && byte !== 0x7f) ? 1 : 0

const path = new Uint8Array(256)
for (let byte = 0x21; byte < 256; byte++) path[byte] = 1

/** Whether the byte may be part of a name or a method. */
export function isTokenByte(byte: number): boolean {
  return token[byte] === 1
}

/** Whether the byte may be part of a header's value. */
export function isValueByte(byte: number): boolean {
  return value[byte] === 1
}

/** Whether the text is a name or a method. */
export function isToken(text: string): boolean {
  return text !== '' && isMadeOf(text, token)
}

/** Whether every character of the text is a byte that a header's value may have. */
export function isValueText(text: string): boolean {
  return isMadeOf(text, value)
}

/** Whether every character of the text is a byte that may stand in a request line's target. */
export function isPathText(text: string): boolean {
  return text !== '' && isMadeOf(text, path)
}

// A character beyond one byte lies outside of the table, which is not 1 either.
function isMadeOf(text: string, table: Uint8Array): boolean {
  for (let i = 0; i < text.length; i++) if (table[text.charCodeAt(i)] !== 1) return false
  return true
}
