/** Generates traces for the comparison of two gateways. */
import { type ClientRequest, makeRequest, type TraceStep } from '@turnpike/exchange'
import fc from 'fast-check'

/** The values from which the requests of a trace are drawn. */
export interface TraceChoices {
  /** Paths with queries. */
  readonly urls: readonly string[]
  /** Default: GET only. */
  readonly methods?: readonly string[]
  /** Headers of each client. Default: one client without headers. */
  readonly clients?: readonly ClientRequest['headers'][]
  readonly bodies?: readonly string[]
  /** Pauses between requests in milliseconds. Default: 0, 1, 999, 1000, 1001 and 60,000. */
  readonly waitsMs?: readonly number[]
}

/** Generates traces with bursts. Put simple values first in each list, since shrinking moves towards the front. */
export function requestTraces(parts: TraceChoices, maxLength = 20): fc.Arbitrary<TraceStep[]> {
  const { urls, methods = ['GET'], clients = [[]], bodies, waitsMs = [0, 0, 0, 1, 999, 1000, 1001, 60_000] } = parts
  const body = bodies === undefined ? fc.constant(undefined) : fc.constantFrom(undefined, ...bodies)
  const step = fc
    .record({
      waitMs: fc.constantFrom(...waitsMs),
      url: fc.constantFrom(...urls),
      method: fc.constantFrom(...methods),
      client: fc.constantFrom(...clients),
      body,
      burst: fc.constantFrom(1, 1, 1, 2, 5),
    })
    .map(({ waitMs, url, method, client, body: text, burst }) => {
      const bytes = text === undefined || method === 'GET' || method === 'HEAD' ? undefined : Buffer.from(text)
      const request = makeRequest(url, { method, headers: client, body: bytes })
      return Array.from({ length: burst }, (_, i): TraceStep => ({ waitMs: i === 0 ? waitMs : 0, request }))
    })
  return fc.array(step, { minLength: 1, maxLength }).map((steps) => steps.flat())
}
