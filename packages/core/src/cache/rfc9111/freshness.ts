/** Freshness lifetime and age of a response (RFC 9111, 4.2). */
import { type HeaderPairs, headerOf, headersOf } from '../../http/headers.ts'
import { parseHttpDate } from '../../lib/text/parse-http-date.ts'
import type { Millis } from '../../ports/clock.ts'
import type { OriginFacts } from '../../ports/origin-facts.ts'
import { type CacheControl, maxSeconds } from './cache-control.ts'
import { isHeuristicallyCacheable } from './storable.ts'

/** A response as the upstream sent it. */
export interface ReceivedResponse {
  readonly status: number
  readonly headers: HeaderPairs
  readonly control: CacheControl
  readonly requestedAt: Millis
  readonly receivedAt: Millis
  /** Names and values of the request headers that `Vary` lists. */
  readonly selectedBy: readonly string[]
  /** Longest heuristic freshness lifetime; 0: none. */
  readonly maxHeuristicMs: Millis
}

/** Computes what reuse depends on, once, when a response is stored. */
export function originFactsOf(response: ReceivedResponse): OriginFacts {
  const { headers, control, receivedAt } = response
  const originatedAt = dateOf(headers, 'date', receivedAt) ?? receivedAt
  return {
    receivedAt,
    initialAgeMs: initialAge(response, originatedAt),
    freshMs: freshnessLifetime(response, originatedAt),
    alwaysAsk: control.noCache,
    neverStale: control.mustRevalidate || control.sMaxAge !== undefined,
    staleWhileMs: (control.staleWhileRevalidate ?? 0) * 1000,
    staleOnErrorMs: (control.staleIfError ?? 0) * 1000,
    selectedBy: response.selectedBy,
    lastModified: headerOf(headers, 'last-modified'),
  }
}

/** `corrected_initial_age` of RFC 9111, 4.2.3. */
function initialAge({ headers, requestedAt, receivedAt }: ReceivedResponse, originatedAt: Millis): Millis {
  return Math.max(0, receivedAt - originatedAt, ageHeader(headers) + (receivedAt - requestedAt))
}

/** The first member of `Age` counts, and an invalid one is ignored (RFC 9111, 5.1). */
function ageHeader(headers: HeaderPairs): Millis {
  const first = headerOf(headers, 'age')?.split(',', 1)[0]?.trim() ?? ''
  return /^\d+$/.test(first) ? Math.min(Number(first), maxSeconds) * 1000 : 0
}

/** `freshness_lifetime` of RFC 9111, 4.2.1. */
function freshnessLifetime(response: ReceivedResponse, originatedAt: Millis): Millis {
  const { headers, control, receivedAt } = response
  if (control.sMaxAge !== undefined) return control.sMaxAge * 1000
  if (control.maxAge !== undefined) return control.maxAge * 1000
  const expires = control.isTargeted ? [] : headersOf(headers, 'expires')
  if (expires.length === 0) return heuristicLifetime(response, originatedAt)
  // An invalid date, or several different ones, count as expired (RFC 9111, 5.3).
  if (expires.some((other) => other !== expires[0])) return 0
  return Math.max(0, (parseHttpDate(expires[0] as string, receivedAt) ?? 0) - originatedAt)
}

/** RFC 9111, 4.2.2: a tenth of the time since the last modification, up to the limit that the definition sets. */
function heuristicLifetime(
  { status, headers, control, receivedAt, maxHeuristicMs }: ReceivedResponse,
  originatedAt: Millis,
): Millis {
  if (!isHeuristicallyCacheable(status) && !control.isPublic) return 0
  const changedAt = dateOf(headers, 'last-modified', receivedAt)
  return changedAt === undefined ? 0 : Math.min(maxHeuristicMs, Math.max(0, (originatedAt - changedAt) / 10))
}

function dateOf(headers: HeaderPairs, name: string, now: Millis): Millis | undefined {
  const text = headerOf(headers, name)
  return text === undefined ? undefined : parseHttpDate(text, now)
}

/** `current_age` of RFC 9111, 4.2.3. */
export function ageOf({ initialAgeMs, receivedAt }: OriginFacts, now: Millis): Millis {
  return initialAgeMs + Math.max(0, now - receivedAt)
}

/** How much longer the response is fresh; negative: for how long it has been stale. */
export function freshnessLeft(facts: OriginFacts, now: Millis): Millis {
  return facts.freshMs - ageOf(facts, now)
}
