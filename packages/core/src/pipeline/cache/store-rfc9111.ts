/**
 * What the cache does with a response of the upstream under `cache_mode: "rfc9111"`: stores it as the upstream sent it,
 * or replaces a 304 of a revalidation, or an error where allowed, by the stored response.
 */

import type { RevalidationPlan } from '../../cache/cache-plan.ts'
import { readCacheControl } from '../../cache/rfc9111/cache-control.ts'
import { changedKeys, type SentUrl } from '../../cache/rfc9111/changed-urls.ts'
import { refersTo, updatedHeaders } from '../../cache/rfc9111/conditions.ts'
import { combine, partOf } from '../../cache/rfc9111/partial-responses.ts'
import { isStrong } from '../../cache/rfc9111/ranges.ts'
import { isServerError, mayReplaceError } from '../../cache/rfc9111/reuse.ts'
import { isStorable } from '../../cache/rfc9111/storable.ts'
import { type CachePolicy, storedFrom, withDate } from '../../cache/rfc9111/to-stored-response.ts'
import { listUsefulMs, variantFor, withVariant } from '../../cache/rfc9111/vary.ts'
import { cancelBody } from '../../http/byte-stream.ts'
import { entityTagOf } from '../../http/entity-tag.ts'
import type { HeaderPairs } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { when } from '../../lib/maybe.ts'
import type { StoredResponse } from '../../ports/stored-response.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext } from '../contract/stage.ts'
import type { StageServices } from '../contract/stage-services.ts'
import { cacheMarkerOf, targetHeadersOf, timeoutOf } from './cache-rules.ts'
import { serveStored } from './serve-stored.ts'
import { keepBody, quietly } from './write-cache.ts'

/** The cache of one API, and what it may store. */
export interface ApiCache {
  readonly services: StageServices
  readonly apiId: string
  readonly policy: CachePolicy
}

export function makeApiCache(compileContext: CompileContext): ApiCache {
  const policy: CachePolicy = {
    maxHeuristicMs: Math.max(0, timeoutOf(compileContext)) * 1000,
    targets: targetHeadersOf(compileContext),
    marker: cacheMarkerOf(compileContext),
  }
  return { services: compileContext.services, apiId: compileContext.api.id, policy }
}

/** Stores the response where allowed. Returns the response to send: the given one or a stored one. */
export function settleResponse(
  cache: ApiCache,
  context: RequestContext,
  plan: RevalidationPlan,
  response: GatewayResponse,
): GatewayResponse {
  const { stale } = plan
  const { status, headers } = response
  if (status === 304 && stale !== undefined && plan.revalidating) {
    cancelBody(response.body, new Error('a stored response is served'))
    return freshen(cache, context, plan, stale, headers)
  }
  const now = cache.services.clock.now()
  if (isServerError(status) && stale?.origin !== undefined && mayReplaceError(stale.origin, plan.control, now)) {
    cancelBody(response.body, new Error('a stored response is served'))
    return serveStored(context, stale, cache.policy.marker, now)
  }
  if (plan.storable && mayStore(cache, plan, status, headers)) return keep(cache, plan, response)
  // The new response replaces the stored one but may not be stored itself.
  if (stale !== undefined && status < 500) forget(cache, plan.name)
  plan.miss?.end(status < 500 ? 'unshared' : 'failed')
  return response
}

/**
 * The upstream confirmed the stored response: updates and serves it. A strong entity tag confirms all variants that
 * have it (RFC 9111, 3.2 and 4.3.4).
 */
function freshen(
  cache: ApiCache,
  context: RequestContext,
  plan: RevalidationPlan,
  stale: StoredResponse,
  headers: HeaderPairs,
): GatewayResponse {
  const { marker } = cache.policy
  const now = cache.services.clock.now()
  if (!refersTo(stale, headers)) {
    forget(cache, plan.name)
    return serveStored(context, stale, marker, now)
  }
  const dated = withDate(headers, now)
  const renew = (stored: StoredResponse, selectingHeaders: HeaderPairs) =>
    storedFrom(
      { ...stored, headers: updatedHeaders(stored.headers, dated) },
      { ...plan, receivedAt: now, selectingHeaders },
      cache.policy,
    )
  const renewed = renew(stale, plan.selectingHeaders)
  const tag = entityTagOf(headers)
  const update = (other: StoredResponse) =>
    isStrong(tag) && other.etag === tag ? renew(other, other.origin?.selectedBy.slice() ?? []) : other
  if (mayStore(cache, plan, stale.status, renewed.headers.slice())) store(cache, plan, () => renewed, update)
  else forget(cache, plan.name)
  return serveStored(context, renewed, marker, now)
}

/** Stores a complete or partial response once its body is complete. */
function keep(cache: ApiCache, plan: RevalidationPlan, response: GatewayResponse): GatewayResponse {
  const { services, policy } = cache
  const { status } = response
  const sent = { ...plan, receivedAt: services.clock.now() }
  const headers = withDate(response.headers, sent.receivedAt)
  const discard = () => plan.miss?.end('unshared')
  const keepWhole = (body: Uint8Array | undefined) => {
    if (status !== 206) {
      store(cache, plan, () => storedFrom({ status, headers, body }, sent, policy))
      return
    }
    const part = body === undefined ? undefined : partOf(headers, body.length)
    if (body === undefined || part === undefined) {
      discard()
      return
    }
    store(cache, plan, (known) => {
      const combined = combine(known, { headers, body, part }, services.settings.cache.maxBodyBytes)
      const message = combined ?? { headers, body, part }
      return storedFrom({ ...message, status: message.part === undefined ? 200 : 206 }, sent, policy)
    })
  }
  return keepBody(response, services, keepWhole, discard)
}

function mayStore({ policy }: ApiCache, plan: RevalidationPlan, status: number, headers: HeaderPairs): boolean {
  return isStorable(status, headers, readCacheControl(headers, policy.targets), plan.authenticated)
}

/**
 * Inserts a response before the variants that are stored under its key. `make` gets the response that it replaces, and
 * `update` converts the others.
 */
function store(
  { services, apiId }: ApiCache,
  plan: RevalidationPlan,
  make: (known: StoredResponse | undefined) => StoredResponse,
  update?: (other: StoredResponse) => StoredResponse,
): void {
  const { responses } = services.store
  const insert = () =>
    when(responses.get(apiId, plan.name), (first) => {
      const now = services.clock.now()
      const made = make(variantFor(first, plan.selectingHeaders))
      const list = withVariant(first, made, plan.selectingHeaders, now, update)
      return responses.put(apiId, plan.name, list, listUsefulMs(list, now), plan.version)
    })
  quietly(services, apiId, insert, plan.miss)
}

/** Removes what a successful unsafe request may have changed (RFC 9111, 4.4). */
export function invalidate(cache: ApiCache, context: RequestContext, name: string, headers: HeaderPairs): void {
  forget(cache, name)
  for (const changed of changedKeys(name, sentUrlOf(context), headers)) forget(cache, changed)
}

function forget({ services, apiId }: ApiCache, name: string): void {
  quietly(services, apiId, () => services.store.responses.remove(apiId, name))
}

function sentUrlOf({ upstreamOrigin, upstreamPath, outgoing }: RequestContext): SentUrl {
  return {
    origin: upstreamOrigin,
    pathAndQuery: upstreamPath,
    keyPath: outgoing.path,
    keyOrigin: outgoing.target,
  }
}
