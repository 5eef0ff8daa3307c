/**
 * The batch endpoint `<listen path>svc/batch/` of each API that enables it: one call that holds many requests to the API.
 * For the call itself only the check of the organisation runs; each item runs through the complete chain of the API, in
 * process. Source: docs/reference/batch.md#batch-requests, docs/differences.md.
 */
import type { ApiDefinition } from '@turnpike/core/definition'
import { type GatewayResponse, headerOf, type Rejection, rejections } from '@turnpike/core/http'
import { type Maybe, when } from '@turnpike/core/lib'
import {
  type CompileContext,
  type Dispatch,
  type Endpoint,
  maxBufferedRequestBytes,
  type Outcome,
  type RequestContext,
  type Stage,
} from '@turnpike/core/pipeline'
import { readRequestBody } from '../http/read-request-body.ts'
import { statusBody } from '../http/reply.ts'
import { parseBatchCall } from './batch-call.ts'
import { type BatchSettings, defaultBatchSettings } from './batch-settings.ts'
import { type BatchContext, ItemRequest } from './item-request.ts'
import { percentEncode } from './percent-encode.ts'
import type { ItemServices } from './run-item.ts'
import { BatchScheduler } from './schedule-items.ts'
import { makeSharedBatchLimits } from './shared-batch-limits.ts'

export function makeBatchEndpoint(settings: BatchSettings = defaultBatchSettings): Endpoint {
  return {
    paths: (api, vendor) => (hasBatchEndpoint(api) ? [pathOf(vendor)] : []),
    make: (compileContext, dispatch) =>
      makeBatchStage(compileContext, pathOf(compileContext.services.settings.vendor.toLowerCase()), settings, dispatch),
  }
}

const pathOf = (vendor: string) => `/${vendor}/batch/`

/** MCP proxies have no batch endpoint, because they handle messages. */
function hasBatchEndpoint({ document }: ApiDefinition): boolean {
  return document.enableBatchRequestSupport && document.applicationProtocol !== 'mcp'
}

/** Rejects a whole batch call in the form of the management API, as recorded. */
function batchRejection(message: string): GatewayResponse {
  return { status: 400, headers: ['content-type', 'application/json'], body: statusBody('error', message) }
}

/** Maximum nesting of batches, including the outermost. */
const maxDepth = 5

/** Maximum length of a call in bytes if neither `batch.max_body_bytes` nor `max_request_body_size` is set: 50 MiB. */
const noOwnLimitBytes = 50 * 1024 * 1024

/** `path`: the batch endpoint below the listen path, with a leading slash. */
function makeBatchStage(
  { api, services }: CompileContext,
  path: string,
  batch: BatchSettings,
  dispatch: Dispatch,
): Stage {
  const { settings, errors, clock, log } = services
  const { skipUrlCleaning } = settings.routing
  // `max_read_body_size` does not apply to a batch call, which has limits of its own.
  const maxBytes = maxBufferedRequestBytes({ settings: { ...settings, maxReadBodyBytes: noOwnLimitBytes } })
  const { maxBodyBytes, maxItems } = batch
  // The message names the lower of the two limits.
  const isOwnLimit = maxBodyBytes > 0 && maxBodyBytes < maxBytes
  const limit = isOwnLimit ? maxBodyBytes : maxBytes
  const tooLong = isOwnLimit ? batchRejection(`Batch request is longer than ${limit} bytes`) : rejections.bodyTooLarge
  const tooDeep = batchRejection(`Batch requests may be nested ${maxDepth} deep`)
  const tooMany = batchRejection(`Batch request has more than ${maxItems} requests in all`)
  const byIdPrefix = prefixOfListenPath(api)
  const pathOffset = api.listenPath.endsWith('/') ? 0 : 1
  const shared = { errors, clock, log, timeoutMs: settings.upstream.timeoutMs }

  const run = (body: Uint8Array, context: RequestContext): Maybe<Outcome> => {
    const { request, trace } = context
    const call = parseBatchCall(body, batch, skipUrlCleaning)
    if ('problem' in call) return batchRejection(call.problem)
    const inside = request instanceof ItemRequest ? request : undefined
    const limits = inside?.batch.limits ?? makeSharedBatchLimits(batch)
    if (!limits.addItems(call.items.length)) return copyOf(tooMany)
    trace?.note(`${call.items.length} requests, ${call.inOrder ? 'one after the other' : 'in parallel'}`)
    if (trace?.dry) return responseOf('[]\n')
    const prefix = context.path === path ? withSlash(request.path.slice(0, 1 - path.length)) : byIdPrefix
    const batchContext: BatchContext = {
      request,
      host: headerOf(request.headers, 'host') ?? '',
      prefix,
      depth: (inside?.batch.depth ?? 0) + 1,
      limits,
    }
    const services: ItemServices = {
      ...shared,
      handle: (item) => dispatch(item, prefix.length - pathOffset, context.span),
    }
    // A nested batch that kept its slot while it waits for its items could block them all.
    inside?.leave()
    const scheduler = new BatchScheduler(call, batchContext, services)
    return new Promise((resolve) => {
      request.onAbort(() => {
        scheduler.abort()
        resolve(rejections.clientGone)
      })
      void scheduler.run().then((text) => {
        request.onAbort(undefined)
        resolve(responseOf(text))
      })
    })
  }

  return {
    name: 'batch',
    phase: '5-respond',
    run(context) {
      const { request } = context
      if (request.method !== 'POST') return { status: 200, headers: [], body: '' }
      if (request instanceof ItemRequest && request.batch.depth >= maxDepth) return copyOf(tooDeep)
      const body = readRequestBody(request, limit, () => copyOf(tooLong))
      return when(body, (read) => (read instanceof Uint8Array ? run(read, context) : read))
    },
  }
}

function responseOf(body: string): GatewayResponse {
  return { status: 200, headers: ['content-type', 'application/json'], body }
}

/** Copies a shared response, because later stages may add headers to it. */
function copyOf<T extends GatewayResponse | Rejection>(made: T): T {
  return 'kind' in made ? made : { ...made, headers: made.headers.slice() }
}

/** The prefix of items if the call addressed the API by its id: items use the listen path, as recorded. */
function prefixOfListenPath({ listenPath }: ApiDefinition): string {
  return withSlash(`/${percentEncode(listenPath, 'path').replace(/^\/+/, '')}`)
}

const withSlash = (path: string) => (path.endsWith('/') ? path : `${path}/`)
