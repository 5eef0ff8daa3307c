/**
 * UTF-8 for bodies, by the codecs that every runtime has (WHATWG Encoding). They are declared here, since the engine
 * is compiled without the library of any runtime.
 */
declare const TextDecoder: new (label: string, options: { ignoreBOM: boolean }) => { decode(bytes: Uint8Array): string }
declare const TextEncoder: new () => { encode(text: string): Uint8Array }

const decoder = new TextDecoder('utf-8', { ignoreBOM: false })
const encoder = new TextEncoder()

/** Bytes as text. What is no UTF-8 becomes U+FFFD; a byte order mark is taken off. */
export function utf8Text(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

export function utf8Bytes(text: string): Uint8Array {
  return encoder.encode(text)
}
