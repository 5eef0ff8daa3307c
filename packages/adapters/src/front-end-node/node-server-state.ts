import type { ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { ResolvedFrontEndOptions } from '../front-end-common/front-end-options.ts'
import { makeRequestsInFlight, type RequestsInFlight } from '../front-end-common/requests-in-flight.ts'
import { makeStallDetector, type StallDetector } from '../front-end-common/stall-detector.ts'

/** State that all exchanges of one listening server share. */
export interface NodeServerState {
  readonly options: ResolvedFrontEndOptions
  readonly inFlight: RequestsInFlight
  readonly stallDetector: StallDetector
  /** The server is closing: every response closes its connection. */
  draining: boolean
  /** Connections that were upgraded. Closing the server does not close them. */
  readonly tunnels: Set<Socket>
  /** HTTP/2 connections. Closing the server does not close them. */
  readonly sessions: Set<ServerHttp2Session>
}

export function makeServerState(options: ResolvedFrontEndOptions): NodeServerState {
  return {
    options,
    inFlight: makeRequestsInFlight(),
    stallDetector: makeStallDetector(options.bodyStallMs),
    draining: false,
    tunnels: new Set(),
    sessions: new Set(),
  }
}
