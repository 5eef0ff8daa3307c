/** Property 21, against a model that performs the checks in the order of their times. */
import type { Millis } from '@turnpike/core/lib'
import fc from 'fast-check'
import { virtualEpoch } from '../virtual-clock.ts'
import { makeProperty } from './property.ts'
import type { ThrottledLimit, ThrottledResponse, ThrottlingSubject } from './subjects/throttling-subject.ts'

interface ThrottledCase {
  readonly limit: ThrottledLimit
  readonly pausesMs: readonly Millis[]
}

const cases: fc.Arbitrary<ThrottledCase> = fc.record({
  limit: fc.record({
    rate: fc.integer({ min: 1, max: 4 }),
    per: fc.integer({ min: 1, max: 3 }),
    quotaMax: fc.constantFrom(1000, 3),
    throttleIntervalSeconds: fc.constantFrom(1, 2, 0.5, 0.3),
    throttleRetryLimit: fc.integer({ min: 1, max: 4 }),
  }),
  pausesMs: fc.array(fc.constantFrom(0, 0, 1, 250, 999, 1000, 1001, 3000), { minLength: 1, maxLength: 14 }),
})

export const throttlingProperty = makeProperty<ThrottlingSubject, ThrottledCase>({
  number: 21,
  name: 'throttling',
  statement:
    'A request within the rate is not delayed. One over the rate checks again every throttle_interval: it is admitted at the first of throttle_retry_limit checks at which the rate has room, or rejected after (throttle_retry_limit + 1) · throttle_interval. Each check counts as a request, except with the in-memory limiter. A request that gives up uses no quota, an admitted one uses it once.',
  isExpensive: true,
  cases,
  requestsOf: ({ pausesMs }) => pausesMs.length,
  show: showCase,
  async check(subject, { limit, pausesMs }) {
    const times = timesOf(pausesMs)
    const { responses, quotaUsed } = await subject.play(limit, times)
    const expected = new ThrottledModel(limit, subject.algorithm).play(times)
    for (const [index, time] of times.entries()) {
      const [seen, right] = [responses[index], expected.responses[index]]
      if (seen?.status === right?.status && seen?.afterMs === right?.afterMs) continue
      return `request ${index} at ${time} ms gets ${words(seen)}, expected: ${words(right)}`
    }
    return quotaUsed === expected.quotaUsed
      ? undefined
      : `${quotaUsed} of the quota are used, expected: ${expected.quotaUsed}`
  },
})

const words = (response: ThrottledResponse | undefined) =>
  response === undefined ? 'no response' : `${response.status} after ${response.afterMs} ms`

function timesOf(pausesMs: readonly Millis[]): Millis[] {
  let at = 0
  return pausesMs.map((pause) => {
    at += pause
    return at
  })
}

/** A check of a waiting request. Checks at one time are in the order in which they were scheduled. */
interface Check {
  readonly at: Millis
  readonly request: number
  readonly tried: number
}

class ThrottledModel {
  private readonly limit: ThrottledLimit
  private readonly algorithm: ThrottlingSubject['algorithm']
  private readonly checks: Check[] = []
  private readonly responses: ThrottledResponse[] = []
  private times: readonly Millis[] = []
  private counted: Millis[] = []
  private periodEndsAt = Number.NEGATIVE_INFINITY
  private quotaUsed = 0

  constructor(limit: ThrottledLimit, algorithm: ThrottlingSubject['algorithm']) {
    this.limit = limit
    this.algorithm = algorithm
  }

  play(times: readonly Millis[]): { readonly responses: readonly ThrottledResponse[]; readonly quotaUsed: number } {
    this.times = times
    for (const [request, at] of times.entries()) {
      this.runChecks(at)
      if (this.hasRoom(at, 1)) this.admit(request, at)
      else this.wait(request, at, 1)
    }
    this.runChecks(Number.POSITIVE_INFINITY)
    return { responses: this.responses, quotaUsed: this.quotaUsed }
  }

  private runChecks(until: Millis): void {
    for (let next = this.checks[0]; next !== undefined && next.at <= until; next = this.checks[0]) {
      this.checks.shift()
      const { request, at, tried } = next
      if (tried > this.limit.throttleRetryLimit) this.respond(request, at, 429)
      else if (this.hasRoom(at, this.algorithm === 'local' ? 0 : 1) && this.hasRoom(at, 1)) this.admit(request, at)
      else this.wait(request, at, tried + 1)
    }
  }

  private wait(request: number, from: Millis, tried: number): void {
    const at = from + this.limit.throttleIntervalSeconds * 1000
    const later = this.checks.findIndex((check) => check.at > at)
    this.checks.splice(later < 0 ? this.checks.length : later, 0, { at, request, tried })
  }

  /** Every request over the rate was checked before, so only an admitted one reaches the quota. */
  private admit(request: number, at: Millis): void {
    this.quotaUsed += 1
    this.respond(request, at, this.quotaUsed <= this.limit.quotaMax ? 200 : 403)
  }

  private respond(request: number, at: Millis, status: number): void {
    this.responses[request] = { status, afterMs: at - (this.times[request] ?? 0) }
  }

  /** Counts `amount` requests, as the algorithm does, and returns whether one more is allowed. */
  private hasRoom(at: Millis, amount: 0 | 1): boolean {
    const windowMs = this.limit.per * 1000
    if (this.algorithm === 'rolling') this.counted = this.counted.filter((time) => time > at - windowMs)
    else if (at >= this.periodEndsAt) {
      this.counted = []
      const start =
        this.algorithm === 'fixed' ? Math.floor((virtualEpoch + at) / windowMs) * windowMs - virtualEpoch : at
      if (amount > 0) this.periodEndsAt = start + windowMs
    }
    const isAllowed = this.counted.length < this.limit.rate
    if (amount > 0 && (isAllowed || this.algorithm === 'rolling')) this.counted.push(at)
    return isAllowed
  }
}

function showCase({ limit, pausesMs }: ThrottledCase): string {
  const { rate, per, quotaMax, throttleIntervalSeconds, throttleRetryLimit } = limit
  return [
    `  rate ${rate} per ${per} s, quota ${quotaMax}, throttle_interval ${throttleIntervalSeconds}, throttle_retry_limit ${throttleRetryLimit}`,
    ...timesOf(pausesMs).map((at) => `  ${at} ms: 1 request`),
  ].join('\n')
}
