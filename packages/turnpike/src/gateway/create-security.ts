/**
 * Creates the store of uploaded certificates, the lookup of PEM texts by id or file path for upstream connections and the
 * gateway's own TLS, and the adapters that authentication modes need.
 */
import { makeNodeCertificates } from '@turnpike/adapters/certificates-node'
import { makeNodePemCodec } from '@turnpike/adapters/pem-codec-node'
import { makePemFiles } from '@turnpike/adapters/pem-files'
import { fastJwtVerifier } from '@turnpike/adapters/token-verifier-fast-jwt'
import {
  type CertificateStore,
  type CertificateUse,
  type ExpiryWatch,
  isCertificateId,
  makeCertificateStore,
  makeExpiryWatch,
} from '@turnpike/core/auth'
import type { ApiDefinition } from '@turnpike/core/definition'
import type { EngineOptions } from '@turnpike/core/engine'
import { when } from '@turnpike/core/lib'
import type { Events } from '@turnpike/core/observability'
import type { GatewayConfig } from '../config/config-shape.ts'
import { orElse } from '../config/to-settings.ts'
import type { FindPem, Platform } from './create-platform.ts'
import type { Storage } from './storage.ts'

export interface Security {
  readonly certificates: CertificateStore
  /** Returns the PEM text of an id or a file path, including the private key if the text has one. */
  readonly findPem: FindPem
  /** Fires events for certificates of the configuration and of `definitions` that expire soon. */
  watchExpiry(events: Events, definitions: () => readonly ApiDefinition[]): ExpiryWatch
  readonly identityAdapters: Required<Pick<EngineOptions, 'tokenVerifier' | 'certificates' | 'fetch'>>
}

export function createSecurity(
  { config, upstream, clock, log, lifecycle }: Platform,
  { store, signals }: Storage,
): Security {
  const { privateCertificateEncodingSecret: own } = config.security
  const codec = makeNodePemCodec({ secret: own === '' ? config.secret : own })
  const certificates = makeCertificateStore({ store, signals, clock, log, codec })
  const { fetch, close } = lazyFetch(config.privateUrls === 'forbid')
  lifecycle.onClose(close)
  lifecycle.onClose(() => certificates.close())
  // Subscribed after the certificate store, so the store is up to date when the next upstream connection reads it.
  signals.subscribe((signal) => {
    if (signal.kind === 'certificate-changed') upstream.forgetCertificate?.(signal.id)
    else if (signal.kind === 'gap') upstream.forgetCertificate?.()
  })
  const files = makePemFiles(clock)
  const findPem: FindPem = async (name) =>
    isCertificateId(name) ? (await certificates.get(name))?.pem : files.read(name)
  const { warningThresholdDays, checkCooldownSeconds, eventCooldownSeconds } = config.security.certificateExpiryMonitor
  return {
    certificates,
    findPem,
    watchExpiry: (events, definitions) =>
      makeExpiryWatch({
        ...{ clock, log, events },
        records: store.records,
        uses: () => [...usesOf(config), ...definitions().flatMap(usesOfApi)],
        async details(name) {
          const pem = await findPem(name)
          const contents = pem === undefined ? undefined : codec.read(pem)
          return contents === undefined || 'problem' in contents ? undefined : contents.details
        },
        warningMs: orElse(warningThresholdDays, 30) * 86_400_000,
        checkEveryMs: orElse(checkCooldownSeconds, 3600) * 1000,
        reportEveryMs: orElse(eventCooldownSeconds, 86_400) * 1000,
      }),
    identityAdapters: {
      tokenVerifier: fastJwtVerifier,
      certificates: makeNodeCertificates({ stored: (id) => when(certificates.get(id), (found) => found?.pem) }),
      fetch,
    },
  }
}

/**
 * Fetches the key documents of token issuers. The HTTP client is loaded at the first fetch, since most gateways never
 * fetch one. `publicOnly`: from public addresses only.
 */
function lazyFetch(publicOnly: boolean): { fetch: NonNullable<EngineOptions['fetch']>; close(): Promise<void> } {
  const load = () => import('@turnpike/upstream/fetch').then(({ makeUndiciFetch }) => makeUndiciFetch({ publicOnly }))
  let loading: ReturnType<typeof load> | undefined
  const client = () => {
    loading ??= load()
    return loading
  }
  return {
    fetch: {
      get: async (url, options) => (await client()).get(url, options),
      postForm: async (url, form, options) => (await client()).postForm(url, form, options),
    },
    async close() {
      await (await loading)?.close()
    },
  }
}

function usesOf({ security, httpServerOptions }: GatewayConfig): CertificateUse[] {
  return named(undefined, {
    client: security.certificates.apis,
    upstream: Object.values(security.certificates.upstream ?? {}),
    server: httpServerOptions.sslCertificates,
  })
}

function usesOfApi(api: ApiDefinition): CertificateUse[] {
  const { document } = api
  return named(api, {
    client: document.useMutualTlsAuth ? document.clientCertificates : [],
    upstream: document.upstreamCertificatesDisabled ? [] : Object.values(document.upstreamCertificates ?? {}),
    server: document.certificates,
  })
}

function named(
  api: ApiDefinition | undefined,
  byRole: Readonly<Record<CertificateUse['role'], readonly string[] | null>>,
): CertificateUse[] {
  const roles = ['client', 'upstream', 'server'] as const
  return roles.flatMap((role) => (byRole[role] ?? []).map((name) => ({ name, role, api })))
}
