/** Shrinks a trace to the fewest requests that still show a difference in the last response. */
import type { TraceStep } from './client-messages.ts'

export interface ShrunkDifference {
  readonly trace: readonly TraceStep[]
  /** False if not even the trace itself shows the difference in one of three repetitions. */
  readonly isRepeatable: boolean
}

/** Removes parts of the trace, large ones first, then pauses and bodies, until nothing can be removed or `isOver` returns true. */
export async function shrinkDifference(
  trace: readonly TraceStep[],
  shows: (trace: readonly TraceStep[]) => Promise<boolean>,
  isOver: () => boolean,
): Promise<ShrunkDifference> {
  if (isOver()) return { trace, isRepeatable: true }
  if (!(await showsOnce(trace, shows, isOver))) return { trace, isRepeatable: false }
  let best = trace
  let size = best.length - 1
  while (size > 0) {
    const before = best.length
    // The last request shows the difference and stays.
    for (let from = best.length - 1 - size; from >= 0 && !isOver(); from -= size) {
      const fewer = [...best.slice(0, from), ...best.slice(from + size)]
      if (await shows(fewer)) best = fewer
    }
    if (isOver()) return { trace: best, isRepeatable: true }
    // A step of the same size can succeed again after another one was removed.
    size = best.length < before ? Math.min(size, best.length - 1) : Math.floor(size / 2)
  }
  for (const index of best.keys()) {
    for (const simplify of simplifications) {
      const step = best[index] as TraceStep
      const simpler = simplify(step)
      if (simpler === undefined || isOver()) continue
      const candidate = best.with(index, simpler)
      if (await shows(candidate)) best = candidate
    }
  }
  return { trace: best, isRepeatable: true }
}

const repetitions = 3

/** Whether one of three repetitions shows the difference. True if there is no time to find out. */
async function showsOnce(
  trace: readonly TraceStep[],
  shows: (trace: readonly TraceStep[]) => Promise<boolean>,
  isOver: () => boolean,
): Promise<boolean> {
  for (let i = 0; i < repetitions; i += 1) {
    if ((await shows(trace)) || isOver()) return true
  }
  return false
}

/** Each returns a simpler step, or `undefined` if the step is as simple already. */
const simplifications: readonly ((step: TraceStep) => TraceStep | undefined)[] = [
  (step) => (step.waitMs === 0 ? undefined : { ...step, waitMs: 0 }),
  ({ waitMs, request }) =>
    request.method === 'GET' && request.body === undefined
      ? undefined
      : { waitMs, request: { ...request, method: 'GET', body: undefined } },
  ({ waitMs, request }) =>
    request.body === undefined ? undefined : { waitMs, request: { ...request, body: undefined } },
]
