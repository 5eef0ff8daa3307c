/**
 * `cache_mode: "rfc9111"`: a shared cache between gateway and upstream, controlled by their headers. It stores
 * responses as the upstream sent them, so the stages of phase 6 run for each cached response. Clients share responses
 * only if RFC 9111 allows it. `cache_options` and the path lists select the requests (without entries, all GET and
 * HEAD), and `cache_timeout` limits heuristic lifetimes. If the upstream sends no response, `context.rescue` serves a
 * stale one where `stale-if-error` allows it.
 */
import { clientLine, requestLine, versionLine } from '../../cache/cache-key.ts'
import type { RevalidationPlan } from '../../cache/cache-plan.ts'
import { routingLines } from '../../cache/client-specific-responses.ts'
import { CollapsedMisses, type Miss } from '../../cache/collapsed-misses.ts'
import { type CacheControl, readRequestControl } from '../../cache/rfc9111/cache-control.ts'
import { needsUpstream } from '../../cache/rfc9111/conditions.ts'
import { contains, parseRange, requestedRange } from '../../cache/rfc9111/ranges.ts'
import { decideReuse, mayReplaceError } from '../../cache/rfc9111/reuse.ts'
import { hasValidator, variantFor } from '../../cache/rfc9111/vary.ts'
import { type HeaderPairs, headerOf, removeHeader, setHeader } from '../../http/headers.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import type { StoredResponse } from '../../ports/stored-response.ts'
import { cacheMarkerOf, cacheModeOf, compileCachePaths } from '../cache/cache-rules.ts'
import { serveStored } from '../cache/serve-stored.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeStage, Outcome } from '../contract/stage.ts'
import { makeRefresh, type Refresh } from './refresh-in-background.ts'

export const makeCacheReadRfc9111: MakeStage = (compileContext) => {
  if (cacheModeOf(compileContext) !== 'rfc9111') return null
  const takesPart = compileCachePaths(compileContext)
  const { api, services } = compileContext
  const { responses } = services.store
  const misses = new CollapsedMisses(services.clock)
  const cache: ApiCache = { compileContext, marker: cacheMarkerOf(compileContext), misses, refresh: undefined }
  return {
    withoutStore: 'continues',
    useRest(rest) {
      cache.refresh = makeRefresh(compileContext, rest)
    },
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
      return when(responses.get(api.id, name), (found) => decide(cache, context, name, found))
    },
  }
}

/** The cache of one API. */
interface ApiCache {
  readonly compileContext: CompileContext
  /** Name of the header that marks cached responses. */
  readonly marker: string
  readonly misses: CollapsedMisses
  /** Set when the chain is complete. */
  refresh: Refresh | undefined
}

/** The URL for the upstream. GET, HEAD and the unsafe methods that invalidate them share the name. */
function nameOf({ outgoing, api, version }: RequestContext): string {
  return (
    requestLine('GET', (outgoing.target ?? '') + outgoing.path, outgoing.query) +
    versionLine(version.name) +
    routingLines(outgoing.headers, api.document.proxy.preserveHostHeader) +
    clientLine('*')
  )
}

function decide(
  cache: ApiCache,
  context: RequestContext,
  name: string,
  known: StoredResponse | undefined,
  mayWait = true,
): Maybe<Outcome> {
  const { request, outgoing, trace } = context
  const control = readRequestControl(request.headers)
  const now = cache.compileContext.services.clock.now()
  const stored = variantFor(known, outgoing.headers)
  const usable = stored !== undefined && containsRequested(context, stored) ? stored : undefined
  if (usable?.origin !== undefined) {
    const reuse = decideReuse(usable.origin, control, now)
    if (reuse !== 'revalidate') {
      trace?.note('in the cache')
      if (reuse === 'serve-while-revalidating' && !trace?.dry) startRefresh(cache, context, name, usable, control)
      return serveStored(context, usable, cache.marker, now)
    }
  }
  if (control.onlyIfCached) return rejections.onlyIfCached
  trace?.note(usable === undefined ? 'not in the cache' : 'in the cache, but stale')
  if (trace?.dry || asksForSeveralRanges(outgoing.headers)) return undefined
  // A looped request could wait for itself.
  const joins = mayWait && usable === undefined && context.loopLevel === 0 && mayBeStored(context, control)
  const joined = joins ? cache.misses.join(name) : undefined
  if (!(joined instanceof Promise)) return planRequest(cache, context, name, usable, control, joined)
  const { api, services } = cache.compileContext
  return joined.then(() =>
    when(services.store.responses.get(api.id, name), (found) => decide(cache, context, name, found, false)),
  )
}

function startRefresh(
  cache: ApiCache,
  context: RequestContext,
  name: string,
  stale: StoredResponse,
  control: CacheControl,
): void {
  cache.refresh?.(context, name, (background) => {
    const headers = background.outgoing.ownHeaders()
    for (const condition of ['if-none-match', 'if-modified-since', 'if-range']) removeHeader(headers, condition)
    if (stale.part === undefined) removeHeader(headers, 'range')
    return planRequest(cache, background, name, stale, control)
  })
}

function planRequest(
  { compileContext: { api, services }, marker }: ApiCache,
  context: RequestContext,
  name: string,
  stale: StoredResponse | undefined,
  control: CacheControl,
  miss?: Miss | undefined,
): Maybe<undefined> {
  const { clock, store } = services
  return when(store.responses.version(api.id), (version) => {
    context.cachePlan = planOf(context, { name, version, stale, control, miss, requestedAt: clock.now() })
    if (stale === undefined) return undefined
    if (hasValidator(stale)) askAbout(context, stale)
    context.rescue = (rejection: Rejection) => {
      const now = clock.now()
      if (rejection.source !== 'upstream' || stale.origin === undefined) return undefined
      return mayReplaceError(stale.origin, control, now) ? serveStored(context, stale, marker, now) : undefined
    }
    return undefined
  })
}

/** Describes the request for the stage that stores the response. */
function planOf(
  context: RequestContext,
  known: Pick<RevalidationPlan, 'name' | 'version' | 'stale' | 'control' | 'miss' | 'requestedAt'>,
): RevalidationPlan {
  const { request, outgoing, key } = context
  return {
    kind: 'rfc9111',
    ...known,
    revalidating: known.stale !== undefined && hasValidator(known.stale),
    storable: mayBeStored(context, known.control),
    authenticated: key !== undefined || request.clientCertificate !== undefined || namesSomebody(outgoing.headers),
    // A copy, because conditional and forwarding headers are added later.
    selectingHeaders: outgoing.headers.slice(),
  }
}

function mayBeStored({ request }: RequestContext, control: CacheControl): boolean {
  return request.method === 'GET' && !control.noStore
}

/** Whether the stored response contains everything that the request selects: a part contains only some ranges. */
function containsRequested({ request, outgoing }: RequestContext, stored: StoredResponse): boolean {
  return contains(stored, request.method === 'GET' ? requestedRange(outgoing.headers, stored) : undefined)
}

function asksForSeveralRanges(headers: HeaderPairs): boolean {
  const range = headerOf(headers, 'range')
  return range !== undefined && parseRange(range) === undefined
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
