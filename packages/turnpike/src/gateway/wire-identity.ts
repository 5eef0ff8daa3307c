/**
 * Adapters that authentication modes need: verification of tokens, certificates, and fetching the key documents of token issuers.
 * The HTTP client for those is loaded at the first fetch, since most gateways never fetch one.
 */
import { makeNodeCertificates } from '@turnpike/adapters/certificates-node'
import { fastJwtVerifier } from '@turnpike/adapters/token-verifier-fast-jwt'
import { type CertificateStore, type EngineOptions, when } from '@turnpike/core'

export interface WiredIdentity {
  readonly adapters: Required<Pick<EngineOptions, 'tokenVerifier' | 'certificates' | 'fetch'>>
  /** Closes the connections of the HTTP client. */
  close(): Promise<void>
}

/** `certificates` is the store of uploaded certificates. `publicOnly`: fetch from public addresses only. */
export function wireIdentity(certificates: Pick<CertificateStore, 'get'>, publicOnly: boolean): WiredIdentity {
  const load = () =>
    import('@turnpike/adapters/fetch-undici').then(({ makeUndiciFetch }) => makeUndiciFetch({ publicOnly }))
  let loading: ReturnType<typeof load> | undefined
  return {
    adapters: {
      tokenVerifier: fastJwtVerifier,
      certificates: makeNodeCertificates({ stored: (id) => when(certificates.get(id), (found) => found?.pem) }),
      fetch: {
        async get(url, options) {
          loading ??= load()
          return (await loading).get(url, options)
        },
        async postForm(url, form, options) {
          loading ??= load()
          return (await loading).postForm(url, form, options)
        },
      },
    },
    async close() {
      await (await loading)?.close()
    },
  }
}
