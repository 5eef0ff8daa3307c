/**
 * Searches for a trace that breaks a guarantee until the time is over. It generates batches of traces, each batch
 * from a seed of its own, and shrinks the first trace that fails.
 */
import fc from 'fast-check'
import { addCoverage, type Coverage, type CoverageMap } from './coverage.ts'
import type { PropertyFilter } from './property-filter.ts'
import { runTrace, type TraceRun, type TraceRunOptions } from './run-trace.ts'
import { exhaustingCases, plainer, type TraceCase, traceCases } from './trace-case.ts'
import type { Moment, Violation } from './violation.ts'

export interface SearchOptions {
  readonly seed: number
  /** Time limit of the search with shrinking. At least one batch is tried, and shrinking has at least `minShrinkMs`. */
  readonly milliseconds: number
  readonly filter: PropertyFilter
  /** Maximum number of trials for shrinking. Default 300. */
  readonly trials?: number | undefined
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
  onProgress?(progress: Progress): void
}

export interface Progress {
  readonly traces: number
  readonly requests: number
  /** A broken guarantee was found, and its trace is being shrunk. */
  readonly shortening: boolean
}

export interface SearchReport {
  readonly traces: number
  readonly requests: number
  readonly coverage: CoverageMap
  readonly broken: Broken | undefined
}

export interface Broken {
  readonly violation: Violation
  /** The shortest trace found, in order. */
  readonly moments: readonly Moment[]
  /** The seed that reproduces it in the first batch. */
  readonly seed: number
  /** Shrinking ended because the time or the trials were used up, so that a shorter trace can exist. */
  readonly stoppedEarly: boolean
}

/** Number of traces between two checks of the time limit. */
const tracesPerBatch = 25

/** Minimum time for shrinking, also with a time limit of 0. */
const minShrinkMs = 5000

/** Maximum number of traces that only exhaust one limit. They run in the first batch, regardless of the time limit. */
const maxExhausting = 100

export async function search(parts: TraceRunOptions, options: SearchOptions): Promise<SearchReport> {
  const { seed, milliseconds, filter, now, onProgress, trials: maxTrials = 300 } = options
  const coverage = new Map<string, Coverage>()
  const until = now() + milliseconds
  const count = { traces: 0, requests: 0, trials: 0 }
  if (parts.keyKinds.length === 0) return { ...count, coverage, broken: undefined }
  let first: { readonly shrinkUntil: number } | undefined
  let stoppedEarly = false
  let isFirstBatch = true
  let best: { readonly drawn: TraceCase; readonly run: TraceRun } | undefined
  const property = fc.asyncProperty(traceCases(parts.keyKinds.length, filter), async (drawn) => {
    if (first === undefined && !isFirstBatch && now() >= until) return
    if (first !== undefined) {
      if (count.trials >= maxTrials || now() >= first.shrinkUntil) {
        stoppedEarly = true
        return
      }
      count.trials += 1
    }
    const run = await runTrace(drawn, parts)
    if (first === undefined) {
      count.traces += 1
      count.requests += run.requests
      addCoverage(coverage, run.coverage)
    }
    onProgress?.({ ...count, shortening: first !== undefined })
    if (run.violation === undefined || !filter.counts(run.violation.property)) return
    first ??= { shrinkUntil: Math.max(until, now() + minShrinkMs) }
    best = { drawn, run }
    throw new Error(run.violation.sentence)
  })
  const exhausting = exhaustingCases(parts.keyKinds).slice(0, maxExhausting)
  for (let batch = 0; isFirstBatch || now() < until; batch += 1) {
    const batchSeed = seed + batch
    const examples = (isFirstBatch ? exhausting : []).map((one): [TraceCase] => [one])
    const numRuns = tracesPerBatch + examples.length
    const details = await fc.check(property, { numRuns, seed: batchSeed, examples })
    isFirstBatch = false
    if (!details.failed) continue
    if (best === undefined) throw details.errorInstance
    const { violation, moments } = await plainest(best.drawn, best.run, parts, filter)
    if (violation !== undefined)
      return { ...count, coverage, broken: { violation, moments, seed: batchSeed, stoppedEarly } }
  }
  return { ...count, coverage, broken: undefined }
}

/** Removes whole groups of events that are not needed for the failure, so that the report names the right property. */
async function plainest(
  drawn: TraceCase,
  run: TraceRun,
  parts: TraceRunOptions,
  filter: PropertyFilter,
): Promise<TraceRun> {
  let best = { drawn, run }
  for (const simplify of plainer) {
    const candidate = simplify(best.drawn)
    const tried = await runTrace(candidate, parts)
    if (tried.violation !== undefined && filter.counts(tried.violation.property))
      best = { drawn: candidate, run: tried }
  }
  return best.run
}
