/** A request as its connection has read it, and what it needs of the connection. */
import type { GatewayResponse, HeaderPairs, Tunnel } from '@turnpike/core/http'
import type { Peer } from '../front-end-common/peer.ts'
import type { RequestTarget } from '../front-end-common/request-target.ts'

export interface Http1Message {
  readonly method: string
  readonly minor: number
  readonly target: RequestTarget
  readonly headers: HeaderPairs
  readonly bodyLength: number | undefined
  /** The client allows another request on the connection. */
  readonly persists: boolean
  /** The client waits for an interim response with status 100 before it sends the body. */
  readonly expectsContinue: boolean
  /** The protocol that the client wants to switch to. */
  readonly upgrade: string | undefined
}

export interface ExchangeConnection extends Peer {
  /** The request was received completely. */
  readonly isRequestComplete: boolean
  /** The reader of the body has paused it, or continues to read. */
  pauseBody(paused: boolean): void
  /** The response of the current request was written. */
  responded(closes: boolean): void
  /** Hands the connection over to a tunnel. */
  switchProtocol(response: GatewayResponse, tunnel: Tunnel, protocol: string | undefined): void
}
