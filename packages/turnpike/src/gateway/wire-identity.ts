/**
 * What authentication modes need of the machine: public keys, certificates, and documents of token issuers. The HTTP
 * client for the latter is loaded at the first document: most gateways fetch none.
 */
import { type CertificateStore, type EngineOptions, when } from '@turnpike/core'

export interface WiredIdentity {
  readonly ports: Required<Pick<EngineOptions, 'signatures' | 'certificates' | 'fetch'>>
  /** Lets go of connections. */
  close(): Promise<void>
}

/** `certificates`: those that were uploaded. */
export async function wireIdentity(certificates: Pick<CertificateStore, 'get'>): Promise<WiredIdentity> {
  const [{ nodeSignatures }, { makeNodeCertificates }] = await Promise.all([
    import('@turnpike/adapters/signatures-node'),
    import('@turnpike/adapters/certificates-node'),
  ])
  const load = () => import('@turnpike/adapters/fetch-undici').then(({ makeUndiciFetch }) => makeUndiciFetch())
  let loading: ReturnType<typeof load> | undefined
  return {
    ports: {
      signatures: nodeSignatures,
      certificates: makeNodeCertificates({ stored: (id) => when(certificates.get(id), (found) => found?.pem) }),
      fetch: {
        async get(url, options) {
          loading ??= load()
          return (await loading).get(url, options)
        },
      },
    },
    async close() {
      await (await loading)?.close()
    },
  }
}
