/** UTF-8 by the codecs of the WHATWG Encoding standard. Core is compiled without a runtime's types: declared here. */
declare const TextDecoder: new (
  label: string,
  options: { ignoreBOM: boolean; fatal?: boolean },
) => { decode(bytes: Uint8Array): string }
declare const TextEncoder: new () => { encode(text: string): Uint8Array }

const encoder = new TextEncoder()
const lenient = new TextDecoder('utf-8', { ignoreBOM: false })
const strict = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })

/** The UTF-8 bytes of a text; a lone surrogate becomes U+FFFD. */
export function utf8Bytes(text: string): Uint8Array {
  return encoder.encode(text)
}

/** Bytes as text: invalid UTF-8 becomes U+FFFD, and a leading byte order mark is removed. */
export function utf8Text(bytes: Uint8Array): string {
  return lenient.decode(bytes)
}

/** Bytes as text, with a leading byte order mark if there is one; `undefined` for invalid UTF-8. */
export function strictUtf8Text(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}
