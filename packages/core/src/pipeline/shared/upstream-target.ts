/**
 * The target URL of an API, parsed once when the API is compiled, and the options of its connections: TLS settings of the
 * definition, otherwise of the gateway; certificates and pinned keys by host (docs/reference/api-definition.md#proxy,
 * docs/reference/certificates.md#certificate-use).
 */
import { escapePath } from '../../lib/text/escape-path.ts'
import type { UpstreamTlsSettings } from '../../ports/settings.ts'
import type { UpstreamOptions, UpstreamTls } from '../../ports/upstream.ts'
import { hostName } from '../../route/host-table.ts'
import type { CompileContext } from '../contract/stage.ts'
import type { Target } from '../contract/target.ts'

/**
 * Splits a target URL; `undefined` if it is invalid or has another scheme than http, https, h2c, ws or wss. A WebSocket
 * begins as an HTTP request (RFC 6455 section 3), so ws and wss are http and https.
 */
export function parseTarget(url: string): { origin: string; host: string; path: string; query: string } | undefined {
  // The WHATWG URL parser would normalise the path, but paths are sent exactly as configured.
  const match = /^(https?|h2c|wss?):\/\/([^/?#]+)([^?#]*)(?:\?([^#]*))?/i.exec(url)
  if (match === null) return undefined
  const scheme = (match[1] as string).toLowerCase().replace(/^ws/, 'http')
  const authority = (match[2] as string).slice((match[2] as string).lastIndexOf('@') + 1)
  if (!isAuthority(authority)) return undefined
  return { origin: `${scheme}://${authority}`, host: authority, path: match[3] ?? '', query: match[4] ?? '' }
}

function isAuthority(text: string): boolean {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^\s:[\]\\^|"<>`{}%]+)(?::(\d{1,5}))?$/.exec(text)
  return match !== null && Number(match[2] ?? 0) <= 65_535
}

/** Makes the target of a URL, with its connection pool. */
export function makeTarget(url: string, compileContext: CompileContext): Target | undefined {
  const { api, services } = compileContext
  const parts = parseTarget(url)
  if (parts === undefined) return undefined
  const trimmed = parts.path.endsWith('/') ? parts.path.slice(0, -1) : parts.path
  return {
    link: services.upstream.connect(parts.origin, upstreamOptions(parts.origin, parts.host, compileContext)),
    origin: parts.origin,
    host: parts.host,
    basePath: trimmed,
    rootPath: (api.document.proxy.disableStripSlash ? parts.path : trimmed) || '/',
    ownPath: parts.path || '/',
    query: parts.query,
  }
}

/** Returns path and query for the upstream. An empty path means the target URL itself. */
export function pathForUpstream(target: Target, path: string, query: string, escapes: boolean): string {
  const joined = path === '' ? target.ownPath : path === '/' ? target.rootPath : target.basePath + path
  const whole = escapes ? escapePath(joined) : joined
  if (target.query === '') return query === '' ? whole : `${whole}?${query}`
  return query === '' ? `${whole}?${target.query}` : `${whole}?${target.query}&${query}`
}

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
