/** One request and its response over a `NodeConnection`, of HTTP/1 or HTTP/2. */
import { type HeaderPairs, maxTrailerLines, passedTrailers } from '@turnpike/core/http'
import { ClientExchange } from '../front-end-common/client-exchange.ts'
import { errorResponses } from '../front-end-common/error-responses.ts'
import type { RequestTarget } from '../front-end-common/request-target.ts'
import type { NodeConnection } from './node-connection.ts'
import { toHeaderPairs } from './node-headers.ts'
import type { NodeServerState } from './node-server-state.ts'

export abstract class ConnectionExchange extends ClientExchange<NodeServerState> {
  protected readonly connection: NodeConnection

  constructor(
    method: string,
    target: RequestTarget,
    headers: HeaderPairs,
    bodyLength: number | undefined,
    trailerNames: string | undefined,
    connection: NodeConnection,
    state: NodeServerState,
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

  /** The body is complete. `rawTrailers`: names and values in Node's form. */
  protected bodyEnded(rawTrailers: readonly string[]): void {
    if (rawTrailers.length === 0) this.body?.finish()
    else if (rawTrailers.length > 2 * maxTrailerLines) this.abort(errorResponses.tooManyHeaders)
    else this.body?.finish(passedTrailers(toHeaderPairs(rawTrailers)))
  }
}
