/** Generates the limits of token and leaky buckets, and traces of requests at their edges. */

import fc from 'fast-check'
import type { FlowLimit } from '../limiters/limiter.ts'
import { startOf } from './rate-cases.ts'
import { decodeTrace, type RateRequest, showTrace, stepCodes } from './traces.ts'

export interface FlowCase {
  readonly limit: FlowLimit
  readonly requests: readonly RateRequest[]
}

/** Limits whose interval between requests is a whole number of milliseconds, and limits whose interval is not. */
export const flowLimits: fc.Arbitrary<FlowLimit> = fc.record({
  count: fc.constantFrom(1, 2, 3, 7, 10, 100, 1_000_000),
  periodMs: fc.constantFrom(1000, 997, 60_000, 1, 3_600_000),
  burst: fc.constantFrom(1, 2, 3, 5, 10),
})

/** Cases with one key and amounts from 1 to 3. */
export const flowCases: fc.Arbitrary<FlowCase> = fc
  .tuple(flowLimits, fc.nat(0xff_ffff), stepCodes())
  .map(([limit, startCode, codes]) => {
    const windowMs = Math.max(1, Math.ceil((limit.burst * limit.periodMs) / limit.count))
    const shape = { windowMs, limit: limit.burst, amounts: 3 }
    return { limit, requests: decodeTrace(codes, startOf(startCode, windowMs), shape) }
  })

/** Formats a case for a report. */
export function showFlowCase({ limit, requests }: FlowCase): string {
  const { count, periodMs, burst } = limit
  return `  ${count} in ${periodMs} ms, burst ${burst}\n${showTrace(requests)}`
}
