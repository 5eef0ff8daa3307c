/**
 * TLS options of the gateway: certificates from files or from the store, selected by server name. The server requests
 * client certificates but does not verify them; each API with mutual TLS does. Renewed files are taken over by `reload`.
 * Source: docs/reference/configuration.md#listening-and-management-keys.
 */
import type { SecureContextOptions } from 'node:tls'
import type { RenewableTlsOptions } from '@turnpike/adapters/front-end-node'
import { isCertificateId } from '@turnpike/core/auth'
import type { Log } from '@turnpike/core/ports'
import type { GatewayConfig } from '../config/config-shape.ts'
import { type CertificatePair, makeConfiguredCertificates } from './configured-certificates.ts'
import type { FindPem } from './create-platform.ts'
import { readPem } from './read-pem.ts'
import { makeServerCertificates } from './server-certificates.ts'

type Version = 'TLSv1.2' | 'TLSv1.3'
type ServerOptions = GatewayConfig['httpServerOptions']

/** By the version numbers of the TLS protocol (RFC 8446 section 4.2.1), which configurations use. */
const versions: Readonly<Record<number, Version>> = { 771: 'TLSv1.2', 772: 'TLSv1.3' }

export interface TlsNames {
  /** Returns the PEM text of an id or a file path. */
  readonly findPem: FindPem
  /** Returns the certificates that API definitions currently name. */
  ofApis(): readonly string[]
}

export interface ServerTls {
  readonly options: RenewableTlsOptions
  /**
   * Reads the files of the configuration again. New connections use renewed certificates. If a file cannot be read, or key
   * and certificate do not belong together, all previous certificates stay, with a line in the log.
   */
  reload(): Promise<void>
}

/** Rejects if the gateway has no certificate. Rejects with `ConfigError` if a file cannot be read. */
export async function wireTls(config: GatewayConfig, names: TlsNames, log: Log): Promise<ServerTls> {
  const options = config.httpServerOptions
  let pairs = await readPairs(options, names.findPem)
  let own = makeConfiguredCertificates(pairs)
  const others = makeServerCertificates(() => [...storedIds(options), ...names.ofApis()], names.findPem)
  const listeners = new Set<(renewed: SecureContextOptions) => void>()
  const shared = {
    minVersion: versions[options.minVersion] ?? 'TLSv1.2',
    maxVersion: versions[options.maxVersion] ?? 'TLSv1.3',
    ...(options.sslCiphers?.length ? { ciphers: options.sslCiphers.join(':') } : {}),
  }
  const defaultContext = () => ({ ...pairOf(pairs[0]), ...shared })

  return {
    options: {
      ...defaultContext(),
      requestCert: true,
      rejectUnauthorized: false,
      SNICallback(name, done) {
        findContext(name).then(
          (found) => done(null, found),
          (error: Error) => done(error),
        )
      },
      renewals(renew) {
        listeners.add(renew)
        return () => listeners.delete(renew)
      },
    },
    async reload() {
      try {
        const read = await readPairs(options, names.findPem)
        if (JSON.stringify(read) === JSON.stringify(pairs)) return
        own = makeConfiguredCertificates(read)
        pairs = read
        for (const renew of listeners) renew(defaultContext())
        log.info('the TLS certificates were renewed', { certificates: read.length })
      } catch (cause) {
        log.error('the TLS certificates cannot be renewed, the previous ones stay', { reason: String(cause) })
      }
    },
  }

  /** Exact names count before wildcards, those of the configuration before those of APIs. */
  async function findContext(name: string) {
    return (
      own.byDomain(name) ??
      own.find(name, false) ??
      (await others.find(name, false)) ??
      own.find(name, true) ??
      (await others.find(name, true))
    )
  }
}

const storedIds = ({ sslCertificates }: ServerOptions) => (sslCertificates ?? []).filter(isCertificateId)
const pairOf = (pair: CertificatePair | undefined) => (pair === undefined ? {} : { cert: pair.cert, key: pair.key })

async function readPairs(options: ServerOptions, findPem: FindPem): Promise<readonly CertificatePair[]> {
  const pairs: CertificatePair[] = []
  for (const [i, { domainName, certFile, keyFile }] of (options.certificates ?? []).entries()) {
    const field = `http_server_options.certificates[${i}]`
    const cert = readPem(certFile, `${field}.cert_file`)
    pairs.push({ cert, key: readPem(keyFile, `${field}.key_file`), domain: domainName.toLowerCase(), isStored: false })
  }
  // A PEM text of this list contains both the certificate and the key.
  const listed = options.sslCertificates ?? []
  for (const name of listed) {
    const isStored = isCertificateId(name)
    const pem = isStored ? await findPem(name) : readPem(name, 'http_server_options.ssl_certificates')
    if (pem !== undefined) pairs.push({ cert: pem, key: pem, domain: '', isStored })
  }
  if (pairs.length === 0) throw new Error(withoutCertificate(listed, options.useSsl))
  return pairs
}

function withoutCertificate(ids: readonly string[], useSsl: boolean): string {
  if (ids.length > 0) return `http_server_options.ssl_certificates: nothing is stored under ${ids.join(', ')}`
  const why = useSsl ? 'http_server_options.use_ssl is on without a certificate' : 'the gateway has no certificate'
  return `${why}: name one in http_server_options.certificates`
}
