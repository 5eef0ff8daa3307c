/** Attributes of spans and metrics by the semantic conventions of OpenTelemetry for HTTP. */
import { type GatewayRequest, headerOf, httpVersionOf } from '@turnpike/core/http'
import { clientAddressOfRequest, type SpannedContext } from '@turnpike/core/pipeline'
import type { GatewaySettings, OutgoingCall } from '@turnpike/core/ports'
import type { Attributes } from './span-data.ts'

const knownMethods: ReadonlySet<string> = new Set([
  ...['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH', 'QUERY'],
])

/** Unknown methods are one value, because a client can invent any number. */
export function methodOf(method: string): string {
  return knownMethods.has(method) ? method : '_OTHER'
}

/** The name of a span is a value that repeats, so it contains no unknown method. */
export function spanNameOf(method: string, route: string | undefined): string {
  const name = knownMethods.has(method) ? method : 'HTTP'
  return route === undefined ? name : `${name} ${route}`
}

/** Host and port of an authority. `port` is `undefined` if the authority has none. */
export function splitAuthority(authority: string): { host: string; port: number | undefined } {
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(authority) ?? []
  return { host: bracketed ?? plain ?? authority, port: port === undefined ? undefined : Number(port) }
}

export interface ServedFacts {
  readonly request: GatewayRequest
  /** Query without credentials; empty: none is shown. */
  readonly query: string
  readonly status: number
  /** Context of the API that the client addressed; `undefined` if no API has the path. */
  readonly context: SpannedContext | undefined
  /** Context of the last API, after loops. */
  readonly last: SpannedContext | undefined
  readonly routing: GatewaySettings['routing']
}

/** Attributes of the span of a request. */
export function serverAttributes(facts: ServedFacts): Attributes {
  const { request, query, status, context, last, routing } = facts
  const { method, headers } = request
  const rejection = context === undefined ? undefined : last?.rejection
  const { host, port } = splitAuthority(headerOf(headers, 'host') ?? '')
  return {
    'http.request.method': methodOf(method),
    'http.request.method_original': knownMethods.has(method) ? undefined : method,
    'url.scheme': request.secure ? 'https' : 'http',
    'url.path': request.path,
    'url.query': query === '' ? undefined : query,
    'http.route': context?.api.listenPath,
    'http.response.status_code': status,
    'server.address': host === '' ? undefined : host,
    'server.port': port,
    'client.address': context?.clientAddress ?? clientAddressOfRequest(request, routing),
    'network.peer.address': request.remoteAddress,
    'network.peer.port': request.remotePort,
    'network.protocol.version': httpVersionOf(request),
    'user_agent.original': headerOf(headers, 'user-agent'),
    'error.type': status >= 500 ? (last?.rejection?.code ?? String(status)) : undefined,
    'turnpike.api.id': context?.api.id,
    'turnpike.api.name': context?.api.name,
    'turnpike.api.version': context?.version.name === '' ? undefined : context?.version.name,
    'turnpike.cache.hit': last?.fromCache ? true : undefined,
    'turnpike.rejection.stage': rejection === undefined ? undefined : last?.rejectedBy,
    'turnpike.rejection.code': rejection?.code,
    'turnpike.rejection.message': rejection?.message.trimEnd(),
  }
}

/**
 * Attributes of the span of a call to an upstream. The query is left out, because it can carry credentials. `status`: 0 if
 * there is no response.
 */
export function callAttributes(
  { method, origin, host, path }: OutgoingCall,
  status: number,
  error: string | undefined,
): Attributes {
  const { host: address, port } = splitAuthority(host)
  const mark = path.indexOf('?')
  return {
    'http.request.method': methodOf(method),
    'http.request.method_original': knownMethods.has(method) ? undefined : method,
    'url.full': origin + (mark === -1 ? path : path.slice(0, mark)),
    'server.address': address,
    'server.port': port ?? (origin.startsWith('https:') ? 443 : 80),
    'http.response.status_code': status === 0 ? undefined : status,
    'error.type': error ?? (status >= 400 ? String(status) : undefined),
  }
}
