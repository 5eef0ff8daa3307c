/** Property 22, against a model that keeps all times of requests. */
import type { Millis } from '@turnpike/core/lib'
import type { RateResult } from '@turnpike/core/ports'
import fc from 'fast-check'
import { virtualEpoch } from '../virtual-clock.ts'
import { makeProperty } from './property.ts'
import type { SmoothedLimit, SmoothedSubject } from './subjects/smoothed-rates.ts'

interface SmoothedCase {
  readonly limit: SmoothedLimit
  /** Bursts of `count` requests, `afterMs` after the previous one. */
  readonly bursts: readonly { readonly afterMs: Millis; readonly count: number }[]
}

const limits: fc.Arbitrary<SmoothedLimit> = fc.record({
  rate: fc.integer({ min: 1, max: 12 }),
  per: fc.integer({ min: 1, max: 4 }),
  smoothing: fc.record({
    threshold: fc.integer({ min: 1, max: 14 }),
    trigger: fc.constantFrom(1, 0.5, 2),
    step: fc.integer({ min: 1, max: 5 }),
    delay: fc.integer({ min: 1, max: 5 }),
  }),
})

/** Pauses at the edges of windows and delays, which are whole seconds, and next to them. */
const pauses = fc
  .tuple(fc.nat(6), fc.constantFrom(0, -1, 1, 400))
  .map(([seconds, more]) => Math.max(0, seconds * 1000 + more))

const bursts = fc.array(fc.record({ afterMs: pauses, count: fc.integer({ min: 1, max: 8 }) }), {
  minLength: 1,
  maxLength: 14,
})

/** Pauses are shorter than two delays, because stores may forget an allowance that no request used for longer. */
const cases: fc.Arbitrary<SmoothedCase> = fc.record({ limit: limits, bursts }).map(({ limit, bursts: drawn }) => {
  const longest = 2000 * limit.smoothing.delay - 1
  return { limit, bursts: drawn.map(({ afterMs, count }) => ({ afterMs: Math.min(afterMs, longest), count })) }
})

export const smoothingProperty = makeProperty<SmoothedSubject, SmoothedCase>({
  number: 22,
  name: 'smoothing',
  statement:
    'The allowance begins at the threshold, and changes at most once per delay and by one step: up, at most to the rate, if count ≥ allowance − trigger · step; down, at least to the threshold, if count ≤ allowance − step − trigger · step. Requests are decided with the allowance in place of the rate, and each change is reported.',
  cases,
  requestsOf: ({ bursts }) => bursts.reduce((sum, { count }) => sum + count, 0),
  show: showCase,
  async check({ algorithm, make }, { limit, bursts }) {
    const consume = make(limit)
    const model = new SmoothedModel(limit, algorithm === 'sentinel')
    let at = virtualEpoch
    let request = 0
    for (const { afterMs, count } of bursts) {
      at += afterMs
      for (let i = 0; i < count; i++) {
        const expected = model.consume(at)
        const wrong = difference(await consume(at), expected)
        if (wrong !== undefined) return `request ${request} at ${at - virtualEpoch} ms ${wrong}`
        request += 1
      }
    }
    return undefined
  },
})

interface ExpectedResult {
  readonly allowed: boolean
  readonly moved: 'up' | 'down' | undefined
  readonly count: number
  readonly allowance: number
}

function difference({ allowed, allowanceMoved }: RateResult, expected: ExpectedResult): string | undefined {
  const { count, allowance, moved } = expected
  if (allowed !== expected.allowed) {
    return `is ${allowed ? 'admitted' : 'rejected'}, with ${count} counted before it and an allowance of ${allowance}`
  }
  if (allowanceMoved === moved) return undefined
  return `reports the change ${allowanceMoved ?? 'none'} of the allowance, expected: ${moved ?? 'none'}`
}

/** The simplest smoothed counter: the times of all requests of the window. */
class SmoothedModel {
  private readonly limit: SmoothedLimit
  private readonly isSentinel: boolean
  private times: Millis[] = []
  private allowance: number | undefined
  private changesFrom = 0
  private blockedUntil = 0

  constructor(limit: SmoothedLimit, isSentinel: boolean) {
    this.limit = limit
    this.isSentinel = isSentinel
  }

  consume(at: Millis): ExpectedResult {
    const windowMs = this.limit.per * 1000
    this.times = this.times.filter((time) => time > at - windowMs)
    const count = this.times.length
    const moved = this.moveAllowance(at, count)
    const allowance = this.allowance ?? 0
    this.times.push(at)
    return { allowed: this.decide(at, count, allowance), moved, count, allowance }
  }

  private decide(at: Millis, count: number, allowance: number): boolean {
    if (!this.isSentinel) return count < allowance
    const allowed = at >= this.blockedUntil
    if (allowed && count + 1 >= allowance) this.blockedUntil = at + this.limit.per * 1000
    return allowed
  }

  private moveAllowance(at: Millis, count: number): 'up' | 'down' | undefined {
    const { rate, smoothing } = this.limit
    const { threshold, trigger, step, delay } = smoothing
    const least = Math.min(threshold, rate)
    if (this.allowance === undefined) {
      this.allowance = least
      this.changesFrom = at + delay * 1000
      return undefined
    }
    const before = this.allowance
    if (at < this.changesFrom) return undefined
    const margin = trigger * step
    if (count >= before - margin) this.allowance = Math.min(rate, before + step)
    else if (count <= before - step - margin) this.allowance = Math.max(least, before - step)
    if (this.allowance === before) return undefined
    this.changesFrom = at + delay * 1000
    return this.allowance > before ? 'up' : 'down'
  }
}

function showCase({ limit: { rate, per, smoothing }, bursts }: SmoothedCase): string {
  const { threshold, trigger, step, delay } = smoothing
  let at = 0
  return [
    `  rate ${rate} per ${per} s, threshold ${threshold}, trigger ${trigger}, step ${step}, delay ${delay} s`,
    ...bursts.map(({ afterMs, count }) => {
      at += afterMs
      return `  ${at} ms: ${count} ${count === 1 ? 'request' : 'requests'}`
    }),
  ].join('\n')
}
