/**
 * Values of headers. Inside the gateway each character of a value is one byte of the message, so that values pass as they
 * were sent. A text that the gateway writes, from a definition, a script or a variable, becomes the bytes of UTF-8.
 */
import { strictUtf8Text, utf8Bytes } from './utf8.ts'

const beyondAscii = /[^\0-\x7f]/

/** Returns the value for a text. */
export function fieldValueOf(text: string): string {
  if (!beyondAscii.test(text)) return text
  let value = ''
  for (const byte of utf8Bytes(text)) value += String.fromCharCode(byte)
  return value
}

/** Returns the text of a value; the value itself if its bytes are not UTF-8. */
export function textOfFieldValue(value: string): string {
  if (!beyondAscii.test(value)) return value
  const bytes = new Uint8Array(value.length)
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    if (code > 0xff) return value
    bytes[i] = code
  }
  return strictUtf8Text(bytes) ?? value
}

/**
 * As `fieldValueOf`, for any text. A value is one line (RFC 9110 section 5.5), so characters that would end it become
 * spaces. Tabs are allowed.
 */
export function headerSafe(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression must find control characters
  return fieldValueOf(text.replace(/[\x00-\x08\x0a-\x1f\x7f]/g, ' '))
}
