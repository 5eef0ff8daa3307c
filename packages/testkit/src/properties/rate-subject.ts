/**
 * What the properties of rates are about: anything with the verb `take`. Algorithms differ in what they promise; how, is
 * said by their traits, which are the parameters of the properties. The recorded algorithms are `compatible-rates.ts`, those
 * of the textbooks `textbook-rates.ts`.
 */
import { isPromise, type Maybe, type Millis, type RateResult } from '@turnpike/core'
import type { WrittenRate } from '../arbitraries/rate-cases.ts'
import type { RateRequest } from '../arbitraries/traces.ts'

/** A set of counters under one limit, on a time that the caller tells. */
export interface RateUnderTest {
  take(key: string, at: Millis, amount: number): Maybe<RateResult>
}

export interface RateSubject {
  readonly name: string
  readonly traits: RateTraits
  /** Fresh counters under this limit. */
  make(limit: WrittenRate): RateUnderTest
}

/** What an algorithm does its own way. */
export interface RateTraits {
  /** Requests that a written rate lets through in a window. */
  most(rate: number): number
  /** Length of the window for a written period. */
  windowMs(per: number): Millis
  /** Which requests count against the limit (properties 1 and 2). */
  readonly counted: 'admitted' | 'all'
  /** Where windows begin, for the algorithms that have windows (property 2); `trailing`: every instant ends one. */
  readonly windows: 'aligned' | 'from-first' | 'trailing'
  /** Requests in any window that a client may send and never be refused (property 6). */
  neverRefused(rate: number): number
  /** Windows without requests after which the next one passes (property 6). */
  readonly quietWindows: number
  /** A higher limit never admits fewer (property 7). */
  readonly monotone: boolean
  /** How far a clock may step back and still admit nothing more (property 9); `Infinity`: as far as it likes. */
  readonly stepBackMs: Millis
  /** What `remaining` tells (property 10): what is left, or always 0. */
  readonly remaining: 'counts-down' | 'always-0' | 'untold'
  /** `remaining` counts this many that will not pass (property 10). */
  readonly keepsBack: number
  /** A request of amount 0 looks without counting (property 10). Default true. */
  readonly looks?: boolean
  /** The unit in which it tells when to come back; up to one unit of it is rounding (property 10). Default 1 ms. */
  readonly retryUnitMs?: Millis
}

/** Sends a trace and gives the answers in order. */
export async function takeAll(underTest: RateUnderTest, requests: readonly RateRequest[]): Promise<RateResult[]> {
  const taken: RateResult[] = []
  for (const { key, at, amount } of requests) {
    const answer = underTest.take(key, at, amount)
    taken.push(isPromise(answer) ? await answer : answer)
  }
  return taken
}
