/** The result of `npm run bench`, as it is written to a file. */
import { readFileSync } from 'node:fs'
import type { Machine } from '../measure/machine.ts'
import type { Row } from './table.ts'

const kind = 'turnpike-benchmarks'

export interface PartRow extends Row {
  /** Heading of its table. */
  readonly part: string
  /** All rounds come from one process, whose speed differs from that of another process of the same program. */
  readonly oneProcess?: boolean
}

export interface BenchResult {
  readonly kind: typeof kind
  /** ISO 8601. */
  readonly at: string
  readonly quick: boolean
  /** Rounds of parts that compare processes. */
  readonly rounds: number
  readonly machine: Machine
  /** CPU time of the calibration workload in microseconds, by part: the speed of this machine while the part ran. */
  readonly calibration: Readonly<Record<string, readonly number[]>>
  readonly rows: readonly PartRow[]
}

export function makeResult(facts: Omit<BenchResult, 'kind'>): BenchResult {
  return { kind, ...facts }
}

/** Reads a result that an earlier run wrote. */
export function readResult(file: string): { readonly result: BenchResult } | { readonly problem: string } {
  let result: Partial<BenchResult> | null
  try {
    result = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    return { problem: cause instanceof Error ? cause.message : String(cause) }
  }
  if (!Array.isArray(result?.rows)) return { problem: 'is not a result of npm run bench: write one with --json FILE' }
  if (result.kind !== kind) {
    return { problem: 'was written by an older version, without the rounds that a comparison needs: measure it again' }
  }
  return { result: result as BenchResult }
}
