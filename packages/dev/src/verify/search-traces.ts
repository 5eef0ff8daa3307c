/**
 * Searches for a trace that breaks a guarantee until the time is over. It tries batches of traces of
 * `generate-traces.ts`, each batch from a seed of its own. `shrink-trace.ts` shrinks the first trace that fails.
 */
import fc from 'fast-check'
import { addCoverage, type Coverage, type CoverageMap } from './coverage.ts'
import { exhaustingCases, type TraceCase, traceCases } from './generate-traces.ts'
import type { PropertyFilter } from './property-filter.ts'
import { runTrace, type TraceRunOptions } from './run-trace.ts'
import { isFailing, TraceShrinker } from './shrink-trace.ts'
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
  readonly isShrinking: boolean
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

export async function searchTraces(runOptions: TraceRunOptions, options: SearchOptions): Promise<SearchReport> {
  const { seed, milliseconds, filter, now, onProgress, trials: maxTrials = 300 } = options
  const coverage = new Map<string, Coverage>()
  const until = now() + milliseconds
  const count = { traces: 0, requests: 0 }
  if (runOptions.keyKinds.length === 0) return { ...count, coverage, broken: undefined }
  let shrinker: TraceShrinker | undefined
  let isFirstBatch = true
  const property = fc.asyncProperty(traceCases(runOptions.keyKinds.length, filter), async (traceCase) => {
    // After the first failure, fast-check calls this function with simpler traces.
    if (shrinker !== undefined) {
      const run = await shrinker.tryTrace(traceCase)
      if (run === undefined) return
      onProgress?.({ ...count, isShrinking: true })
      if (isFailing(run, filter)) throw new Error(run.violation.sentence)
      return
    }
    if (!isFirstBatch && now() >= until) return
    const run = await runTrace(traceCase, runOptions)
    count.traces += 1
    count.requests += run.requests
    addCoverage(coverage, run.coverage)
    onProgress?.({ ...count, isShrinking: false })
    if (!isFailing(run, filter)) return
    const limits = { maxTrials, until: Math.max(until, now() + minShrinkMs), now }
    shrinker = new TraceShrinker({ traceCase, run }, runOptions, filter, limits)
    throw new Error(run.violation.sentence)
  })
  const exhausting = exhaustingCases(runOptions.keyKinds).slice(0, maxExhausting)
  for (let batch = 0; isFirstBatch || now() < until; batch += 1) {
    const batchSeed = seed + batch
    const examples = (isFirstBatch ? exhausting : []).map((one): [TraceCase] => [one])
    const numRuns = tracesPerBatch + examples.length
    const details = await fc.check(property, { numRuns, seed: batchSeed, examples })
    isFirstBatch = false
    if (!details.failed) continue
    if (shrinker === undefined) throw details.errorInstance
    const { stoppedEarly } = shrinker
    const { violation, moments } = await shrinker.removeUnneededEvents()
    return { ...count, coverage, broken: { violation, moments, seed: batchSeed, stoppedEarly } }
  }
  return { ...count, coverage, broken: undefined }
}
