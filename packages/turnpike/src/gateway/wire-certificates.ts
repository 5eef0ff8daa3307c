/**
 * Certificates of one gateway: the store of those that were uploaded, and how all who name one (connections to
 * upstreams, the gateway's own TLS) come by its text.
 */
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
  /** Text behind an id or a file's path, with the private key where there is one. */
  readonly findPem: FindPem
  /** Tells of certificates that expire: those of the configuration, and those of these definitions. */
  watchExpiry(events: Events, definitions: () => readonly ApiDefinition[]): ExpiryWatch
}

export async function wireCertificates({
  config,
  upstream,
  ...dependencies
}: CertificateDependencies): Promise<WiredCertificates> {
  const [{ makeNodePemCodec }, { makePemFiles }] = await Promise.all([
    import('@turnpike/adapters/pem-codec-node'),
    import('@turnpike/adapters/pem-files'),
  ])
  const { privateCertificateEncodingSecret: own } = config.security
  const codec = makeNodePemCodec({ secret: own === '' ? config.secret : own })
  const certificates = makeCertificateStore({ ...dependencies, codec })
  // Behind the store's own ear for signals, so that the next connection already gets what is true now.
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
        tellEveryMs: orElse(eventCooldownSeconds, 86_400) * 1000,
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
