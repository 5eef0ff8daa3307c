/** The client's end of a connection whose protocol changes, on the Node front end. */
import type { Socket } from 'node:net'
import type { Answer, Tunnel } from '@turnpike/core'
import { statusText } from '../front-end-common/status-text.ts'
import { flowIntoSocket, prepareTunnelSocket, streamOfSocket } from '../socket-stream/socket-stream.ts'
import type { UpgradeWish } from './upgrade-aware-message.ts'

/** Writes the head of the answer that changes the protocol, and connects both ends. Its headers are ready to write. */
export function openTunnel(socket: Socket, { status, headers }: Answer, wish: UpgradeWish, tunnel: Tunnel): void {
  let head = `HTTP/1.1 ${statusText(status)}\r\nConnection: Upgrade\r\nUpgrade: ${wish.protocol}\r\n`
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`
  prepareTunnelSocket(socket)
  socket.write(`${head}\r\n`, 'latin1')
  tunnel.sendFrom(streamOfSocket(socket, wish.first))
  flowIntoSocket(tunnel.incoming, socket)
}
