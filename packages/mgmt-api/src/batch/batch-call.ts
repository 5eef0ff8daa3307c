/**
 * The body of a batch call: parsed once, here; behind this file every item is complete and can be asked for.
 * Source: spec/apis-and-pipeline.md 7.
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
import { ItemHeadersReader } from './item-headers.ts'
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
  if (count > maxItems) {
    if (nestsTooDeep(body)) return malformed
    return { problem: `Batch request has ${count} requests, the most is ${maxItems}` }
  }
  // A plain call is known to be flat; how deep another one nests is looked at before it is walked.
  const value = plainCall(json) ?? (nestsTooDeep(body) ? undefined : shapedCall(json))
  if (value === undefined) return malformed
  const headers = new ItemHeadersReader()
  const items: BatchItem[] = []
  for (const wire of value.requests ?? []) {
    const item = toItem(wire, headers, keepEmpty)
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

type WireCall = Of<typeof callShape>

function shapedCall(json: unknown): WireCall | undefined {
  const { value, readable } = readShape(callShape, json)
  return readable ? value : undefined
}

/**
 * What the shape reads of a call written as nearly all are: names exactly as they are told, texts where texts belong.
 * `undefined`: ask the shape. Half a microsecond an item is a twentieth of what it costs.
 */
function plainCall(json: unknown): WireCall | undefined {
  if (!isObject(json) || !Array.isArray(json['requests'])) return undefined
  const inOrder = json['suppress_parallel_execution'] ?? false
  if (typeof inOrder !== 'boolean') return undefined
  const names = Object.keys(json)
  if (names.some((name) => name !== 'requests' && name !== 'suppress_parallel_execution')) return undefined
  const requests: WireItem[] = []
  for (const given of json['requests'] as readonly unknown[]) {
    const item = plainItem(given)
    if (item === undefined) return undefined
    requests.push(item)
  }
  return { requests, suppressParallelExecution: inOrder }
}

function plainItem(given: unknown): WireItem | undefined {
  if (!isObject(given)) return undefined
  const item: WireItem = { method: '', headers: null, body: '', relativeUrl: '' }
  for (const name in given) {
    const value = given[name]
    if (name === 'headers') {
      if (!isTexts(value)) return undefined
      item.headers = value
    } else if (typeof value !== 'string') return undefined
    else if (name === 'method') item.method = value
    else if (name === 'relative_url') item.relativeUrl = value
    else if (name === 'body') item.body = value
    else return undefined
  }
  return item
}

function isTexts(value: unknown): value is Record<string, string> {
  if (!isObject(value)) return false
  for (const name in value) if (typeof value[name] !== 'string' || name === '__proto__') return false
  return true
}

/** As JSON has them; what is read of one is its own, since nothing else of it can be enumerated. */
function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** How many items are there, whatever they are: asked first, so that a call that is too long costs little. */
function requestsIn(json: unknown): number {
  if (typeof json !== 'object' || json === null || !('requests' in json)) return 0
  return Array.isArray(json.requests) ? json.requests.length : 0
}

function toItem(wire: WireItem, headers: ItemHeadersReader, keepEmpty: boolean): BatchItem | undefined {
  const method = wire.method === '' ? 'GET' : wire.method
  const target = parseRelativeUrl(wire.relativeUrl, keepEmpty)
  if (target === undefined || (method !== 'GET' && !methodToken.test(method))) return undefined
  return {
    method,
    relativeUrl: wire.relativeUrl,
    target,
    // A tunnel has no path, so it cannot be asked of an API (RFC 9110, 9.3.6).
    headers: method === 'CONNECT' ? undefined : headers.read(wire.headers),
    body: wire.body === '' ? noBody : utf8Bytes(wire.body),
  }
}
