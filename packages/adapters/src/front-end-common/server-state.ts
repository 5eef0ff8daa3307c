import type { ResolvedFrontEndOptions } from './front-end-options.ts'
import { RequestsInFlight } from './requests-in-flight.ts'
import { makeStallDetector, type StallDetector } from './stall-detector.ts'

/** State that all exchanges of one listening server share. */
export interface ServerState {
  readonly options: ResolvedFrontEndOptions
  readonly inFlight: RequestsInFlight
  readonly stallDetector: StallDetector
  /** The server is closing: every response closes its connection. */
  draining: boolean
}

export function makeServerState(options: ResolvedFrontEndOptions): ServerState {
  return {
    options,
    inFlight: new RequestsInFlight(),
    stallDetector: makeStallDetector({ body: options.bodyStallMs, write: options.writeStallMs }),
    draining: false,
  }
}
