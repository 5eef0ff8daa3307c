/** Tunnels the bytes of an upgraded connection on the Node front end. */
import type { Socket } from 'node:net'
import type { GatewayResponse, Tunnel } from '@turnpike/core/http'
import { pipeToSocket, prepareTunnelSocket, streamOfSocket } from '@turnpike/upstream/socket-stream'
import { statusText } from '../front-end-common/status-text.ts'
import type { UpgradeRequest } from './upgrade-aware-message.ts'

/** Writes the 101 response and connects the client to the upstream. The headers must be valid. */
export function openTunnel(
  socket: Socket,
  { status, headers }: GatewayResponse,
  upgradeRequest: UpgradeRequest,
  tunnel: Tunnel,
): void {
  let head = `HTTP/1.1 ${statusText(status)}\r\nConnection: Upgrade\r\nUpgrade: ${upgradeRequest.protocol}\r\n`
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`
  prepareTunnelSocket(socket)
  socket.write(`${head}\r\n`, 'latin1')
  tunnel.sendFrom(streamOfSocket(socket, upgradeRequest.first))
  pipeToSocket(tunnel.incoming, socket)
}
