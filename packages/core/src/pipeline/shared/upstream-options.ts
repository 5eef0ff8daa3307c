/**
 * Connection options of upstreams: TLS settings of the definition, otherwise of the gateway; certificates and pinned
 * keys by host (docs/reference/api-definition.md#proxy, docs/reference/certificates.md#certificate-use).
 */

import type { UpstreamTlsSettings } from '../../ports/settings.ts'
import type { UpstreamOptions, UpstreamTls } from '../../ports/upstream.ts'
import { hostName } from '../../route/host-table.ts'
import type { CompileContext } from '../contract/stage.ts'

const plainTls: UpstreamTlsSettings = {
  minVersion: 0,
  maxVersion: 0,
  ciphers: [],
  certificates: {},
  pinnedKeys: {},
  checksCommonName: false,
}

/** The part of a compile context that decides the options. */
interface OptionsContext {
  readonly api: CompileContext['api']
  readonly services: Pick<CompileContext['services'], 'settings'>
}

/** Options for one origin; `host` with or without its port. */
export function upstreamOptions(origin: string, host: string, { api, services }: OptionsContext): UpstreamOptions {
  const { upstream } = services.settings
  const { transport } = api.document.proxy
  const tls = origin.startsWith('https:') ? tlsOf(host, api.document, upstream.tls ?? plainTls) : undefined
  return {
    insecure: upstream.insecure || transport.sslInsecureSkipVerify,
    ...(tls === undefined ? {} : { tls }),
    ...(upstream.http2 === true && origin.startsWith('https:') ? { http2: true } : {}),
    ...(transport.proxyUrl === '' ? {} : { proxyUrl: transport.proxyUrl }),
  }
}

function tlsOf(
  host: string,
  document: CompileContext['api']['document'],
  general: UpstreamTlsSettings,
): UpstreamTls | undefined {
  const { transport } = document.proxy
  const minVersion = transport.sslMinVersion || general.minVersion
  const maxVersion = transport.sslMaxVersion || general.maxVersion
  const own = transport.sslCiphers ?? []
  const ciphers = own.length > 0 ? own : general.ciphers
  const certificate =
    (document.upstreamCertificatesDisabled ? undefined : byHost(document.upstreamCertificates, host)) ??
    byHost(general.certificates, host)
  const pinned =
    (document.certificatePinningDisabled ? undefined : byHost(document.pinnedPublicKeys, host)) ??
    byHost(general.pinnedKeys, host)
  const pinnedKeys = listOf(pinned)
  const checksCommonName = transport.sslForceCommonNameCheck || general.checksCommonName
  const tls: UpstreamTls = {
    ...(minVersion > 0 ? { minVersion } : {}),
    ...(maxVersion > 0 ? { maxVersion } : {}),
    ...(ciphers.length > 0 ? { ciphers } : {}),
    ...(certificate === undefined ? {} : { certificate }),
    ...(pinnedKeys.length > 0 ? { pinnedKeys } : {}),
    ...(checksCommonName ? { checksCommonName } : {}),
  }
  return Object.keys(tls).length === 0 ? undefined : tls
}

/** Returns the most specific entry for the host: with port, without port, `*.domain`, `*`. */
export function byHost(entries: Readonly<Record<string, string>> | null, host: string): string | undefined {
  if (entries === null) return undefined
  const lower = new Map(Object.entries(entries).map(([pattern, value]) => [pattern.toLowerCase(), value]))
  const name = hostName(host)
  const dot = name.indexOf('.')
  const patterns = [host.toLowerCase(), name, dot === -1 ? '*' : `*${name.slice(dot)}`, '*']
  for (const pattern of patterns) {
    const value = lower.get(pattern)
    if (value !== undefined && value !== '') return value
  }
  return undefined
}

function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
