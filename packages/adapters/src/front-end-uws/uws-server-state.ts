import type { ServerState } from '../front-end-common/server-state.ts'
import type { SingleClientAddress } from './single-client-address.ts'
import type { WebSocketTunnel } from './web-socket-tunnel.ts'

export interface UwsServerState extends ServerState {
  readonly clientAddress: SingleClientAddress
  /** Open WebSockets of clients. */
  readonly webSockets: Set<WebSocketTunnel>
}
