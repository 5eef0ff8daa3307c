/**
 * The batch endpoint of an API: one call that holds many requests to it. The call itself runs no stage but the check
 * of the organisation; each item takes the API's whole way, in process. Source: docs/reference/batch.md#batch-requests,
 * docs/differences.md.
 */

import {
  type ApiDefinition,
  BodyTooLarge,
  type CompileContext,
  collect,
  type Dispatch,
  type GatewayRequest,
  type GatewayResponse,
  headerOf,
  type Maybe,
  maxBufferedRequestBytes,
  type Outcome,
  type Rejection,
  type RequestContext,
  rejections,
  type Stage,
  when,
} from '@turnpike/core'
import { parseBatchCall } from './batch-call.ts'
import { batchRefusal } from './batch-refusal.ts'
import { BatchRun } from './batch-run.ts'
import type { BatchSettings } from './batch-settings.ts'
import { makeBatchShares } from './batch-shares.ts'
import { ItemRequest, type Outer } from './item-request.ts'
import type { ItemWays } from './item-run.ts'
import { percentEncode } from './percent-encode.ts'

/** Batches inside batches, the outermost counted. */
const maxDepth = 5

const noBody = new Uint8Array(0)

/** `path`: of the batch endpoint behind the listen path, with its leading slash. */
export function makeBatchStage(
  { api, services }: CompileContext,
  path: string,
  batch: BatchSettings,
  dispatch: Dispatch,
): Stage {
  const { settings, errors, clock, log } = services
  const { skipUrlCleaning } = settings.routing
  const longest = maxBufferedRequestBytes(services)
  const { maxBodyBytes, maxItems } = batch
  // Where the gateway's own limit is the lower one, it is the one that is told.
  const isOwnLimit = maxBodyBytes > 0 && maxBodyBytes < longest
  const limit = isOwnLimit ? maxBodyBytes : longest
  const tooLong = isOwnLimit ? batchRefusal(`Batch request is longer than ${limit} bytes`) : rejections.bodyTooLarge
  const tooDeep = batchRefusal(`Batch requests may be nested ${maxDepth} deep`)
  const tooMany = batchRefusal(`Batch request has more than ${maxItems} requests in all`)
  const byIdPrefix = prefixOfListenPath(api)
  const untaken = api.listenPath.endsWith('/') ? 0 : 1
  const shared = { errors, clock, log, timeoutMs: settings.upstream.timeoutMs }

  const run = (body: Uint8Array, context: RequestContext): Maybe<Outcome> => {
    const { request, trace } = context
    const call = parseBatchCall(body, batch, skipUrlCleaning)
    if ('problem' in call) return batchRefusal(call.problem)
    const inside = request instanceof ItemRequest ? request : undefined
    const shares = inside?.outer.shares ?? makeBatchShares(batch)
    if (!shares.takeItems(call.items.length)) return copyOf(tooMany)
    trace?.note(`${call.items.length} requests, ${call.inOrder ? 'one after the other' : 'at once'}`)
    if (trace?.dry) return responseOf('[]\n')
    const prefix = context.path === path ? withSlash(request.path.slice(0, 1 - path.length)) : byIdPrefix
    const outer: Outer = {
      request,
      host: headerOf(request.headers, 'host') ?? '',
      prefix,
      depth: (inside?.outer.depth ?? 0) + 1,
      shares,
    }
    const ways: ItemWays = { ...shared, handle: (item) => dispatch(item, prefix.length - untaken) }
    // Its items need the places; holding one while it waits for them could block all.
    inside?.leave()
    const started = new BatchRun(call, outer, ways)
    return new Promise((resolve) => {
      request.onAbort(() => {
        started.abort()
        resolve(rejections.clientGone)
      })
      void started.run().then((text) => {
        request.onAbort(undefined)
        resolve(responseOf(text))
      })
    })
  }

  const readCall = (request: GatewayRequest): Maybe<Uint8Array | GatewayResponse | Rejection> => {
    if (request.body === undefined) return noBody
    if ((request.bodyLength ?? 0) > limit) return copyOf(tooLong)
    return collect(request.body, limit).catch((cause: unknown) =>
      cause instanceof BodyTooLarge ? copyOf(tooLong) : rejections.clientGone,
    )
  }

  return {
    name: 'batch',
    phase: '5-respond',
    run(context) {
      const { request } = context
      if (request.method !== 'POST') return { status: 200, headers: [], body: '' }
      if (request instanceof ItemRequest && request.outer.depth >= maxDepth) return copyOf(tooDeep)
      return when(readCall(request), (read) => (read instanceof Uint8Array ? run(read, context) : read))
    },
  }
}

function responseOf(body: string): GatewayResponse {
  return { status: 200, headers: ['content-type', 'application/json'], body }
}

/** Responses made once are copied, since whoever gets one may add headers. */
function copyOf<T extends GatewayResponse | Rejection>(made: T): T {
  return 'kind' in made ? made : { ...made, headers: made.headers.slice() }
}

/** What items begin with when the call came in below the API's id: they go by the listen path, as recorded. */
function prefixOfListenPath({ listenPath }: ApiDefinition): string {
  return withSlash(`/${percentEncode(listenPath, 'path').replace(/^\/+/, '')}`)
}

const withSlash = (path: string) => (path.endsWith('/') ? path : `${path}/`)
