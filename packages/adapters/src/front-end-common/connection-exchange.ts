/** One request and its response over a connection whose client is known by its `Peer`. */
import type { HeaderPairs } from '@turnpike/core/http'
import { ClientExchange } from './client-exchange.ts'
import type { Peer } from './peer.ts'
import type { RequestTarget } from './request-target.ts'
import type { ServerState } from './server-state.ts'

export abstract class ConnectionExchange<
  Connection extends Peer,
  State extends ServerState,
> extends ClientExchange<State> {
  protected readonly connection: Connection

  constructor(
    method: string,
    target: RequestTarget,
    headers: HeaderPairs,
    bodyLength: number | undefined,
    trailerNames: string | undefined,
    connection: Connection,
    state: State,
  ) {
    super(method, target, headers, bodyLength, trailerNames, state)
    this.connection = connection
  }

  get remoteAddress(): string {
    return this.connection.remoteAddress
  }

  get remotePort(): number | undefined {
    return this.connection.remotePort
  }

  get secure(): boolean {
    return this.connection.secure
  }

  get clientCertificate(): Uint8Array | undefined {
    return this.connection.clientCertificate
  }

  get clientIntermediates(): readonly Uint8Array[] {
    return this.connection.clientIntermediates
  }
}
