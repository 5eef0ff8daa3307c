/**
 * `cache_mode: "rfc9111"`: stores responses as the upstream sent them, and replaces a 304 of a revalidation, or an error
 * where allowed, by the stored response. See `5-respond/cache-read-rfc9111.ts`.
 */

import type { CachePlan, RevalidationPlan } from '../../cache/cache-plan.ts'
import { readCacheControl } from '../../cache/rfc9111/cache-control.ts'
import { changedKeys, type SentUrl } from '../../cache/rfc9111/changed-urls.ts'
import { refersTo, updatedHeaders } from '../../cache/rfc9111/conditions.ts'
import { combine, partOf } from '../../cache/rfc9111/partial-responses.ts'
import { isStrong } from '../../cache/rfc9111/ranges.ts'
import { type CachePolicy, storedFrom, withDate } from '../../cache/rfc9111/received-response.ts'
import { isServerError, mayReplaceError } from '../../cache/rfc9111/reuse.ts'
import { isStorable } from '../../cache/rfc9111/storable.ts'
import { listUsefulMs, variantFor, withVariant } from '../../cache/rfc9111/vary.ts'
import { cancelBody } from '../../http/byte-stream.ts'
import { entityTagOf } from '../../http/entity-tag.ts'
import type { HeaderPairs } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { when } from '../../lib/maybe.ts'
import type { StoredResponse } from '../../ports/stored-response.ts'
import { cacheMarkerOf } from '../5-respond/cache-read-configured.ts'
import { cacheModeOf, targetHeadersOf, timeoutOf } from '../5-respond/cache-read-rules.ts'
import { serveStored } from '../5-respond/serve-stored.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeResponseStage } from '../contract/stage.ts'
import { keepBody, quietly } from './write-cache.ts'

export const makeCacheWriteRfc9111: MakeResponseStage = (compileContext) => {
  if (cacheModeOf(compileContext) !== 'rfc9111') return null
  const { services, api } = compileContext
  const { responses } = services.store
  const { clock, settings } = services
  const policy: CachePolicy = {
    maxHeuristicMs: Math.max(0, timeoutOf(compileContext)) * 1000,
    targets: targetHeadersOf(compileContext),
    marker: cacheMarkerOf(compileContext),
  }
  const { marker, targets } = policy

  const forget = ({ name }: { readonly name: string }) =>
    quietly(services, api.id, () => responses.remove(api.id, name))

  /**
   * Inserts a response before the variants that are stored under its key. `make` gets the response that it replaces, and
   * `update` converts the others.
   */
  const store = (
    plan: RevalidationPlan,
    make: (known: StoredResponse | undefined) => StoredResponse,
    update?: (other: StoredResponse) => StoredResponse,
  ) =>
    quietly(services, api.id, () =>
      when(responses.get(api.id, plan.name), (first) => {
        const now = clock.now()
        const made = make(variantFor(first, plan.selectingHeaders))
        const list = withVariant(first, made, plan.selectingHeaders, now, update)
        return responses.put(api.id, plan.name, list, listUsefulMs(list, now), plan.version)
      }),
    )

  const mayStore = (plan: RevalidationPlan, status: number, headers: HeaderPairs) =>
    isStorable(status, headers, readCacheControl(headers, targets), plan.authenticated)

  /** Stores a complete or partial response once its body is complete. */
  const keep = (plan: RevalidationPlan, response: GatewayResponse): GatewayResponse => {
    const { status } = response
    const sent = { ...plan, receivedAt: clock.now() }
    const headers = withDate(response.headers, sent.receivedAt)
    return keepBody(response, services, (body) => {
      if (status !== 206) return store(plan, () => storedFrom({ status, headers, body }, sent, policy))
      const part = body === undefined ? undefined : partOf(headers, body.length)
      if (body === undefined || part === undefined) return
      store(plan, (known) => {
        const combined = combine(known, { headers, body, part }, settings.cache.maxBodyBytes)
        const message = combined ?? { headers, body, part }
        return storedFrom({ ...message, status: message.part === undefined ? 200 : 206 }, sent, policy)
      })
    })
  }

  /**
   * The upstream confirmed the stored response: updates and serves it. A strong entity tag confirms all variants that have
   * it (RFC 9111, 3.2 and 4.3.4).
   */
  const freshen = (context: RequestContext, plan: RevalidationPlan, stale: StoredResponse, headers: HeaderPairs) => {
    const now = clock.now()
    if (!refersTo(stale, headers)) {
      forget(plan)
      return serveStored(context, stale, marker, now)
    }
    const dated = withDate(headers, now)
    const renew = (stored: StoredResponse, selectingHeaders: HeaderPairs) =>
      storedFrom(
        { ...stored, headers: updatedHeaders(stored.headers, dated) },
        { ...plan, receivedAt: now, selectingHeaders },
        policy,
      )
    const renewed = renew(stale, plan.selectingHeaders)
    const tag = entityTagOf(headers)
    const update = (other: StoredResponse) =>
      isStrong(tag) && other.etag === tag ? renew(other, other.origin?.selectedBy.slice() ?? []) : other
    if (mayStore(plan, stale.status, renewed.headers.slice())) store(plan, () => renewed, update)
    else forget(plan)
    return serveStored(context, renewed, marker, now)
  }

  const settle = (context: RequestContext, plan: RevalidationPlan, response: GatewayResponse): GatewayResponse => {
    const { stale } = plan
    const { status, headers } = response
    if (status === 304 && stale !== undefined && plan.revalidating) {
      cancelBody(response.body, new Error('a stored response is served'))
      return freshen(context, plan, stale, headers)
    }
    const now = clock.now()
    if (isServerError(status) && stale?.origin !== undefined && mayReplaceError(stale.origin, plan.control, now)) {
      cancelBody(response.body, new Error('a stored response is served'))
      return serveStored(context, stale, marker, now)
    }
    if (plan.storable && mayStore(plan, status, headers)) return keep(plan, response)
    // The new response replaces the stored one but may not be stored itself.
    if (stale !== undefined && status < 500) forget(plan)
    return response
  }

  return {
    run(context, response) {
      const plan: CachePlan | undefined = context.cachePlan
      if (plan?.kind === 'rfc9111') return settle(context, plan, response)
      if (plan?.kind === 'rfc9111-unsafe' && response.status >= 200 && response.status < 400) {
        forget(plan)
        for (const name of changedKeys(plan.name, sentUrlOf(context), response.headers)) forget({ name })
      }
      return response
    },
  }
}

function sentUrlOf({ upstreamOrigin, upstreamPath, outgoing }: RequestContext): SentUrl {
  return {
    origin: upstreamOrigin,
    pathAndQuery: upstreamPath,
    keyPath: outgoing.path,
    keyOrigin: outgoing.target,
  }
}
