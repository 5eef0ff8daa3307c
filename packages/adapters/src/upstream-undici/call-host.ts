import type { Deadlines } from '@turnpike/upstream-http1/shared'
import type { Call } from './call.ts'
import type { Connection } from './origin-pool.ts'

/** What a call needs of the pool it runs in. */
export interface CallHost {
  readonly deadlines: Deadlines
  /** Gives the connection back; `reusable` when the next call may go over it. */
  release(connection: Connection, reusable: boolean): void
  /** Runs the call over a connection that was never used. */
  runFresh(call: Call): void
  /** Takes a call that waits for a connection off the list. */
  forget(call: Call): void
}
