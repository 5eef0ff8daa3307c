/** How long an answer is fresh, and how old it is (RFC 9111, 4.2). */
import { type HeaderPairs, headerOf, headersOf } from '../../http/headers.ts'
import { parseHttpDate } from '../../lib/text/parse-http-date.ts'
import type { Millis } from '../../ports/clock.ts'
import type { OriginFacts } from '../../ports/origin-facts.ts'
import type { CacheControl } from './cache-control.ts'
import { isHeuristic } from './storable.ts'

/** An answer as it came. */
export interface Arrival {
  readonly status: number
  readonly headers: HeaderPairs
  readonly control: CacheControl
  readonly askedAt: Millis
  readonly receivedAt: Millis
  readonly selectedBy: readonly string[]
  /** Longest time that is guessed where the answer names none; 0: nothing is guessed. */
  readonly mostGuessedMs: Millis
}

/** Works the facts out, once, when an answer is stored. */
export function factsOf(arrival: Arrival): OriginFacts {
  const { headers, control, receivedAt } = arrival
  const madeAt = dateOf(headers, 'date', receivedAt) ?? receivedAt
  return {
    receivedAt,
    initialAgeMs: initialAge(arrival, madeAt),
    freshMs: freshFor(arrival, madeAt),
    alwaysAsk: control.noCache,
    neverStale: control.mustRevalidate || control.sMaxAge !== undefined,
    staleWhileMs: (control.staleWhileRevalidate ?? 0) * 1000,
    staleOnErrorMs: (control.staleIfError ?? 0) * 1000,
    selectedBy: arrival.selectedBy,
    lastModified: headerOf(headers, 'last-modified'),
  }
}

/** 4.2.3: the answer's own word or its date, whichever makes it older. */
function initialAge({ headers, askedAt, receivedAt }: Arrival, madeAt: Millis): Millis {
  const told = /^\s*(\d{1,10})\b/.exec(headerOf(headers, 'age') ?? '')?.[1]
  const byAge = Number(told ?? 0) * 1000 + (receivedAt - askedAt)
  return Math.max(0, receivedAt - madeAt, byAge)
}

/** 4.2.1: the first of these that is there. */
function freshFor(arrival: Arrival, madeAt: Millis): Millis {
  const { headers, control, receivedAt } = arrival
  if (control.sMaxAge !== undefined) return control.sMaxAge * 1000
  if (control.maxAge !== undefined) return control.maxAge * 1000
  const expires = headersOf(headers, 'expires')
  if (expires.length === 0) return guessed(arrival, madeAt)
  // Not a date, or several that differ: it has expired (5.3).
  if (expires.some((other) => other !== expires[0])) return 0
  return Math.max(0, (parseHttpDate(expires[0] as string, receivedAt) ?? 0) - madeAt)
}

/** 4.2.2: a tenth of the time since it was changed, within the bound that the definition sets. */
function guessed({ status, headers, control, receivedAt, mostGuessedMs }: Arrival, madeAt: Millis): Millis {
  if (!isHeuristic(status) && !control.isPublic) return 0
  const changedAt = dateOf(headers, 'last-modified', receivedAt)
  return changedAt === undefined ? 0 : Math.min(mostGuessedMs, Math.max(0, (madeAt - changedAt) / 10))
}

function dateOf(headers: HeaderPairs, name: string, now: Millis): Millis | undefined {
  const text = headerOf(headers, name)
  return text === undefined ? undefined : parseHttpDate(text, now)
}

/** `current_age` of 4.2.3. */
export function ageOf({ initialAgeMs, receivedAt }: OriginFacts, now: Millis): Millis {
  return initialAgeMs + Math.max(0, now - receivedAt)
}

/** How much longer it is fresh; negative: how long it has been stale. */
export function freshnessLeft(facts: OriginFacts, now: Millis): Millis {
  return facts.freshMs - ageOf(facts, now)
}
