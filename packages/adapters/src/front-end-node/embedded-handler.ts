/**
 * Serves requests of an HTTP server that the program owns, such as the server of Express or Fastify. Bodies stream in
 * both directions, and a client that disconnects aborts the call to the upstream.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Handle } from '@turnpike/core/ports'
import { type ErrorResponse, errorHeadersOf, errorResponses } from '../front-end-common/error-responses.ts'
import { type FrontEndOptions, resolveOptions } from '../front-end-common/front-end-options.ts'
import { requestedProtocol, type UpgradeRequest } from '../front-end-common/upgrade-request.ts'
import { connectionOf, NodeConnection } from './node-connection.ts'
import { makeNodeServerState } from './node-server-state.ts'
import { makeRequestListener } from './request-listener.ts'
import { openUpgradeResponse } from './upgrade-response.ts'

export interface EmbeddedHandler {
  /** A listener for the event `request` of node:http. HTTP/2 requests get a 505. */
  request(req: IncomingMessage, res: ServerResponse): void
  /** A listener for the event `upgrade` of node:http. */
  upgrade(req: IncomingMessage, socket: Duplex, head: Uint8Array): void
  /** Further requests get a 503. Waits up to `graceMs` for requests in flight and closes tunnels. */
  close(graceMs: number): Promise<void>
}

export function makeEmbeddedHandler(handle: Handle, given: FrontEndOptions = {}): EmbeddedHandler {
  const options = resolveOptions(given)
  const state = makeNodeServerState(options)
  const listener = makeRequestListener(handle, state, false)

  const serve = (req: IncomingMessage, res: ServerResponse, upgrade?: UpgradeRequest): void => {
    if (state.draining) respondWith(res, errorResponses.closed)
    else if (req.httpVersionMajor !== 1) respondWith(res, errorResponses.badVersion)
    else if (req.readableDidRead) {
      options.log.error('the body of a request was read before the gateway received the request', {
        fix: 'mount the gateway before body parsers',
      })
      respondWith(res, errorResponses.bodyAlreadyRead)
    } else listener.onRequest(req, res, openConnection(req.socket), upgrade)
  }

  return {
    request: (req, res) => serve(req, res),
    upgrade(req, socket, head) {
      const protocol = requestedProtocol(req.rawHeaders)
      serve(req, openUpgradeResponse(req, socket), protocol === '' ? undefined : { protocol, first: head })
    },
    async close(graceMs) {
      state.draining = true
      await state.inFlight.whenIdle(graceMs)
      for (const socket of state.tunnels) socket.destroy()
      state.stallDetector.stop()
    },
  }
}

function openConnection(socket: Socket): NodeConnection {
  const known = connectionOf(socket)
  if (known !== undefined) return known
  const connection = new NodeConnection(socket)
  socket.on('close', () => connection.closed())
  return connection
}

function respondWith(res: ServerResponse, error: ErrorResponse): void {
  const [, contentType = ''] = errorHeadersOf(error)
  res.writeHead(error.status, { 'content-type': contentType, connection: 'close' })
  res.end(error.text)
}
