/** The other end of a connection: the client's address and certificate. */
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { intermediatesOf } from './client-intermediates.ts'

export class Peer {
  readonly socket: Socket
  readonly remoteAddress: string
  readonly remotePort: number | undefined
  readonly secure: boolean
  /** Read at once, because a later connection can resume the TLS session of this one. */
  readonly clientIntermediates: readonly Uint8Array[]
  private certificate: Uint8Array | null | undefined = undefined

  constructor(socket: Socket) {
    this.socket = socket
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
