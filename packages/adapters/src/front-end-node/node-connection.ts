/** One connection of the Node front end: the requests that are open on it, and what is known of its other end. */
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Refusal } from '../front-end-common/refusal.ts'
import type { NodeExchange } from './node-exchange.ts'

export class NodeConnection {
  readonly socket: Socket
  readonly remoteAddress: string
  readonly secure: boolean
  /** In the order in which they came; more than one when the client pipelines. */
  readonly open = new Set<NodeExchange>()
  /** Nothing more that comes is taken for a request: one was refused, or the client asked to close. */
  ending = false
  private certificate: Uint8Array | null | undefined = undefined

  constructor(socket: Socket) {
    this.socket = socket
    this.remoteAddress = plainAddress(socket.remoteAddress ?? '')
    this.secure = socket instanceof TLSSocket
  }

  /** The client's certificate, read once for all requests of the connection. */
  get clientCertificate(): Uint8Array | undefined {
    if (this.certificate === undefined) this.certificate = readCertificate(this.socket)
    return this.certificate ?? undefined
  }

  /**
   * What came cannot be read. Inside of a body this breaks its request; behind a whole request, that one is still
   * answered and nothing after it is read.
   */
  unreadable(refusal: Refusal): void {
    const last = [...this.open].at(-1)
    if (last?.received === true) last.closeAfterwards()
    else last?.broken(refusal)
  }

  /** The connection is gone: so are the clients of all its requests. */
  closed(): void {
    for (const exchange of this.open) exchange.gone()
    this.open.clear()
  }
}

/** An IPv4 address that came over a socket for both families is told as IPv4. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
}

function readCertificate(socket: Socket): Uint8Array | null {
  if (!(socket instanceof TLSSocket)) return null
  const raw = socket.getPeerCertificate().raw as Uint8Array | undefined
  return raw === undefined ? null : new Uint8Array(raw)
}
