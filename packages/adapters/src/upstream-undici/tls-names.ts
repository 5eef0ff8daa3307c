/** Names and numbers of TLS as definitions have them, in the forms in which Node takes them. */
import { getCiphers, type SecureVersion } from 'node:tls'
import type { UpstreamTls } from '@turnpike/core'

const versions: Readonly<Record<number, SecureVersion>> = {
  769: 'TLSv1',
  770: 'TLSv1.1',
  771: 'TLSv1.2',
  772: 'TLSv1.3',
}
/** The oldest version that Node speaks without being asked. */
const oldestByDefault = 771

export interface TlsLimits {
  minVersion?: SecureVersion
  maxVersion?: SecureVersion
  ciphers?: string
}

/** Versions and cipher suites as options of node:tls. Numbers and names that are not known are passed over. */
export function tlsLimits({ minVersion = 0, maxVersion = 0, ciphers = [] }: UpstreamTls): TlsLimits {
  const limits: TlsLimits = {}
  const highest = versions[maxVersion]
  const lowest = versions[minVersion] ?? (maxVersion > 0 && maxVersion < oldestByDefault ? highest : undefined)
  if (lowest !== undefined) limits.minVersion = lowest
  if (highest !== undefined) limits.maxVersion = highest
  const names = opensslNames(ciphers)
  const isOld = lowest === 'TLSv1' || lowest === 'TLSv1.1'
  if (names.length > 0 || isOld) {
    // OpenSSL speaks the old versions at its lowest level of security only.
    limits.ciphers = [...(names.length > 0 ? names : ['DEFAULT']), ...(isOld ? ['@SECLEVEL=0'] : [])].join(':')
  }
  return limits
}

/** Cipher suites by OpenSSL's names, those that it has. */
export function opensslNames(ciphers: readonly string[]): string[] {
  const known = new Set(getCiphers())
  return ciphers.map(opensslName).filter((name) => known.has(name.toLowerCase()))
}

/** `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256` is `ECDHE-RSA-AES128-GCM-SHA256`; suites of TLS 1.3 have one name only. */
function opensslName(name: string): string {
  const [, exchange, cipher] = /^TLS_(\w+?)_WITH_(\w+)$/.exec(name) ?? []
  if (exchange === undefined || cipher === undefined) return name
  const prefix = exchange === 'RSA' ? '' : `${exchange.replaceAll('_', '-')}-`
  const form = cipher
    .replace(/^AES_(\d+)_GCM_/, 'AES$1-GCM-')
    .replace(/^AES_(\d+)_CBC_/, 'AES$1-')
    .replace(/^CHACHA20_POLY1305(?:_SHA256)?$/, 'CHACHA20-POLY1305')
    .replace(/^3DES_EDE_CBC_/, 'DES-CBC3-')
    .replace(/^RC4_128_/, 'RC4-')
  return prefix + form
}
