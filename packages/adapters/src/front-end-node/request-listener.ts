/**
 * Serves requests of node:http with the gateway: of its own server, or of a server that the program owns
 * (`embedded-handler.ts`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Handle } from '@turnpike/core/ports'
import { checkRequest } from '../front-end-common/check-request.ts'
import { errorResponses } from '../front-end-common/error-responses.ts'
import { Framing } from '../front-end-common/framing.ts'
import { parseRequestTarget, validTarget } from '../front-end-common/request-target.ts'
import { makeResponder } from '../front-end-common/responder.ts'
import type { UpgradeRequest } from '../front-end-common/upgrade-request.ts'
import type { Http2Exchange } from './http2-exchange.ts'
import type { NodeConnection } from './node-connection.ts'
import { NodeExchange } from './node-exchange.ts'
import { toHeaderPairs } from './node-headers.ts'
import type { NodeServerState } from './node-server-state.ts'

export interface RequestListener {
  onRequest(req: IncomingMessage, res: ServerResponse, connection: NodeConnection, upgrade?: UpgradeRequest): void
  /** Calls the handler and writes its response. */
  respond(exchange: NodeExchange | Http2Exchange): void
}

/** `writesContinue`: the listener responds to `Expect: 100-continue`; otherwise Node's server has done so. */
export function makeRequestListener(handle: Handle, state: NodeServerState, writesContinue: boolean): RequestListener {
  const framing = new Framing()
  const respond = makeResponder(handle, state.options.log)
  return { onRequest, respond }

  function onRequest(
    req: IncomingMessage,
    res: ServerResponse,
    connection: NodeConnection,
    upgradeRequest?: UpgradeRequest,
  ): void {
    // Node parses further requests after one that closes the connection. They get no response.
    if (connection.ending) return
    const headers = toHeaderPairs(req.rawHeaders)
    const target = parseRequestTarget(req.url as string)
    const head = { method: req.method as string, minor: req.httpVersionMinor, headers }
    const errorResponse =
      req.httpVersionMajor === 1
        ? checkRequest(head, target, framing, state.options.maxBodyBytes)
        : errorResponses.badVersion
    const exchange = new NodeExchange(
      req,
      res,
      validTarget(target),
      headers,
      framing.bodyLength,
      connection,
      state,
      upgradeRequest,
    )
    if (errorResponse !== undefined) {
      exchange.reject(errorResponse)
      return
    }
    if (framing.wantsClose) connection.ending = true
    if (writesContinue && framing.expectsContinue && req.httpVersionMinor === 1) res.writeContinue()
    exchange.readBody()
    respond(exchange)
  }
}
