/** Tunnels the bytes of an upgraded connection. */
import type { Socket } from 'node:net'
import type { GatewayResponse, Tunnel } from '@turnpike/core/http'
import { pipeToSocket, prepareTunnelSocket, streamOfSocket } from '@turnpike/upstream/socket-stream'
import { statusText } from './status-text.ts'
import type { UpgradeRequest } from './upgrade-request.ts'

/**
 * Writes the 101 response and connects the client to the upstream. The headers must be valid. `idleMs`: milliseconds
 * without traffic in either direction after which the tunnel is closed; 0: never.
 */
export function openTunnel(
  socket: Socket,
  { status, headers }: GatewayResponse,
  upgradeRequest: UpgradeRequest,
  tunnel: Tunnel,
  idleMs: number,
): void {
  let head = `HTTP/1.1 ${statusText(status)}\r\nConnection: Upgrade\r\nUpgrade: ${upgradeRequest.protocol}\r\n`
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`
  prepareTunnelSocket(socket)
  // A read and a write of the socket both count as traffic.
  if (idleMs > 0) socket.setTimeout(idleMs, () => socket.destroy())
  socket.write(`${head}\r\n`, 'latin1')
  tunnel.sendFrom(streamOfSocket(socket, upgradeRequest.first))
  pipeToSocket(tunnel.incoming, socket)
}
