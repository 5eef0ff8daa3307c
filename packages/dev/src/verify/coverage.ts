/** How close the traces came to each guarantee. A guarantee whose limit no trace reached is not verified. */

import { number } from './format-text.ts'
import { wholeAmount } from './limit-model.ts'
import type { RequestLimit } from './limits-of-request.ts'

export interface Coverage {
  /** Number of requests that the limit allows. */
  readonly limit: number
  /** The most requests that counted against the limit at one time; at most `limit`. */
  readonly closest: number
  /** Number of requests that the limit had to reject. */
  readonly rejected: number
  /** Number of traces with a request that counted. */
  readonly traces: number
}

/** By the words of the guarantee. */
export type CoverageMap = ReadonlyMap<string, Coverage>

export interface CoverageCount {
  readonly byWords: CoverageMap
  /** Counts one decision; `used` is the number of earlier requests that count at that time. */
  add(limit: RequestLimit, allowed: boolean, used: number): void
}

/** Counts the decisions of one trace. */
export function makeCoverageCount(): CoverageCount {
  const byWords = new Map<string, { limit: number; closest: number; rejected: number; traces: 1 }>()
  return {
    byWords,
    add({ words, amount }, allowed, used) {
      let entry = byWords.get(words)
      if (entry === undefined) {
        entry = { limit: wholeAmount(amount).most, closest: 0, rejected: 0, traces: 1 }
        byWords.set(words, entry)
      }
      entry.closest = Math.min(entry.limit, Math.max(entry.closest, allowed ? used + 1 : used))
      if (!allowed) entry.rejected += 1
    },
  }
}

/** Adds the counts of a trace to those of earlier ones. */
export function addCoverage(sum: Map<string, Coverage>, trace: CoverageMap): void {
  for (const [words, one] of trace) {
    const before = sum.get(words)
    sum.set(words, {
      limit: one.limit,
      closest: Math.max(before?.closest ?? 0, one.closest),
      rejected: (before?.rejected ?? 0) + one.rejected,
      traces: (before?.traces ?? 0) + one.traces,
    })
  }
}

/** A guarantee is exercised if a trace reached its limit, so that it had to reject a request. */
export function isExercised(coverage: Coverage | undefined): boolean {
  return (coverage?.rejected ?? 0) > 0
}

/** Cells of a table: `10 of 10`, the number of rejected requests, the number of traces. */
export function coverageCells(coverage: Coverage | undefined): string[] {
  if (coverage === undefined) return ['-', '0', '0']
  const { limit, closest, rejected, traces } = coverage
  return [`${number(closest)} of ${number(limit)}`, number(rejected), number(traces)]
}

/** `reached 10 of 10, rejected 37 requests, in 41 traces`. */
export function coverageWords(coverage: Coverage | undefined): string {
  if (coverage === undefined) return 'never exercised: no trace sent a request that counts'
  const [closest, rejected, traces] = coverageCells(coverage)
  const where = `in ${traces} ${coverage.traces === 1 ? 'trace' : 'traces'}`
  if (!isExercised(coverage)) return `never exercised: the closest trace came to ${closest}, ${where}`
  return `reached ${closest}, rejected ${rejected} ${coverage.rejected === 1 ? 'request' : 'requests'}, ${where}`
}
