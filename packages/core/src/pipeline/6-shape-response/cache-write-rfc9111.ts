/**
 * `cache_mode: "rfc9111"`: stores responses as the upstream sent them, and replaces a 304 of a revalidation, or an error
 * where allowed, by the stored response. See `5-respond/cache-read-rfc9111.ts`.
 */
import type { CachePlan, RevalidationPlan } from '../../cache/cache-plan.ts'
import { readCacheControl } from '../../cache/rfc9111/cache-control.ts'
import { updatedHeaders } from '../../cache/rfc9111/conditions.ts'
import { originFactsOf } from '../../cache/rfc9111/freshness.ts'
import { mayReplaceError } from '../../cache/rfc9111/reuse.ts'
import { isStorable } from '../../cache/rfc9111/storable.ts'
import { listUsefulMs, selectedBy, withVariant } from '../../cache/rfc9111/vary.ts'
import { entityTagOf } from '../../http/entity-tag.ts'
import { type HeaderPairs, removeHeader } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { when } from '../../lib/maybe.ts'
import type { Millis } from '../../ports/clock.ts'
import type { StoredResponse } from '../../ports/stored-response.ts'
import { cacheMarkerOf } from '../5-respond/cache-read.ts'
import { cacheModeOf, timeoutOf } from '../5-respond/cache-read-rules.ts'
import { serveStored } from '../5-respond/serve-stored.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeResponseStage } from '../contract/stage.ts'
import { keepBody } from './capture-body.ts'
import { quietly } from './write-in-background.ts'

export const makeCacheWriteRfc9111: MakeResponseStage = (compileContext) => {
  if (cacheModeOf(compileContext) !== 'rfc9111') return null
  const { services, api } = compileContext
  const { responses } = services.store
  const marker = cacheMarkerOf(compileContext)
  const maxHeuristicMs = Math.max(0, timeoutOf(compileContext)) * 1000

  const forget = ({ name }: { readonly name: string }) =>
    quietly(services, api.id, () => responses.remove(api.id, name))

  /** Inserts a response before the variants that are stored under its key. */
  const store = (plan: RevalidationPlan, made: StoredResponse) =>
    quietly(services, api.id, () =>
      when(responses.get(api.id, plan.name), (first) => {
        const now = services.clock.now()
        const list = withVariant(first, made, plan.selectingHeaders, now)
        return responses.put(api.id, plan.name, list, listUsefulMs(list, now), plan.version)
      }),
    )

  const madeOf = (
    plan: RevalidationPlan,
    status: number,
    headers: HeaderPairs,
    body: Uint8Array | undefined,
    receivedAt: Millis,
  ): StoredResponse => {
    const control = readCacheControl(headers)
    const selecting = selectedBy(headers, plan.selectingHeaders)
    const { requestedAt } = plan
    const received = { status, headers, control, requestedAt, receivedAt, selectedBy: selecting, maxHeuristicMs }
    const origin = originFactsOf(received)
    const kept = headers.slice()
    removeHeader(kept, 'age')
    removeHeader(kept, 'content-length')
    removeHeader(kept, marker)
    return { status, headers: kept, body, bodyLength: undefined, etag: entityTagOf(kept), origin }
  }

  const settle = (context: RequestContext, plan: RevalidationPlan, response: GatewayResponse): GatewayResponse => {
    const { stale, revalidating } = plan
    const now = services.clock.now()
    const { status, headers } = response
    if (status === 304 && stale !== undefined && revalidating) {
      drop(response)
      const merged = updatedHeaders(stale.headers, headers)
      const renewed = madeOf(plan, stale.status, merged, stale.body, now)
      if (isStorable(stale.status, merged, readCacheControl(merged), plan.authenticated)) store(plan, renewed)
      else forget(plan)
      return serveStored(context, renewed, marker, now)
    }
    if (status >= 500 && stale?.origin !== undefined && mayReplaceError(stale.origin, now)) {
      drop(response)
      return serveStored(context, stale, marker, now)
    }
    if (plan.storable && isStorable(status, headers, readCacheControl(headers), plan.authenticated)) {
      const whole = headers.slice()
      return keepBody(response, services, (body) => store(plan, madeOf(plan, status, whole, body, now)))
    }
    // The new response replaces the stored one but may not be stored itself.
    if (stale !== undefined && status < 500) forget(plan)
    return response
  }

  return {
    name: 'cache-write-rfc9111',
    phase: '6-shape-response',
    run(context, response) {
      const plan: CachePlan | undefined = context.cachePlan
      if (plan?.kind === 'rfc9111') return settle(context, plan, response)
      if (plan?.kind === 'rfc9111-unsafe' && response.status >= 200 && response.status < 400) forget(plan)
      return response
    },
  }
}

function drop({ body }: GatewayResponse): void {
  if (typeof body === 'object' && !(body instanceof Uint8Array)) body.cancel(new Error('a stored response is served'))
}
