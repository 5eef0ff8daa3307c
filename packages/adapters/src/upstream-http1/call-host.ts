import type { Deadlines } from '../upstream-common/deadlines.ts'
import type { Call } from './call.ts'
import { TurnQueue } from './turn-queue.ts'

/** What a call needs of the pool it runs in. */
export interface CallHost {
  readonly deadlines: Deadlines
  readonly turn: CallTurn
  /** Host and port, as a Host header names them. */
  readonly authority: string
  /** Runs the call over a connection that is idle, or a new one, or lets it wait. */
  run(call: Call): void
  /** Runs the call over a connection that was never used. */
  runFresh(call: Call): void
  /** Takes a call that waits for a connection off the list. */
  forget(call: Call): void
}

/** What calls do together at the end of a turn of the event loop; see `turn-queue.ts`. */
export interface CallTurn {
  readonly asking: TurnQueue<Call>
  readonly answering: TurnQueue<Call>
}

export function makeCallTurn(): CallTurn {
  return {
    asking: new TurnQueue((call) => call.ask()),
    answering: new TurnQueue((call) => call.giveWhole()),
  }
}
