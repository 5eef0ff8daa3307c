import type { ResolvedFrontEndOptions } from '../front-end-common/front-end-options.ts'
import type { RequestsInFlight } from '../front-end-common/requests-in-flight.ts'
import type { StallDetector } from '../front-end-common/stall-detector.ts'
import type { SingleClientAddress } from './single-client-address.ts'
import type { WebSocketTunnel } from './web-socket-tunnel.ts'

/** State that all exchanges of one listening server share. */
export interface UwsServerState {
  readonly options: ResolvedFrontEndOptions
  readonly inFlight: RequestsInFlight
  readonly stallDetector: StallDetector
  readonly clientAddress: SingleClientAddress
  /** The server is closing: every response closes its connection. */
  draining: boolean
  /** Open WebSockets of clients. */
  readonly webSockets: Set<WebSocketTunnel>
}
