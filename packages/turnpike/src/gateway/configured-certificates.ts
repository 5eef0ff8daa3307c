/** The certificates that the configuration names, by domain and by their own names. */
import { X509Certificate } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'

export interface CertificatePair {
  readonly cert: string
  readonly key: string
  /** `domain_name` of its entry in lower case; empty: none. */
  readonly domain: string
  /** It comes from the store, where it may be removed at any time, so it is looked up at each handshake. */
  readonly isStored: boolean
}

export interface ConfiguredCertificates {
  /** Returns the certificate whose entry has that `domain_name`, or a wildcard for it. */
  byDomain(serverName: string): SecureContext | undefined
  /** Returns the first certificate with that name; with `wildcards` also by wildcards such as `*.example.com`. */
  find(serverName: string, wildcards: boolean): SecureContext | undefined
}

/** Throws if a certificate or a key is invalid. */
export function makeConfiguredCertificates(pairs: readonly CertificatePair[]): ConfiguredCertificates {
  const byDomain = new Map<string, SecureContext>()
  const usable: { readonly x509: X509Certificate; readonly context: SecureContext }[] = []
  for (const { cert, key, domain, isStored } of pairs) {
    const context = createSecureContext({ cert, key })
    if (domain !== '') byDomain.set(domain, context)
    if (!isStored) usable.push({ x509: new X509Certificate(cert), context })
  }
  return {
    byDomain(serverName) {
      const name = serverName.toLowerCase()
      const dot = name.indexOf('.')
      return byDomain.get(name) ?? (dot === -1 ? undefined : byDomain.get(`*${name.slice(dot)}`))
    },
    find: (serverName, wildcards) =>
      usable.find(({ x509 }) => x509.checkHost(serverName, { wildcards }) !== undefined)?.context,
  }
}
