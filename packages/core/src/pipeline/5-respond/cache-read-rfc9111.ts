/**
 * `cache_mode: "rfc9111"`: a shared cache between gateway and upstream, controlled by their headers. It stores responses
 * as the upstream sent them, so the stages of phase 6 run for each cached response. Clients share responses only if
 * RFC 9111 allows it. `cache_options` and the path lists select the requests (without entries, all GET and HEAD), and
 * `cache_timeout` limits heuristic lifetimes.
 */
import { clientLine, requestLine, versionLine } from '../../cache/cache-key.ts'
import { routingLines } from '../../cache/one-client.ts'
import { type CacheControl, readRequestControl } from '../../cache/rfc9111/cache-control.ts'
import { needsUpstream } from '../../cache/rfc9111/conditions.ts'
import { makeRefreshLeases } from '../../cache/rfc9111/refresh-lease.ts'
import { decideReuse, mayReplaceError } from '../../cache/rfc9111/reuse.ts'
import { hasValidator, variantFor } from '../../cache/rfc9111/vary.ts'
import { type Rejection, rejections } from '../../http/errors.ts'
import { type HeaderPairs, headerOf, removeHeader, setHeader } from '../../http/headers.ts'
import { isPromise, type Maybe, when } from '../../lib/maybe.ts'
import type { CacheVersion } from '../../ports/store.ts'
import type { StoredResponse } from '../../ports/stored-response.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeStage, Outcome } from '../contract/stage.ts'
import { cacheMarkerOf } from './cache-read.ts'
import { cacheModeOf, compileCachePaths } from './cache-read-rules.ts'
import { serveStored } from './serve-stored.ts'

export const makeCacheReadRfc9111: MakeStage = (compileContext) => {
  if (cacheModeOf(compileContext) !== 'rfc9111') return null
  const takesPart = compileCachePaths(compileContext)
  const { api, services, version } = compileContext
  const { clock, store } = services
  const marker = cacheMarkerOf(compileContext)
  const keepsHost = api.document.proxy.preserveHostHeader
  const leases = makeRefreshLeases()

  /** The URL for the upstream. GET, HEAD and the unsafe methods that invalidate them share the name. */
  const nameOf = ({ outgoing }: RequestContext): string =>
    requestLine('GET', (outgoing.target ?? '') + outgoing.path, outgoing.query) +
    versionLine(version.name) +
    routingLines(outgoing.headers, keepsHost) +
    clientLine('*')

  const decide = (context: RequestContext, name: string, known: StoredResponse | undefined): Maybe<Outcome> => {
    const { request, outgoing, trace } = context
    const control = readRequestControl(request.headers)
    const now = clock.now()
    const variant = variantFor(known, outgoing.headers)
    if (variant?.origin !== undefined) {
      const reuse = decideReuse(variant.origin, control, now)
      if (reuse === 'serve' || (reuse === 'serve-while-revalidating' && !leases.tryAcquire(name, now))) {
        trace?.note('in the cache')
        return serveStored(context, variant, marker, now)
      }
    }
    if (control.onlyIfCached) return rejections.onlyIfCached
    trace?.note(variant === undefined ? 'not in the cache' : 'in the cache, but stale')
    if (trace?.dry || headerOf(request.headers, 'range') !== undefined) return undefined
    return when(store.responses.version(api.id), (version) => plan(context, name, version, variant, control))
  }

  const plan = (
    context: RequestContext,
    name: string,
    version: CacheVersion,
    stale: StoredResponse | undefined,
    control: CacheControl,
  ): undefined => {
    const { request, outgoing, key } = context
    context.cachePlan = {
      kind: 'rfc9111',
      name,
      version,
      requestedAt: clock.now(),
      stale,
      revalidating: stale !== undefined && hasValidator(stale),
      storable: request.method === 'GET' && !control.noStore,
      authenticated: key !== undefined || request.clientCertificate !== undefined || namesSomebody(outgoing.headers),
      // A copy, because conditional and forwarding headers are added later.
      selectingHeaders: outgoing.headers.slice(),
    }
    if (stale === undefined) return undefined
    if (hasValidator(stale)) askAbout(context, stale)
    context.rescue = (rejection: Rejection) => {
      const now = clock.now()
      const helps = rejection.source === 'upstream' && stale.origin !== undefined && mayReplaceError(stale.origin, now)
      return helps ? serveStored(context, stale, marker, now) : undefined
    }
    return undefined
  }

  return {
    name: 'cache-read-rfc9111',
    phase: '5-respond',
    run(context) {
      const { request, outgoing } = context
      // The body of a GraphQL request selects the response, and keys of this cache do not contain bodies.
      if (context.graphql !== undefined) return undefined
      // A looped request is cached by the API that it goes to.
      if (context.loop !== undefined || request.upgrade !== undefined || !takesPart(context)) return undefined
      if (isUnsafe(outgoing.method) || isUnsafe(request.method)) {
        if (!context.trace?.dry) context.cachePlan = { kind: 'rfc9111-unsafe', name: nameOf(context) }
        return undefined
      }
      const { method } = outgoing
      if (method !== request.method || (method !== 'GET' && method !== 'HEAD')) return undefined
      if (request.body !== undefined || outgoing.body !== undefined || needsUpstream(request.headers)) return undefined
      const name = nameOf(context)
      const known = store.responses.get(api.id, name)
      if (isPromise(known)) return known.then((found) => decide(context, name, found))
      return decide(context, name, known)
    },
  }
}

/** Makes the request conditional (RFC 9111 section 4.3.1). The conditions of the client are evaluated afterwards. */
function askAbout({ outgoing }: RequestContext, { etag, origin }: StoredResponse): void {
  const headers = outgoing.ownHeaders()
  removeHeader(headers, 'if-none-match')
  removeHeader(headers, 'if-modified-since')
  if (etag !== undefined) setHeader(headers, 'if-none-match', etag)
  if (origin?.lastModified !== undefined) setHeader(headers, 'if-modified-since', origin.lastModified)
}

function namesSomebody(headers: HeaderPairs): boolean {
  return headerOf(headers, 'authorization') !== undefined || headerOf(headers, 'cookie') !== undefined
}

function isUnsafe(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS' && method !== 'TRACE'
}
