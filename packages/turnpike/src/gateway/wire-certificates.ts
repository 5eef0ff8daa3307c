/**
 * Certificates of one gateway: the store of uploaded certificates, and the lookup of PEM texts by id or file path for
 * upstream connections and the gateway's own TLS.
 */
import { makeNodePemCodec } from '@turnpike/adapters/pem-codec-node'
import { makePemFiles } from '@turnpike/adapters/pem-files'
import {
  type ApiDefinition,
  type CertificateStore,
  type CertificateUse,
  type Clock,
  type Events,
  type ExpiryWatch,
  isCertificateId,
  type Log,
  makeCertificateStore,
  makeExpiryWatch,
  type Signals,
  type Store,
  type Upstream,
} from '@turnpike/core'
import type { GatewayConfig } from '../config/config-shape.ts'
import type { FindPem } from './wire-basics.ts'

export interface CertificateDependencies {
  readonly config: GatewayConfig
  readonly store: Store
  readonly signals: Signals
  readonly clock: Clock
  readonly log: Log
  readonly upstream: Upstream
}

export interface WiredCertificates {
  readonly certificates: CertificateStore
  /** Returns the PEM text of an id or a file path, including the private key if the text has one. */
  readonly findPem: FindPem
  /** Fires events for certificates of the configuration and of `definitions` that expire soon. */
  watchExpiry(events: Events, definitions: () => readonly ApiDefinition[]): ExpiryWatch
}

export function wireCertificates({ config, upstream, ...dependencies }: CertificateDependencies): WiredCertificates {
  const { privateCertificateEncodingSecret: own } = config.security
  const codec = makeNodePemCodec({ secret: own === '' ? config.secret : own })
  const certificates = makeCertificateStore({ ...dependencies, codec })
  // Subscribed after the certificate store, so the store is up to date when the next upstream connection reads it.
  dependencies.signals.subscribe((signal) => {
    if (signal.kind === 'certificate-changed') upstream.forgetCertificate?.(signal.id)
    else if (signal.kind === 'gap') upstream.forgetCertificate?.()
  })
  const files = makePemFiles(dependencies.clock)
  const findPem: FindPem = async (name) =>
    isCertificateId(name) ? (await certificates.get(name))?.pem : files.read(name)
  const { warningThresholdDays, checkCooldownSeconds, eventCooldownSeconds } = config.security.certificateExpiryMonitor
  return {
    certificates,
    findPem,
    watchExpiry: (events, definitions) =>
      makeExpiryWatch({
        clock: dependencies.clock,
        log: dependencies.log,
        events,
        records: dependencies.store.records,
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
  }
}

const orElse = (value: number, byDefault: number) => (value > 0 ? value : byDefault)

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
