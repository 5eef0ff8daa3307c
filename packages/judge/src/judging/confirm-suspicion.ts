/** Confirms a suspicion: repeats its shrunk trace three times with nothing else running. */
import type { History, Statement, Trace } from '../trace/trace-and-history.ts'
import { isNotRun } from './prober.ts'
import type { Budget } from './run-budget.ts'
import { shrinkSuspicion } from './shrink-suspicion.ts'
import type { Suspicion } from './suspicion.ts'

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
  /** What would explain everything that was seen. */
  readonly cause?: string
}

/** Shrinks with a part of the time that is left, and repeats the shortest trace three times, with nothing else running. */
export async function confirm(suspicion: Suspicion, budget: Budget): Promise<Confirmed> {
  const { deadline } = budget
  const shrunk = await shrinkSuspicion(suspicion, budget, repetitions)
  const first = await repeat(suspicion, shrunk, deadline)
  if (first.seen === repetitions || shrunk === suspicion.history.trace) return first
  // The shortest trace does not always show it: try the original one.
  const second = await repeat(suspicion, suspicion.history.trace, deadline)
  return second.seen > first.seen ? second : first
}

async function repeat(suspicion: Suspicion, trace: Trace, deadline: number): Promise<Confirmed> {
  let last = { history: suspicion.history, statement: suspicion.statement }
  let seen = 0
  let repeated = 0
  let spare = spareRepetitions
  while (repeated < repetitions) {
    const history = await suspicion.repeat(trace, deadline)
    if (isNotRun(history)) return { suspicion, ...last, seen, repeated, notRun: history.notRun }
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
  return { suspicion, ...last, seen, repeated }
}

/** True if this machine sent a step or received its first response so late that the trace is another one. */
function isLate({ trace, startedAt, groups }: History): boolean {
  return trace.steps.some(({ atMs }, step) => {
    const first = groups.find((group) => group.step === step)
    return first !== undefined && first.answeredAt - startedAt - atMs > lateMs
  })
}
