import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

/**
 * Closes a connection so that an incomplete response never looks complete, not even to an HTTP/1.0 client, for which the
 * end of the connection is the end of the body: plain connections are reset. Node cannot reset a TLS connection and throws;
 * one that ends without close_notify is recognised as cut (RFC 8446 section 6.1).
 */
export function breakConnection(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}
