import type { Framing } from '../front-end-common/framing.ts'
import type { SendableExchange } from '../front-end-common/responder.ts'
import type { NodeServerState } from '../front-end-node/node-server-state.ts'
import type { ConnectionSweep, SweptConnection } from './connection-sweep.ts'

/** A connection that closes with its server. */
export interface ServedConnection extends SweptConnection {
  drain(): void
  closeAfterWrites(): Promise<void>
}

export interface Http1ServerState extends NodeServerState {
  /** Connections that speak HTTP/1. */
  readonly connections: Set<ServedConnection>
  readonly sweep: ConnectionSweep
  /** Reused for all requests. */
  readonly framing: Framing
  /** Calls the handler and writes its response. */
  readonly respond: (exchange: SendableExchange) => void
}
