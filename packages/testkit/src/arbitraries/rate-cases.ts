/** A limit and a trace that troubles it. */
import type { Millis } from '@turnpike/core'
import fc from 'fast-check'
import { virtualEpoch } from '../virtual-clock.ts'
import { decodeTrace, type RateRequest, showTrace, stepCodes, type TraceShape } from './traces.ts'

/** `rate` requests in `per` seconds, as they are written in a definition; both may be fractions. */
export interface WrittenRate {
  readonly rate: number
  readonly per: number
}

export interface RateCase {
  readonly limit: WrittenRate
  readonly requests: readonly RateRequest[]
}

/** Rates and periods, plain ones first: whole numbers, fractions below and above one, large ones. */
export const writtenRates: fc.Arbitrary<WrittenRate> = fc.record({
  rate: fc.constantFrom(1, 2, 3, 5, 8, 1.5, 2.7, 0.5, 3.999, 13, 40),
  per: fc.constantFrom(1, 2, 10, 60, 3600, 1.5, 2.9),
})

/** Where a trace begins: at a window's edge, beside it, or anywhere. */
export function startOf(code: number, windowMs: Millis): Millis {
  const offsets = [0, 1, windowMs - 1, Math.floor(windowMs / 2), code % windowMs]
  return virtualEpoch + (offsets[code % offsets.length] as number)
}

/** Draws cases. */
export function rateCases(shape: Omit<TraceShape, 'windowMs' | 'most'> = {}): fc.Arbitrary<RateCase> {
  return fc.tuple(writtenRates, fc.nat(0xff_ffff), stepCodes()).map(([limit, startCode, codes]) => {
    const windowMs = Math.max(1, Math.floor(limit.per)) * 1000
    const most = Math.max(1, Math.floor(limit.rate))
    return { limit, requests: decodeTrace(codes, startOf(startCode, windowMs), { ...shape, windowMs, most }) }
  })
}

/** A case for people. */
export function showRateCase({ limit, requests }: RateCase): string {
  return `  rate ${limit.rate} per ${limit.per} s\n${showTrace(requests)}`
}
