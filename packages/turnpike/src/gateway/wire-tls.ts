/**
 * TLS at the gateway: certificates from files, one per domain by server name. Client certificates are asked for and
 * judged by the API that wants them, so a connection without one, or with an unknown one, is not refused here.
 * Source: spec/config-and-ops.md 2.1.
 */
import { readFileSync } from 'node:fs'
import { createSecureContext, type SecureContext, type TlsOptions } from 'node:tls'
import type { GatewayConfig } from '../config/config-shape.ts'

type Version = 'TLSv1.2' | 'TLSv1.3'

/** By the protocol's own numbers, as existing configurations write them. */
const versions: Readonly<Record<number, Version>> = { 771: 'TLSv1.2', 772: 'TLSv1.3' }

/** Options for the node front end; `undefined` without `use_ssl`. Throws, naming the file, when one cannot be read. */
export function wireTls({ httpServerOptions: options }: GatewayConfig): TlsOptions | undefined {
  if (!options.useSsl) return undefined
  const byDomain = new Map<string, SecureContext>()
  const pairs: { cert: Buffer; key: Buffer }[] = []
  for (const { domainName, certFile, keyFile } of options.certificates ?? []) {
    const pair = { cert: readPem(certFile), key: readPem(keyFile) }
    pairs.push(pair)
    if (domainName !== '') byDomain.set(domainName.toLowerCase(), createSecureContext(pair))
  }
  // One file may hold both, certificate and key.
  for (const file of options.sslCertificates ?? []) {
    const pem = readPem(file)
    pairs.push({ cert: pem, key: pem })
  }
  const first = pairs[0]
  if (first === undefined) {
    throw new Error(
      'http_server_options.use_ssl is on without a certificate: name one in http_server_options.certificates',
    )
  }
  return {
    ...first,
    minVersion: versions[options.minVersion] ?? 'TLSv1.2',
    maxVersion: versions[options.maxVersion] ?? 'TLSv1.3',
    ...(options.sslCiphers?.length ? { ciphers: options.sslCiphers.join(':') } : {}),
    requestCert: true,
    rejectUnauthorized: false,
    SNICallback: (name, done) => done(null, byDomain.get(name.toLowerCase()) ?? wildcardOf(byDomain, name)),
  }
}

function wildcardOf(byDomain: ReadonlyMap<string, SecureContext>, name: string): SecureContext | undefined {
  const dot = name.indexOf('.')
  return dot === -1 ? undefined : byDomain.get(`*${name.slice(dot).toLowerCase()}`)
}

function readPem(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw new Error(`a certificate of http_server_options cannot be read: ${String(cause)}`)
  }
}
