import type { GatewayRequest, GatewayResponse } from '../http/messages.ts'
import type { Maybe } from '../lib/maybe.ts'

/** Handles a request: the gateway, seen from a front end. Never throws or rejects. */
export type Handle = (request: GatewayRequest) => Maybe<GatewayResponse>

/** An HTTP server. */
export interface FrontEnd {
  readonly name: string
  /** Whether it speaks TLS. Default: false. */
  readonly secure?: boolean
  /** Starts to listen. Rejects with a message that names the address and the reason when it cannot. */
  listen(handle: Handle, at: Address): Promise<Listening>
}

export interface Address {
  readonly host: string
  /** 0 lets the system choose. */
  readonly port: number
  /** The setting that names the port, for error messages. Default: `listen_port or --port`. */
  readonly setting?: string
}

export interface Listening {
  readonly port: number
  /**
   * Stops accepting connections at once, waits up to `graceMs` for requests in flight, then closes the rest.
   */
  close(graceMs: number): Promise<void>
}
