/**
 * `stale-while-revalidate` (RFC 5861, 3): refreshes a stale response by a background request. It runs the stages after the
 * cache, and stores the result like the response to a client. It is not recorded, and no limit counts it.
 * `stale-if-error` (RFC 5861, 4) is decided elsewhere: `rescue` in cache-read-rfc9111.ts, if the upstream sent no
 * response, and `cache/store-rfc9111.ts`, if it sent an error.
 */
import { makeRefreshes } from '../../cache/rfc9111/refreshes.ts'
import type { ByteStream } from '../../http/byte-stream.ts'
import { type GatewayRequest, httpVersionOf } from '../../http/messages.ts'
import type { Maybe } from '../../lib/maybe.ts'
import type { Millis } from '../../ports/clock.ts'
import { makeApiCache, settleResponse } from '../cache/store-rfc9111.ts'
import { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, RunRest } from '../contract/stage.ts'

/** Background requests of one API version at the same time. */
const maxRefreshes = 100
/** A body that takes longer is cancelled, so that the next refresh of its key can start. */
const maxBodyMs = 60_000

/** `prepare` makes the background request a revalidation: it removes the client's conditions and adds its own. */
export type Refresh = (
  context: RequestContext,
  cacheKey: string,
  prepare: (background: RequestContext) => Maybe<unknown>,
) => void

/** `rest` runs the stages after the cache. */
export function makeRefresh(compileContext: CompileContext, rest: RunRest): Refresh {
  const { api, services } = compileContext
  const { clock, log, settings } = services
  const refreshes = makeRefreshes(maxRefreshes)
  const cache = makeApiCache(compileContext)

  const send = async (background: RequestContext, prepare: Parameters<Refresh>[2]) => {
    await prepare(background)
    const outcome = await rest(background)
    // A later stage has logged why the upstream did not respond.
    if (outcome === undefined || 'kind' in outcome) return
    const { body: source } = outcome
    const plan = background.cachePlan
    const { body } = plan?.kind === 'rfc9111' ? settleResponse(cache, background, plan, outcome) : outcome
    if (!isStream(body)) return
    if (body === source) body.cancel(new Error('the response is not stored'))
    else await drain(body)
  }

  const drain = (body: ByteStream) =>
    new Promise<void>((resolve) => {
      let size = 0
      const stop = (reason: string) => {
        body.cancel(new Error(reason))
        end()
      }
      const cancelTimer = clock.after(maxBodyMs, () => stop('the body took too long'))
      const end = () => {
        cancelTimer()
        resolve()
      }
      body.pipe({
        data(chunk) {
          size += chunk.length
          if (size > settings.cache.maxBodyBytes) stop('the body is too long for the cache')
          return true
        },
        end,
        fail: end,
      })
    })

  return (context, cacheKey, prepare) => {
    if (!refreshes.tryStart(cacheKey)) return
    const background = makeBackgroundRequest(context, clock.now())
    send(background, prepare)
      .catch((cause: unknown) => log.warn('a cached response was not refreshed', { api: api.id, cause: String(cause) }))
      .finally(() => refreshes.finish(cacheKey))
  }
}

function isStream(body: unknown): body is ByteStream {
  return typeof body === 'object' && !(body instanceof Uint8Array)
}

/**
 * The request as the stages up to the cache left it, as a GET request without the trace of `turnpike explain`. Its call
 * to the upstream belongs to the span of the client's request.
 */
function makeBackgroundRequest(context: RequestContext, now: Millis): RequestContext {
  const { outgoing } = context
  const request = detachedGet(context.request)
  const copy = new RequestContext(
    request,
    context.api,
    context.version,
    context.path,
    context.pathWithVersion,
    outgoing.path,
    now,
    undefined,
  )
  copy.defaultVersion = context.defaultVersion
  copy.org = context.org
  copy.ignored = context.ignored
  copy.key = context.key
  copy.isClientToken = context.isClientToken
  copy.credential = context.credential
  copy.access = context.access
  copy.variables = context.variables
  copy.loopLevel = context.loopLevel
  copy.skipsLimits = context.skipsLimits
  copy.isRewritten = context.isRewritten
  copy.requestUri = context.requestUri
  copy.clientAddress = context.clientAddress
  copy.span = context.span
  copy.outgoing.query = outgoing.query
  copy.outgoing.headers = outgoing.headers.slice()
  copy.outgoing.target = outgoing.target
  copy.outgoing.addForwardedFor = outgoing.addForwardedFor
  copy.outgoing.timeoutMs = outgoing.timeoutMs
  return copy
}

/** A GET request of the same client without a body, which a disconnect does not cancel. Field by field, because some front ends have getters. */
function detachedGet(request: GatewayRequest): GatewayRequest {
  return {
    method: 'GET',
    path: request.path,
    query: request.query,
    headers: request.headers,
    remoteAddress: request.remoteAddress,
    remotePort: request.remotePort,
    httpVersion: httpVersionOf(request),
    secure: request.secure,
    clientCertificate: request.clientCertificate,
    body: undefined,
    bodyLength: 0,
    onAbort() {},
  }
}
