import type { Deadlines } from '@turnpike/upstream-http1/shared'

/** What a call needs of the connection it runs over. */
export interface CallConnection<Call> {
  /** An earlier call received a response over it. */
  readonly used: boolean
  dispatch(call: Call): void
}

/** What a call needs of the pool it runs in. */
export interface CallHost<Call> {
  readonly deadlines: Deadlines
  /** Returns the connection to the pool. `reusable`: the next call may use it. */
  release(connection: CallConnection<Call>, reusable: boolean): void
  /** Runs the call over a connection that no call has used. */
  runFresh(call: Call): void
  /** Removes a call that waits for a connection from the queue. */
  forget(call: Call): void
}
