/** A result that looks wrong, with what is needed to repeat it. */
import type { History, Statement, Trace } from '../trace/trace-and-history.ts'
import type { NotRun } from './prober.ts'

export interface Suspicion {
  /** Name of the attack. */
  readonly attack: string
  readonly title: string
  readonly history: History
  readonly statement: Statement
  /** Sends the trace again; `trace` replaces it while it is being shrunk. */
  repeat(trace: Trace, deadline: number): Promise<History | NotRun>
  /** Says what is wrong with a history; `undefined` if nothing is. */
  check(history: History): Statement | undefined
}
