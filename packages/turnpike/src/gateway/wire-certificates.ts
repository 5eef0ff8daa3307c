/**
 * Certificates of one gateway: the store of those that were uploaded, and how all who name one (connections to
 * upstreams, the gateway's own TLS) come by its text.
 */
import {
  type CertificateStore,
  type Clock,
  isCertificateId,
  type Log,
  makeCertificateStore,
  type Signals,
  type Store,
} from '@turnpike/core'
import type { GatewayConfig } from '../config/config-shape.ts'

export interface CertificateParts {
  readonly config: GatewayConfig
  readonly store: Store
  readonly signals: Signals
  readonly clock: Clock
  readonly log: Log
}

export interface WiredCertificates {
  readonly certificates: CertificateStore
  /** Text behind an id or a file's path, with the private key where there is one. */
  readonly findPem: (name: string) => Promise<string | undefined>
}

export async function wireCertificates({ config, ...parts }: CertificateParts): Promise<WiredCertificates> {
  const [{ makeNodePemCodec }, { makePemFiles }] = await Promise.all([
    import('@turnpike/adapters/pem-codec-node'),
    import('@turnpike/adapters/pem-files'),
  ])
  const { privateCertificateEncodingSecret: own } = config.security
  const codec = makeNodePemCodec({ secret: own === '' ? config.secret : own })
  const certificates = makeCertificateStore({ ...parts, codec })
  const files = makePemFiles(parts.clock)
  return {
    certificates,
    findPem: async (name) => (isCertificateId(name) ? (await certificates.get(name))?.pem : files.read(name)),
  }
}
