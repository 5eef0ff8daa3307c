import type { GatewayRequest, GatewayResponse } from '../http/messages.ts'
import type { Maybe } from '../lib/maybe.ts'

/** Turns a request into an answer: the gateway, seen from a front end. Never throws or rejects. */
export type Handle = (request: GatewayRequest) => Maybe<GatewayResponse>

/** A server for HTTP. */
export interface FrontEnd {
  readonly name: string
  /** Whether it speaks TLS. Default: false. */
  readonly secure?: boolean
  /** Starts to listen. Rejects with a message that names address and reason when it cannot. */
  listen(handle: Handle, at: Address): Promise<Listening>
}

export interface Address {
  readonly host: string
  /** 0 lets the system choose. */
  readonly port: number
}

export interface Listening {
  readonly port: number
  /**
   * Stops taking connections at once, lets requests in flight finish up to `graceMs`, then cuts the rest.
   */
  close(graceMs: number): Promise<void>
}
