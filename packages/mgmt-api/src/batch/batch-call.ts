/**
 * Parses the body of a batch call. Every item that this file returns is complete and can be sent.
 * Source: docs/reference/batch.md#batch-requests.
 */
import { type HeaderPairs, isToken } from '@turnpike/core/http'
import {
  boolean,
  jsonLimitProblem,
  list,
  map,
  type Of,
  object,
  readShape,
  text,
  utf8Bytes,
  utf8Text,
} from '@turnpike/core/lib'
import { emptyBody } from '../http/read-request-body.ts'
import type { BatchSettings } from './batch-settings.ts'
import { type ItemTarget, parseRelativeUrl } from './confine-to-api.ts'
import { toItemHeaders } from './item-headers.ts'

const callShape = object({
  requests: list(object({ method: text, headers: map(text), body: text, relativeUrl: text })),
  suppressParallelExecution: boolean,
})

type WireItem = NonNullable<Of<typeof callShape>['requests']>[number]

/** One request of a batch. */
export interface BatchItem {
  readonly method: string
  /** As the caller wrote it; the reply repeats it. */
  readonly relativeUrl: string
  readonly target: ItemTarget
  /** `undefined` if a header cannot be sent; the item then fails. */
  readonly headers: HeaderPairs | undefined
  /** Empty if the item has no body. */
  readonly body: Uint8Array
}

export interface BatchCall {
  readonly items: readonly BatchItem[]
  /** True: items run one after the other, and replies keep their order. False: items run in parallel, and replies come as they arrive. */
  readonly inOrder: boolean
}

/** Why the gateway rejects the whole call: the message of a 400 response. */
export interface BatchProblem {
  readonly problem: string
}

/** Recorded texts: existing clients compare them. */
const malformed: BatchProblem = { problem: 'Batch request malformed' }
const unbuildable: BatchProblem = { problem: 'Batch request creation failed , request structure malformed' }

/**
 * Parses a batch call. If one item cannot become a request, the whole call fails before anything is sent, as recorded.
 * @param maxItems maximum number of items
 * @param keepEmpty keeps doubled slashes in paths
 */
export function parseBatchCall(
  body: Uint8Array,
  { maxItems }: Pick<BatchSettings, 'maxItems'>,
  keepEmpty: boolean,
): BatchCall | BatchProblem {
  // An item has a few fields and some headers; a call with more values than this is no batch.
  if (jsonLimitProblem(body, 100 * (maxItems + 1)) !== undefined) return malformed
  const json = jsonIn(body)
  if (json === undefined) return malformed
  const count = requestsIn(json)
  if (count > maxItems) return { problem: `Batch request has ${count} requests, the maximum is ${maxItems}` }
  const { value, readable } = readShape(callShape, json)
  if (!readable) return malformed
  const items: BatchItem[] = []
  for (const wire of value.requests ?? []) {
    const item = toItem(wire, keepEmpty)
    if (item === undefined) return unbuildable
    items.push(item)
  }
  return { items, inOrder: value.suppressParallelExecution }
}

function jsonIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8Text(body))
  } catch {
    return undefined
  }
}

/** Number of items, before any of them is checked, so that rejecting a call with too many items is cheap. */
function requestsIn(json: unknown): number {
  if (typeof json !== 'object' || json === null || !('requests' in json)) return 0
  return Array.isArray(json.requests) ? json.requests.length : 0
}

function toItem(wire: WireItem, keepEmpty: boolean): BatchItem | undefined {
  const method = wire.method === '' ? 'GET' : wire.method
  const target = parseRelativeUrl(wire.relativeUrl, keepEmpty)
  if (target === undefined || (method !== 'GET' && !isToken(method))) return undefined
  return {
    method,
    relativeUrl: wire.relativeUrl,
    target,
    // CONNECT has no path, so it cannot be sent to an API (RFC 9110, section 9.3.6).
    headers: method === 'CONNECT' ? undefined : toItemHeaders(wire.headers),
    body: wire.body === '' ? emptyBody : utf8Bytes(wire.body),
  }
}
