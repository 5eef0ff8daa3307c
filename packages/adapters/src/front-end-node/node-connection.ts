/** One connection of the Node front end and its open requests. */
import type { Socket } from 'node:net'
import type { ErrorResponse } from '../front-end-common/error-responses.ts'
import { Peer } from '../front-end-common/peer.ts'

/** A request on the connection that has not been responded to completely. */
interface OpenExchange {
  /** The request was received completely. */
  readonly received: boolean
  closeAfterwards(): void
  abort(errorResponse: ErrorResponse): void
  disconnected(): void
}

const connections = new WeakMap<Socket, NodeConnection>()

/** The connection of a socket; `undefined` if no `NodeConnection` was made for it. */
export function connectionOf(socket: Socket): NodeConnection | undefined {
  return connections.get(socket)
}

export class NodeConnection extends Peer {
  /** Open requests in the order of arrival; more than one if the client pipelines. */
  readonly open = new Set<OpenExchange>()
  /** Further requests are ignored, because one was rejected or the client asked to close the connection. */
  ending = false

  constructor(socket: Socket) {
    super(socket)
    connections.set(socket, this)
  }

  /**
   * The parser rejected bytes. If they belong to the body of a request, that request fails. If they follow a complete
   * request, that request still gets its response, and the connection closes afterwards.
   */
  unreadable(errorResponse: ErrorResponse): void {
    const last = [...this.open].at(-1)
    if (last?.received === true) last.closeAfterwards()
    else last?.abort(errorResponse)
  }

  /** The connection closed, so all its requests have lost their client. */
  closed(): void {
    for (const exchange of this.open) exchange.disconnected()
    this.open.clear()
  }
}
