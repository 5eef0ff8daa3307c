import type { Deadlines } from '../upstream-common/deadlines.ts'
import type { Call } from './call.ts'
import { ImmediateBatch } from './immediate-batch.ts'

/** The methods of a pool that a call uses. */
export interface CallHost {
  readonly deadlines: Deadlines
  readonly batches: CallBatches
  /** Host and port in the form of a Host header. */
  readonly authority: string
  /** Sends the call over an idle or a new connection, or queues it. */
  run(call: Call): void
  /** Sends the call over a new connection. */
  runFresh(call: Call): void
  /** Removes a call from the queue. */
  forget(call: Call): void
}

/** Steps that run for all calls at the end of an iteration of the event loop; see `immediate-batch.ts`. */
export interface CallBatches {
  readonly starting: ImmediateBatch<Call>
  readonly settling: ImmediateBatch<Call>
}

export function makeCallBatches(): CallBatches {
  return {
    starting: new ImmediateBatch((call) => call.start()),
    settling: new ImmediateBatch((call) => call.settleComplete()),
  }
}
