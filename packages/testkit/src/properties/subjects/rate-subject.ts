/**
 * Subjects of the rate properties: anything that has the method `take`. Algorithms give different guarantees. Their
 * traits describe the differences and are the parameters of the properties. `compatible-rates.ts` has the compatible
 * algorithms, `textbook-rates.ts` those of the textbooks.
 */
import { isPromise, type Maybe, type Millis } from '@turnpike/core/lib'
import type { RateResult } from '@turnpike/core/ports'
import type { WrittenRate } from '../../arbitraries/rate-cases.ts'
import type { RateRequest } from '../../arbitraries/traces.ts'

/** A set of counters under one limit. The caller passes the time of each request. */
export interface RateUnderTest {
  take(key: string, at: Millis, amount: number): Maybe<RateResult>
}

export interface RateSubject {
  readonly name: string
  readonly traits: RateTraits
  /** Makes new counters under this limit. */
  make(limit: WrittenRate): RateUnderTest
}

/** How an algorithm differs from others. */
export interface RateTraits {
  /** Maximum number of requests in a window for a configured rate. */
  most(rate: number): number
  /** Length of the window for a configured period in seconds. */
  windowMs(per: number): Millis
  /** Which requests count against the limit (properties 1 and 2). */
  readonly counted: 'admitted' | 'all'
  /** Where windows begin (property 2). `trailing`: a window ends at every instant. */
  readonly windows: 'aligned' | 'from-first' | 'trailing'
  /** Maximum number of requests per window with which a client is never rejected (property 6). */
  neverRejected(rate: number): number
  /** Number of windows without requests after which the next request is admitted (property 6). */
  readonly quietWindows: number
  /** True if a higher limit never admits fewer requests (property 7). */
  readonly monotone: boolean
  /** Maximum backward step of the clock that admits no additional requests (property 9). `Infinity`: any step. */
  readonly stepBackMs: Millis
  /**
   * True: if the clock steps back by more than a window, a new window starts, in which only what the old one left over is
   * admitted, so that no client is blocked until the clock has caught up (properties 6 and 9). Default: false.
   */
  readonly restartsAfterStepBack?: boolean
  /** What `remaining` reports (property 10): the requests left, always 0, or nothing (`not-reported`). */
  readonly remaining: 'counts-down' | 'always-0' | 'not-reported'
  /** Number of requests in `remaining` that are not admitted (property 10). */
  readonly keepsBack: number
}

/** Sends a trace and returns the results in order. */
export async function takeAll(underTest: RateUnderTest, requests: readonly RateRequest[]): Promise<RateResult[]> {
  const taken: RateResult[] = []
  for (const { key, at, amount } of requests) {
    const answer = underTest.take(key, at, amount)
    taken.push(isPromise(answer) ? await answer : answer)
  }
  return taken
}
