/**
 * The body of a batch call: parsed once, here; behind this file every item is complete and can be asked for.
 * Source: docs/reference/batch.md#batch-requests.
 */
import {
  boolean,
  type HeaderPairs,
  list,
  map,
  nestsTooDeep,
  type Of,
  object,
  readShape,
  text,
  utf8Bytes,
  utf8Text,
} from '@turnpike/core'
import type { BatchSettings } from './batch-settings.ts'
import { toItemHeaders } from './item-headers.ts'
import { type ItemTarget, parseRelativeUrl } from './relative-url.ts'

const callShape = object({
  requests: list(object({ method: text, headers: map(text), body: text, relativeUrl: text })),
  suppressParallelExecution: boolean,
})

type WireItem = NonNullable<Of<typeof callShape>['requests']>[number]

/** One request of a batch. */
export interface BatchItem {
  readonly method: string
  /** As the caller wrote it: the reply repeats it. */
  readonly relativeUrl: string
  readonly target: ItemTarget
  /** `undefined`: they cannot be sent, so the item fails. */
  readonly headers: HeaderPairs | undefined
  /** Empty: none. */
  readonly body: Uint8Array
}

export interface BatchCall {
  readonly items: readonly BatchItem[]
  /** One after the other, replies in order; else at once, replies as they arrive. */
  readonly inOrder: boolean
}

/** Why a call is refused as a whole: what the caller is told with status 400. */
export interface BatchProblem {
  readonly problem: string
}

/** Recorded texts. */
const malformed: BatchProblem = { problem: 'Batch request malformed' }
const unbuildable: BatchProblem = { problem: 'Batch request creation failed , request structure malformed' }

const methodToken = /^[\w!#$%&'*+\-.^`|~]+$/
const noBody = new Uint8Array(0)

/**
 * Reads a call. `maxItems`: most items it may hold; `keepEmpty`: doubled slashes in paths stay.
 * One item that cannot become a request spoils the whole call before anything is sent, as recorded.
 */
export function parseBatchCall(
  body: Uint8Array,
  { maxItems }: Pick<BatchSettings, 'maxItems'>,
  keepEmpty: boolean,
): BatchCall | BatchProblem {
  const json = jsonIn(body)
  if (json === undefined) return malformed
  const count = requestsIn(json)
  if (nestsTooDeep(body)) return malformed
  if (count > maxItems) return { problem: `Batch request has ${count} requests, the most is ${maxItems}` }
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

/** How many items are there, whatever they are: asked first, so that a call that is too long costs little. */
function requestsIn(json: unknown): number {
  if (typeof json !== 'object' || json === null || !('requests' in json)) return 0
  return Array.isArray(json.requests) ? json.requests.length : 0
}

function toItem(wire: WireItem, keepEmpty: boolean): BatchItem | undefined {
  const method = wire.method === '' ? 'GET' : wire.method
  const target = parseRelativeUrl(wire.relativeUrl, keepEmpty)
  if (target === undefined || (method !== 'GET' && !methodToken.test(method))) return undefined
  return {
    method,
    relativeUrl: wire.relativeUrl,
    target,
    // A tunnel has no path, so it cannot be asked of an API (RFC 9110, 9.3.6).
    headers: method === 'CONNECT' ? undefined : toItemHeaders(wire.headers),
    body: wire.body === '' ? noBody : utf8Bytes(wire.body),
  }
}
