/** One request of HTTP/1 or HTTP/2 that Node has parsed. */
import { maxTrailerLines, passedTrailers } from '@turnpike/core/http'
import { ConnectionExchange } from '../front-end-common/connection-exchange.ts'
import { errorResponses } from '../front-end-common/error-responses.ts'
import type { NodeConnection } from './node-connection.ts'
import { toHeaderPairs } from './node-headers.ts'
import type { NodeServerState } from './node-server-state.ts'

export abstract class NodeServerExchange extends ConnectionExchange<NodeConnection, NodeServerState> {
  /** The body is complete. `rawTrailers`: names and values in Node's form. */
  protected bodyEnded(rawTrailers: readonly string[]): void {
    if (rawTrailers.length === 0) this.body?.finish()
    else if (rawTrailers.length > 2 * maxTrailerLines) this.abort(errorResponses.tooManyHeaders)
    else this.body?.finish(passedTrailers(toHeaderPairs(rawTrailers)))
  }
}
