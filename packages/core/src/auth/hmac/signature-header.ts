/**
 * Reads the header of a signed request: `Signature keyId="K",algorithm="hmac-sha256",headers="date x-a",signature="S"`.
 * Source: docs/reference/authentication.md#hmac-signatures.
 */

export interface SignatureHeader {
  readonly keyId: string
  /** As sent; may be an unknown algorithm. Default: `hmac-sha1`. */
  readonly algorithm: string
  /** Lower case, in the order in which they are signed. Default: `date` alone. */
  readonly headers: readonly string[]
  /** Base64, percent-encoded with upper-case hex digits. */
  readonly signature: string
}

const scheme = 'signature '
const field = /\s*([A-Za-z]+)\s*=\s*"([^"]*)"\s*(?:,|$)/y
/** Limits the work that a client can cause; real clients sign a few headers. */
const maxHeaders = 100

const knownFields: ReadonlySet<string> = new Set(['keyid', 'algorithm', 'headers', 'signature'])
const defaultAlgorithm = 'hmac-sha1'

/**
 * Returns `undefined` if the text is invalid, lacks the key or signature, or has an unknown field or an empty list of
 * headers.
 */
export function readSignatureHeader(text: string): SignatureHeader | undefined {
  const isNamed = text.slice(0, scheme.length).toLowerCase() === scheme
  const fields = readFields(isNamed ? text.slice(scheme.length) : text)
  const keyId = fields?.get('keyid') ?? ''
  const algorithm = fields?.get('algorithm') ?? defaultAlgorithm
  const signature = fields?.get('signature') ?? ''
  if (keyId === '' || algorithm === '' || signature === '') return undefined
  const headers = (fields?.get('headers') ?? 'date').toLowerCase().split(' ').filter(Boolean)
  if (headers.length === 0 || headers.length > maxHeaders) return undefined
  return {
    keyId,
    algorithm,
    headers,
    signature: withUpperCaseEscapes(signature),
  }
}

/** Fields by lower-case name. A repeated field makes the header invalid, because its meaning would be ambiguous. */
function readFields(text: string): Map<string, string> | undefined {
  const fields = new Map<string, string>()
  field.lastIndex = 0
  while (field.lastIndex < text.length) {
    const found = field.exec(text)
    if (found === null) return undefined
    const name = (found[1] as string).toLowerCase()
    if (fields.has(name) || !knownFields.has(name)) return undefined
    fields.set(name, found[2] as string)
  }
  return fields
}

/** Some clients write escapes in lower case. */
function withUpperCaseEscapes(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (digits) => digits.toUpperCase())
}
