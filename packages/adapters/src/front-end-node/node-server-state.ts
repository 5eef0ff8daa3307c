import type { ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { InFlight } from '../front-end-common/in-flight.ts'
import type { FrontEndRules } from '../front-end-common/options.ts'
import type { StallWatch } from '../front-end-common/stall-watch.ts'

/** What all exchanges of one listening server share. */
export interface NodeServerState {
  readonly rules: FrontEndRules
  readonly inFlight: InFlight
  readonly watch: StallWatch
  /** The server closes: every further answer ends its connection. */
  draining: boolean
  /** Connections whose protocol was changed; the server's own closing does not know them. */
  readonly tunnels: Set<Socket>
  /** Connections of HTTP/2, which it does not know either. */
  readonly sessions: Set<ServerHttp2Session>
}
