import type { InFlight } from '../front-end-common/in-flight.ts'
import type { FrontEndRules } from '../front-end-common/options.ts'
import type { StallWatch } from '../front-end-common/stall-watch.ts'
import type { Peers } from './peers.ts'
import type { UwsTunnelSocket } from './uws-web-socket.ts'

/** What all exchanges of one listening server share. */
export interface UwsServerState {
  readonly rules: FrontEndRules
  readonly inFlight: InFlight
  readonly watch: StallWatch
  readonly peers: Peers
  /** The server closes: every further answer ends its connection. */
  draining: boolean
  /** Clients whose connections have become WebSockets. */
  readonly webSockets: Set<UwsTunnelSocket>
}
