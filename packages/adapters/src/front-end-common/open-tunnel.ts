/** Tunnels the bytes of an upgraded connection. */
import type { Socket } from 'node:net'
import type { GatewayResponse, Tunnel } from '@turnpike/core/http'
import { pipeToSocket, prepareTunnelSocket, streamOfSocket } from '@turnpike/upstream/socket-stream'
import type { ResolvedFrontEndOptions } from './front-end-options.ts'
import { statusText } from './status-text.ts'
import { budgeted } from './tunnel-budget.ts'
import type { UpgradeRequest } from './upgrade-request.ts'

/**
 * Writes the 101 response and connects the client to the upstream. The headers must be valid. The tunnel is closed
 * after `tunnelIdleMs` milliseconds without traffic in either direction, and if a peer reads so slowly that the buffered bytes
 * exceed `tunnelBudget`.
 */
export function openTunnel(
  socket: Socket,
  { status, headers }: GatewayResponse,
  upgradeRequest: UpgradeRequest,
  tunnel: Tunnel,
  { tunnelIdleMs, tunnelBudget }: Pick<ResolvedFrontEndOptions, 'tunnelIdleMs' | 'tunnelBudget'>,
): void {
  let head = `HTTP/1.1 ${statusText(status)}\r\nConnection: Upgrade\r\nUpgrade: ${upgradeRequest.protocol}\r\n`
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`
  prepareTunnelSocket(socket)
  // A read and a write of the socket both count as traffic.
  if (tunnelIdleMs > 0) socket.setTimeout(tunnelIdleMs, () => socket.destroy())
  socket.write(`${head}\r\n`, 'latin1')
  tunnel.sendFrom(budgeted(streamOfSocket(socket, upgradeRequest.first), tunnelBudget))
  pipeToSocket(budgeted(tunnel.incoming, tunnelBudget), socket)
}
