/** One connection of the Node front end, its open requests, and the client's address and certificate. */
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { ErrorResponse } from '../front-end-common/error-responses.ts'
import { intermediatesOf } from './client-intermediates.ts'

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

export class NodeConnection {
  readonly socket: Socket
  readonly remoteAddress: string
  readonly remotePort: number | undefined
  readonly secure: boolean
  /** Read at once, because a later connection can resume the TLS session of this one. */
  readonly clientIntermediates: readonly Uint8Array[]
  /** Open requests in the order of arrival; more than one if the client pipelines. */
  readonly open = new Set<OpenExchange>()
  /** Further requests are ignored, because one was rejected or the client asked to close the connection. */
  ending = false
  private certificate: Uint8Array | null | undefined = undefined

  constructor(socket: Socket) {
    this.socket = socket
    connections.set(socket, this)
    this.remoteAddress = plainAddress(socket.remoteAddress ?? '')
    this.remotePort = socket.remotePort
    this.secure = socket instanceof TLSSocket
    this.clientIntermediates = socket instanceof TLSSocket ? intermediatesOf(socket) : []
  }

  /** The client's certificate in DER, read once per connection. */
  get clientCertificate(): Uint8Array | undefined {
    if (this.certificate === undefined) this.certificate = readCertificate(this.socket)
    return this.certificate ?? undefined
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

/** Returns an IPv4-mapped IPv6 address of a dual-stack socket as IPv4. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
}

function readCertificate(socket: Socket): Uint8Array | null {
  if (!(socket instanceof TLSSocket)) return null
  const raw = socket.getPeerCertificate().raw as Uint8Array | undefined
  return raw === undefined ? null : new Uint8Array(raw)
}
