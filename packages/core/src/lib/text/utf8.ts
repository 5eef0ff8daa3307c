/**
 * UTF-8 with the codecs of the WHATWG Encoding standard. Core is compiled without runtime types, so they are declared
 * here.
 */
declare const TextDecoder: new (
  label: string,
  options: { ignoreBOM: boolean; fatal?: boolean },
) => { decode(bytes: Uint8Array): string }
declare const TextEncoder: new () => { encode(text: string): Uint8Array }

const encoder = new TextEncoder()
const lenient = new TextDecoder('utf-8', { ignoreBOM: false })
const strict = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })

/** Encodes a text as UTF-8; a lone surrogate becomes U+FFFD. */
export function utf8Bytes(text: string): Uint8Array {
  return encoder.encode(text)
}

/** Decodes UTF-8: invalid bytes become U+FFFD, and a leading byte order mark is removed. */
export function utf8Text(bytes: Uint8Array): string {
  return lenient.decode(bytes)
}

/** Decodes UTF-8 and keeps a leading byte order mark; `undefined` if the bytes are invalid. */
export function strictUtf8Text(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}
