/**
 * Searches for a trace that breaks a guarantee until the time is over. It generates batches of traces, each batch
 * from a seed of its own, and shrinks the first trace that fails.
 */
import fc from 'fast-check'
import type { PropertyFilter } from './property-filter.ts'
import { runTrace, type TraceRun, type TraceRunOptions } from './run-trace.ts'
import { plainer, type TraceCase, traceCases } from './trace-case.ts'
import type { Moment, Violation } from './violation.ts'

export interface SearchOptions {
  readonly seed: number
  /** Time limit for generating traces; at least one batch is tried. Shrinking may take the same time again. */
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
  /** Descriptions of the limits that some trace reached. */
  readonly reached: ReadonlySet<string>
  readonly broken: Broken | undefined
}

export interface Broken {
  readonly violation: Violation
  /** The shortest trace found, in order. */
  readonly moments: readonly Moment[]
  /** The seed that reproduces it in the first batch. */
  readonly seed: number
}

/** Number of traces between two checks of the time limit. */
const tracesPerBatch = 25

export async function search(parts: TraceRunOptions, options: SearchOptions): Promise<SearchReport> {
  const { seed, milliseconds, filter, now, onProgress, trials: maxTrials = 300 } = options
  const reached = new Set<string>()
  const nothing: SearchReport = { traces: 0, requests: 0, reached, broken: undefined }
  if (parts.keyKinds.length === 0) return nothing
  const until = now() + milliseconds
  let traces = 0
  let requests = 0
  let trials = 0
  let found = false
  let best: { readonly drawn: TraceCase; readonly run: TraceRun } | undefined
  const property = fc.asyncProperty(traceCases(parts.keyKinds.length, filter), async (drawn) => {
    if (found && trials > maxTrials) return
    if (found) trials += 1
    const run = await runTrace(drawn, parts)
    if (!found) {
      traces += 1
      requests += run.requests
      for (const words of run.reached) reached.add(words)
    }
    onProgress?.({ traces, requests, shortening: found })
    if (run.violation === undefined || !filter.counts(run.violation.property)) return
    found = true
    best = { drawn, run }
    throw new Error(run.violation.sentence)
  })
  for (let batch = 0; batch === 0 || now() < until; batch += 1) {
    const batchSeed = seed + batch
    const details = await fc.check(property, { numRuns: tracesPerBatch, seed: batchSeed })
    if (!details.failed) continue
    if (best === undefined) throw details.errorInstance
    const { violation, moments } = await plainest(best.drawn, best.run, parts, filter)
    if (violation !== undefined) return { traces, requests, reached, broken: { violation, moments, seed: batchSeed } }
  }
  return { traces, requests, reached, broken: undefined }
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
