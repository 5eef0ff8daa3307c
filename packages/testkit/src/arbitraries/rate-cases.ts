/** Generates a rate limit and a trace of requests at its edges. */
import type { Millis } from '@turnpike/core/lib'
import fc from 'fast-check'
import { checkOptions } from '../check-input.ts'
import { virtualEpoch } from '../virtual-clock.ts'
import { decodeTrace, type RateRequest, shapeChecks, showTrace, stepCodes, type TraceShape } from './traces.ts'

/** `rate` requests in `per` seconds, as in a definition. Both may be fractions. */
export interface WrittenRate {
  readonly rate: number
  readonly per: number
}

export interface RateCase {
  readonly limit: WrittenRate
  readonly requests: readonly RateRequest[]
}

/** Rates and periods. Simple values come first, because shrinking moves towards the front of the list. */
export const writtenRates: fc.Arbitrary<WrittenRate> = fc.record({
  rate: fc.constantFrom(1, 2, 3, 5, 8, 1.5, 2.7, 0.5, 3.999, 13, 40),
  per: fc.constantFrom(1, 2, 10, 60, 3600, 1.5, 2.9),
})

/** Returns the first instant of a trace: at the edge of a window, next to it, or anywhere. */
export function startOf(code: number, windowMs: Millis): Millis {
  const offsets = [0, 1, windowMs - 1, Math.floor(windowMs / 2), code % windowMs]
  return virtualEpoch + (offsets[code % offsets.length] as number)
}

/** Generates cases; `shape` sets the number of keys and the clock steps. */
export function rateCases(shape: Omit<TraceShape, 'windowMs' | 'limit'> = {}): fc.Arbitrary<RateCase> {
  const { keys, amounts, clockSteps } = shapeChecks
  checkOptions('rateCases', shape, { keys, amounts, clockSteps })
  return fc.tuple(writtenRates, fc.nat(0xff_ffff), stepCodes()).map(([limit, startCode, codes]) => {
    const windowMs = Math.max(1, Math.floor(limit.per)) * 1000
    const maxRequests = Math.max(1, Math.floor(limit.rate))
    return {
      limit,
      requests: decodeTrace(codes, startOf(startCode, windowMs), { ...shape, windowMs, limit: maxRequests }),
    }
  })
}

/** Formats a case for a report. */
export function showRateCase({ limit, requests }: RateCase): string {
  return `  rate ${limit.rate} per ${limit.per} s\n${showTrace(requests)}`
}
