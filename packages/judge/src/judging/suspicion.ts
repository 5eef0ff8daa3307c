/** A result that looks wrong, with what is needed to repeat it. */
import type { History, Trace } from '../trace/trace-and-history.ts'
import type { NotRun } from './prober.ts'

export interface Statement {
  /** One sentence: what was seen, and what would be right. */
  readonly text: string
  /** Index in `groups` of the history. */
  readonly group: number
  /** Equal for the same mistake in several runs. */
  readonly mistake: string
}

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
