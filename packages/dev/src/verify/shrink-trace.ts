/**
 * Shrinks a trace that breaks a guarantee. fast-check proposes simpler traces (`search-traces.ts`), and a `TraceShrinker`
 * runs them, within limits of time and trials, and keeps the simplest one that still breaks a guarantee. At the end it
 * tries, without these limits, to leave out whole groups of events.
 */

import { simplifications, type TraceCase } from './generate-traces.ts'
import type { PropertyFilter } from './property-filter.ts'
import { runTrace, type TraceRun, type TraceRunOptions } from './run-trace.ts'
import type { Violation } from './violation.ts'

/** A trace that breaks a guarantee, and its run. */
export interface FailingTrace {
  readonly traceCase: TraceCase
  readonly run: TraceRun & { readonly violation: Violation }
}

export interface ShrinkLimits {
  /** Maximum number of simpler traces to run. */
  readonly maxTrials: number
  /** Time at which shrinking ends, of the clock `now`. */
  readonly until: number
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
}

export class TraceShrinker {
  /** Shrinking ended because the time or the trials were used up. */
  stoppedEarly = false
  private trials = 0
  private simplest: FailingTrace
  private readonly options: TraceRunOptions
  private readonly filter: PropertyFilter
  private readonly limits: ShrinkLimits

  constructor(first: FailingTrace, options: TraceRunOptions, filter: PropertyFilter, limits: ShrinkLimits) {
    this.simplest = first
    this.options = options
    this.filter = filter
    this.limits = limits
  }

  /** Runs a simpler trace, and keeps it if it breaks a guarantee. Returns `undefined` if the limits are used up. */
  async tryTrace(traceCase: TraceCase): Promise<TraceRun | undefined> {
    const { maxTrials, until, now } = this.limits
    if (this.trials >= maxTrials || now() >= until) {
      this.stoppedEarly = true
      return undefined
    }
    this.trials += 1
    return this.runAndKeep(traceCase)
  }

  /** Removes whole groups of events that are not needed for the failure, so that the report names the right property. */
  async removeUnneededEvents(): Promise<FailingTrace['run']> {
    for (const simplify of simplifications) await this.runAndKeep(simplify(this.simplest.traceCase))
    return this.simplest.run
  }

  private async runAndKeep(traceCase: TraceCase): Promise<TraceRun> {
    const run = await runTrace(traceCase, this.options)
    if (isFailing(run, this.filter)) this.simplest = { traceCase, run }
    return run
  }
}

/** Returns true if the run breaks a guarantee that the filter selects. */
export function isFailing(run: TraceRun, filter: PropertyFilter): run is FailingTrace['run'] {
  return run.violation !== undefined && filter.counts(run.violation.property)
}
