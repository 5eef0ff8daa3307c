/** Shrinks the trace of a suspicion to the fewest requests that still show the mistake. */
import { durationOf, requestsOf, type Step, type Trace } from '../trace/trace-and-history.ts'
import { isNotRun } from './prober.ts'
import type { Budget } from './run-budget.ts'
import type { Suspicion } from './suspicion.ts'

/**
 * Repeatedly takes the first smaller trace that still shows the mistake. It ends if none does, if a third of the time
 * is used, or if the rest of the time or of the requests is needed for the repetitions that confirm the suspicion.
 */
export async function shrinkSuspicion(suspicion: Suspicion, budget: Budget, repetitions: number): Promise<Trace> {
  const { timer } = budget
  const left = budget.deadline - timer.now()
  const until = timer.now() + Math.min(left / 3, left - 1.1 * repetitions * durationOf(suspicion.history.trace))
  // What comes after a request cannot change its decision, so this cut needs no proof of its own.
  let best = cutAfter(suspicion.history.trace, suspicion.history.groups[suspicion.statement.group]?.step)
  for (let improved = true; improved; ) {
    improved = false
    for (const candidate of smaller(best)) {
      if (timer.now() + durationOf(candidate) > until) continue
      if (budget.left() - requestsOf(candidate) < 2 * repetitions * requestsOf(best)) continue
      const history = await suspicion.repeat(candidate, until)
      if (isNotRun(history)) continue
      if (suspicion.check(history)?.mistake !== suspicion.statement.mistake) continue
      best = candidate
      improved = true
      break
    }
  }
  return best
}

/** Requests after the one that shows the mistake are not needed. */
function cutAfter(trace: Trace, step: number | undefined): Trace {
  if (step === undefined || step >= trace.steps.length - 1) return trace
  return { ...trace, steps: trace.steps.slice(0, step + 1) }
}

/** Smaller traces, the smallest first. */
function smaller(trace: Trace): readonly Trace[] {
  const { steps, startPhaseMs } = trace
  const anywhere = startPhaseMs === undefined ? [] : [{ steps }]
  const without = steps.length > 1 ? steps.map((_, i) => steps.filter((__, j) => j !== i)) : []
  const fewer = steps.flatMap((step, i) =>
    [Math.floor(step.count / 4), Math.floor(step.count / 2), Math.floor(step.count * 0.8), step.count - 1]
      .filter((count, at, all) => count >= 1 && count < step.count && all.indexOf(count) === at)
      .map((count) => steps.map((other, j): Step => (j === i ? { ...other, count } : other))),
  )
  return [...anywhere, ...[...without, ...fewer].map((kept) => ({ ...trace, steps: fromZero(kept) }))]
}

function fromZero(steps: readonly Step[]): readonly Step[] {
  const first = steps[0]?.atMs ?? 0
  return first === 0 ? steps : steps.map((step) => ({ ...step, atMs: step.atMs - first }))
}
