/** Converts TLS versions and cipher names of definitions to options of node:tls. */
import { getCiphers, type SecureVersion } from 'node:tls'
import type { UpstreamTls } from '@turnpike/core/ports'

const versions: Readonly<Record<number, SecureVersion>> = {
  769: 'TLSv1',
  770: 'TLSv1.1',
  771: 'TLSv1.2',
  772: 'TLSv1.3',
}
/** The default minimum version of Node (TLS 1.2). */
const defaultMinVersion = 771

export interface TlsLimits {
  minVersion?: SecureVersion
  maxVersion?: SecureVersion
  ciphers?: string
}

/** Returns versions and cipher suites as options of node:tls. Unknown numbers and names are ignored. */
export function tlsLimits({ minVersion = 0, maxVersion = 0, ciphers = [] }: UpstreamTls): TlsLimits {
  const limits: TlsLimits = {}
  const highest = versions[maxVersion]
  const lowest = versions[minVersion] ?? (maxVersion > 0 && maxVersion < defaultMinVersion ? highest : undefined)
  if (lowest !== undefined) limits.minVersion = lowest
  if (highest !== undefined) limits.maxVersion = highest
  const names = opensslNames(ciphers)
  const isOld = lowest === 'TLSv1' || lowest === 'TLSv1.1'
  if (names.length > 0 || isOld) {
    // OpenSSL supports TLS 1.0 and 1.1 at security level 0 only.
    limits.ciphers = [...(names.length > 0 ? names : ['DEFAULT']), ...(isOld ? ['@SECLEVEL=0'] : [])].join(':')
  }
  return limits
}

/** Returns the OpenSSL names of the supported cipher suites. */
export function opensslNames(ciphers: readonly string[]): string[] {
  const known = new Set(getCiphers())
  return ciphers.map(opensslName).filter((name) => known.has(name.toLowerCase()))
}

/** Converts, for example, `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256` to `ECDHE-RSA-AES128-GCM-SHA256`. */
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
