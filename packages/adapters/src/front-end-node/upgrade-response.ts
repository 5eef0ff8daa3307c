/** The response of a request with `Upgrade`. */
import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Makes a response on the socket of the event `upgrade`: Node has detached the socket from its server. */
export function openUpgradeResponse(req: IncomingMessage, socket: Duplex): ServerResponse {
  const res = new ServerResponse(req)
  res.shouldKeepAlive = false
  res.assignSocket(socket as Socket)
  res.on('finish', () => {
    res.detachSocket(socket as Socket)
    ;(socket as Socket).destroySoon()
  })
  socket.on('error', () => {})
  return res
}
