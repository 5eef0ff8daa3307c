/** Converts a response of the upstream to the form in which the cache stores it (RFC 9111, 3.1 and 3.2). */
import { entityTagOf } from '../../http/entity-tag.ts'
import { type HeaderPairs, headerOf, removeHeader } from '../../http/headers.ts'
import { formatHttpDate } from '../../lib/text/time.ts'
import type { Millis } from '../../ports/clock.ts'
import type { StoredPart, StoredResponse } from '../../ports/stored-response.ts'
import { readCacheControl } from './cache-control.ts'
import { originFactsOf } from './freshness.ts'
import { selectedBy } from './vary.ts'

/** What an API's cache knows about every response. */
export interface CachePolicy {
  /** Longest heuristic freshness lifetime; 0: none. */
  readonly maxHeuristicMs: Millis
  /** Names of targeted fields: see `readCacheControl`. */
  readonly targets: readonly string[]
  /** Name of the header that marks cached responses. */
  readonly marker: string
}

/** The request that a response belongs to. */
export interface SentRequest {
  readonly requestedAt: Millis
  readonly receivedAt: Millis
  /** Headers by which `Vary` selects. */
  readonly selectingHeaders: HeaderPairs
}

export interface ReceivedMessage {
  readonly status: number
  readonly headers: Readonly<HeaderPairs>
  readonly body: Uint8Array | undefined
  readonly part?: StoredPart | undefined
}

/** A copy of the headers of a response, with the time of its receipt if it has no `Date` (RFC 9110, 6.6.1). */
export function withDate(headers: Readonly<HeaderPairs>, receivedAt: Millis): HeaderPairs {
  const dated = headers.slice()
  if (headerOf(dated, 'date') === undefined) dated.push('date', formatHttpDate(receivedAt))
  return dated
}

export function storedFrom(
  { status, headers, body, part }: ReceivedMessage,
  { requestedAt, receivedAt, selectingHeaders }: SentRequest,
  { maxHeuristicMs, targets, marker }: CachePolicy,
): StoredResponse {
  const kept = headers.slice()
  const control = readCacheControl(kept, targets)
  const selecting = selectedBy(kept, selectingHeaders)
  const origin = originFactsOf({
    status,
    headers: kept,
    control,
    requestedAt,
    receivedAt,
    selectedBy: selecting,
    maxHeuristicMs,
  })
  for (const name of ['age', 'content-length', marker]) removeHeader(kept, name)
  if (status === 206) removeHeader(kept, 'content-range')
  return { status, headers: kept, body, part, bodyLength: undefined, etag: entityTagOf(kept), origin }
}
