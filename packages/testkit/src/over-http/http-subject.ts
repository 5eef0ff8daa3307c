/**
 * Checks the rate properties on any HTTP gateway, over the network and in real time:
 *
 *     const subject = httpSubject({ name: 'mine', url: 'http://127.0.0.1:8080/x', traits, headersOf })
 *     await runInRealTime(rollingLogProperty, subject, gridCases(traits, [{ rate: 3, per: 2 }]))
 *
 * Limits: a gateway decides at an unknown instant between the request and the response. Traces of `gridCases` keep a
 * distance of a tenth of a window from every edge, and a case with a slower request is not judged. So only runs on
 * virtual time detect a bug that shows closer to an edge. Property 9 (clocks) and reads without counting need a gateway
 * whose time can be set.
 */
import type { Maybe, Millis, RateResult } from '@turnpike/core'
import type { WrittenRate } from '../arbitraries/rate-cases.ts'
import type { RateSubject, RateTraits, RateUnderTest } from '../properties/subjects/rate-subject.ts'
import { clearanceShare, precisionShare } from './grid-cases.ts'
import type { TimedSubject } from './run-in-real-time.ts'

export interface HttpSubjectOptions {
  readonly name: string
  /** Target URL, requested by GET. Every response except a refusal counts as admitted. */
  readonly url: string
  /** Traits of the limiter. Rate limit headers are read unless `remaining` is `not-reported`. */
  readonly traits: RateTraits
  /**
   * Returns the headers of a client with a new counter under this limit. Called once for each counter. `counter` is a
   * name that no other counter has or had.
   */
  headersOf(counter: string, limit: WrittenRate): Maybe<Readonly<Record<string, string>>>
  /**
   * Returns true if the response is a refusal for the rate. Default: status 429. Any other status of 400 or more is an
   * error.
   */
  isRefusal?(status: number): boolean
  /** Time in ms by which the gateway's clock is ahead of this machine's, for aligned windows. Default 0. */
  readonly clockAheadMs?: Millis
}

/** The gateway as a subject of properties 1, 2, 6, 7, 8, 10 and 12, for `runInRealTime`. */
export function httpSubject(options: HttpSubjectOptions): TimedSubject<RateSubject> {
  const precisionMs = (windowMs: Millis) => precisionShare * windowMs
  return {
    name: options.name,
    begin() {
      let blur: string | undefined
      const isLate = (byMs: Millis, windowMs: Millis) => {
        if (byMs > precisionMs(windowMs))
          blur = `a request was answered ${Math.round(byMs)} ms after its instant, with a precision of ${precisionMs(windowMs)} ms`
      }
      const traits = traitsOverHttp(options.traits, precisionMs)
      return {
        subject: { name: options.name, traits, make: (limit) => counters(options, limit, isLate) },
        blurred: () => blur,
      }
    },
  }
}

/** Headers report whole seconds, rounded up, and no request can read the limit without counting. */
function traitsOverHttp(traits: RateTraits, precisionMs: (windowMs: Millis) => Millis): RateTraits {
  const longest = traits.windowMs(60)
  return { ...traits, looks: false, retryUnitMs: 1000 + precisionMs(Math.min(longest, 10_000)) }
}

let counted = 0
const run = Math.random().toString(36).slice(2, 8)

function counters(
  options: HttpSubjectOptions,
  limit: WrittenRate,
  isLate: (byMs: Millis, windowMs: Millis) => void,
): RateUnderTest {
  const { traits, clockAheadMs = 0 } = options
  const windowMs = traits.windowMs(limit.per)
  counted += 1
  const group = `${run}${counted}`
  const clients = new Map<string, Promise<Readonly<Record<string, string>>>>()
  const clientOf = (key: string) => {
    const known = clients.get(key) ?? Promise.resolve(options.headersOf(`${group}${key}`, limit))
    clients.set(key, known)
    return known
  }
  // Aligned windows keep their time. Otherwise time is stretched, so that a whole window has certainly passed.
  const stretch = traits.windows === 'aligned' ? 1 : 1 + clearanceShare
  let begun: { readonly virtual: Millis; readonly real: Millis } | undefined
  const begin = (at: Millis) => {
    const soon = Date.now() + clockAheadMs + 20
    const toPlace = traits.windows === 'aligned' ? (((at - soon) % windowMs) + windowMs) % windowMs : 0
    begun = { virtual: at, real: soon + toPlace - clockAheadMs }
    return begun
  }
  return {
    async take(key, at): Promise<RateResult> {
      const headers = await clientOf(key)
      const { virtual, real } = begun ?? begin(at)
      const due = real + (at - virtual) * stretch
      await until(due)
      const answer = await fetch(options.url, { headers, redirect: 'manual' })
      await answer.arrayBuffer()
      const answeredAt = Date.now()
      isLate(answeredAt - due, windowMs)
      const isRefused = options.isRefusal?.(answer.status) ?? answer.status === 429
      if (!isRefused && answer.status >= 400) throw new Error(`the gateway answered ${answer.status}`)
      const opensAt = answeredAt + 1000 * numberIn(answer.headers, 'retry-after', 0)
      return {
        allowed: !isRefused,
        remaining: numberIn(answer.headers, 'x-ratelimit-remaining', 0),
        resetAt: virtual + (opensAt - real) / stretch,
      }
    },
  }
}

function numberIn(headers: Headers, name: string, otherwise: number): number {
  const value = Number.parseInt(headers.get(name) ?? '', 10)
  return Number.isNaN(value) ? otherwise : value
}

/** Waits until this machine's clock shows the instant. Timers may fire a millisecond early. */
async function until(instant: Millis): Promise<void> {
  for (let left = instant - Date.now(); left > 0; left = instant - Date.now()) {
    await new Promise((resolve) => setTimeout(resolve, Math.ceil(left)))
  }
}
