/**
 * TLS options of the gateway: certificates from files or from the store, selected by server name. The server requests
 * client certificates but does not verify them; each API with mutual TLS does.
 * Source: docs/reference/configuration.md#listening-and-management-keys.
 */
import { createSecureContext, type SecureContext, type TlsOptions } from 'node:tls'
import { isCertificateId } from '@turnpike/core/auth'
import type { GatewayConfig } from '../config/config-shape.ts'
import type { FindPem } from './create-platform.ts'
import { readPem } from './read-pem.ts'
import { makeServerCertificates } from './server-certificates.ts'

type Version = 'TLSv1.2' | 'TLSv1.3'

/** By the version numbers of the TLS protocol (RFC 8446 section 4.2.1), which configurations use. */
const versions: Readonly<Record<number, Version>> = { 771: 'TLSv1.2', 772: 'TLSv1.3' }

export interface TlsNames {
  /** Returns the PEM text of an id or a file path. */
  readonly findPem: FindPem
  /** Returns the certificates that API definitions currently name. */
  ofApis(): readonly string[]
}

/** Rejects if the gateway has no certificate. Rejects with `ConfigError` if a file cannot be read. */
export async function wireTls(
  { httpServerOptions: options }: GatewayConfig,
  { findPem, ofApis }: TlsNames,
): Promise<TlsOptions> {
  const byDomain = new Map<string, SecureContext>()
  const pairs: { cert: string; key: string }[] = []
  for (const [i, { domainName, certFile, keyFile }] of (options.certificates ?? []).entries()) {
    const field = `http_server_options.certificates[${i}]`
    const pair = { cert: readPem(certFile, `${field}.cert_file`), key: readPem(keyFile, `${field}.key_file`) }
    pairs.push(pair)
    if (domainName !== '') byDomain.set(domainName.toLowerCase(), createSecureContext(pair))
  }
  // A PEM text of this list contains both the certificate and the key.
  const listed = options.sslCertificates ?? []
  for (const name of listed) {
    const pem = isCertificateId(name) ? await findPem(name) : readPem(name, 'http_server_options.ssl_certificates')
    if (pem !== undefined) pairs.push({ cert: pem, key: pem })
  }
  const [first] = pairs
  if (first === undefined) throw new Error(withoutCertificate(listed, options.useSsl))
  const others = makeServerCertificates(() => [...listed, ...ofApis()], findPem)
  return {
    ...first,
    minVersion: versions[options.minVersion] ?? 'TLSv1.2',
    maxVersion: versions[options.maxVersion] ?? 'TLSv1.3',
    ...(options.sslCiphers?.length ? { ciphers: options.sslCiphers.join(':') } : {}),
    requestCert: true,
    rejectUnauthorized: false,
    SNICallback(name, done) {
      const own = byDomain.get(name.toLowerCase()) ?? wildcardOf(byDomain, name)
      if (own !== undefined) return done(null, own)
      others.find(name).then(
        (found) => done(null, found),
        (error: Error) => done(error),
      )
    },
  }
}

function withoutCertificate(ids: readonly string[], useSsl: boolean): string {
  if (ids.length > 0) return `http_server_options.ssl_certificates: nothing is stored under ${ids.join(', ')}`
  const why = useSsl ? 'http_server_options.use_ssl is on without a certificate' : 'the gateway has no certificate'
  return `${why}: name one in http_server_options.certificates`
}

function wildcardOf(byDomain: ReadonlyMap<string, SecureContext>, name: string): SecureContext | undefined {
  const dot = name.indexOf('.')
  return dot === -1 ? undefined : byDomain.get(`*${name.slice(dot).toLowerCase()}`)
}
