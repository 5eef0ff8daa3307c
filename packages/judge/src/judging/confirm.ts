/** Shrinks a suspicion to the fewest requests, and repeats it alone. */
import { clockMs } from '../http/raw-client.ts'
import { durationOf, type History, type Step, type Trace } from '../trace/trace-and-history.ts'
import { isNotRun } from './prober.ts'
import type { Statement, Suspicion } from './suspicion.ts'

export const repetitions = 3
/** How often a repetition is sent again because it was late. */
const spareRepetitions = 3
const lateMs = 10

export interface Confirmed {
  readonly suspicion: Suspicion
  /** The last history that shows it. */
  readonly history: History
  readonly statement: Statement
  /** How often the repetition showed the same mistake. */
  readonly seen: number
  /** How often it was repeated; fewer than three if the budget ended. */
  readonly repeated: number
  readonly notRun?: string
}

/** Shrinks with a part of the time that is left, and repeats the shortest trace three times, with nothing else running. */
export async function confirm(suspicion: Suspicion, deadline: number): Promise<Confirmed> {
  const shrunk = suspicion.canShrink ? await shrink(suspicion, deadline) : suspicion.history.trace
  const first = await repeat(suspicion, shrunk, deadline)
  if (first.seen === repetitions || shrunk === suspicion.history.trace) return first
  // The shortest trace does not always show it: try the original one.
  const second = await repeat(suspicion, suspicion.history.trace, deadline)
  return second.seen > first.seen ? second : first
}

async function repeat(suspicion: Suspicion, trace: Trace, deadline: number): Promise<Confirmed> {
  let last: { history: History; statement: Statement } = suspicion
  let seen = 0
  let repeated = 0
  let spare = spareRepetitions
  while (repeated < repetitions) {
    const history = await suspicion.repeat(trace, deadline)
    if (isNotRun(history)) return { suspicion, ...pick(last), seen, repeated, notRun: history.notRun }
    const statement = suspicion.check(history)
    if (statement?.mistake === suspicion.statement.mistake) {
      seen += 1
      last = { history, statement }
    } else if (spare > 0 && isLate(history)) {
      spare -= 1
      continue
    }
    repeated += 1
  }
  return { suspicion, ...pick(last), seen, repeated }
}

/** True if this machine sent a step or received its first response so late that the trace is another one. */
function isLate({ trace, startedAt, groups }: History): boolean {
  return trace.steps.some(({ atMs }, step) => {
    const first = groups.find((group) => group.step === step)
    return first !== undefined && first.answeredAt - startedAt - atMs > lateMs
  })
}

const pick = ({ history, statement }: { history: History; statement: Statement }) => ({ history, statement })

/**
 * Greedy: takes the first smaller trace that still shows the mistake, until none does, a third of the time is used, or
 * what is left is needed for the repetitions.
 */
async function shrink(suspicion: Suspicion, deadline: number): Promise<Trace> {
  const left = deadline - clockMs()
  const until = clockMs() + Math.min(left / 3, left - 1.1 * repetitions * durationOf(suspicion.history.trace))
  // What comes after a request cannot change its decision, so this cut needs no proof of its own.
  let best = cutAfter(suspicion.history.trace, suspicion.history.groups[suspicion.statement.group]?.step)
  for (let improved = true; improved; ) {
    improved = false
    for (const candidate of smaller(best)) {
      if (clockMs() + durationOf(candidate) > until) continue
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
