/**
 * Serves requests of node:http with the gateway: of its own server, or of a server that the program owns
 * (`embedded-handler.ts`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type HeaderPairs, setHeader } from '@turnpike/core/http'
import { isPromise } from '@turnpike/core/lib'
import type { Handle } from '@turnpike/core/ports'
import { type ErrorResponse, errorResponses, textResponse } from '../front-end-common/error-responses.ts'
import { Framing } from '../front-end-common/framing.ts'
import { maxHeaderLines } from '../front-end-common/front-end-options.ts'
import { parseRequestTarget, type RequestTarget, validTarget } from '../front-end-common/request-target.ts'
import type { Http2Exchange } from './http2-exchange.ts'
import type { NodeConnection } from './node-connection.ts'
import { NodeExchange } from './node-exchange.ts'
import { toHeaderPairs } from './node-headers.ts'
import type { NodeServerState } from './node-server-state.ts'
import type { UpgradeRequest } from './upgrade-aware-message.ts'

export interface RequestListener {
  onRequest(req: IncomingMessage, res: ServerResponse, connection: NodeConnection, upgrade?: UpgradeRequest): void
  /** Calls the handler and writes its response. */
  respond(exchange: NodeExchange | Http2Exchange): void
}

/** `writesContinue`: the listener responds to `Expect: 100-continue`; otherwise Node's server has done so. */
export function makeRequestListener(handle: Handle, state: NodeServerState, writesContinue: boolean): RequestListener {
  const framing = new Framing()
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
    const errorResponse = errorResponseBefore(req, headers, target)
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

  function respond(exchange: NodeExchange | Http2Exchange): void {
    try {
      const response = handle(exchange)
      if (isPromise(response)) response.then((it) => exchange.send(it)).catch((error) => failed(exchange, error))
      else exchange.send(response)
    } catch (error) {
      failed(exchange, error)
    }
  }

  function failed(exchange: NodeExchange | Http2Exchange, error: unknown): void {
    state.options.log.error('the handler of a request failed', { error })
    exchange.send(textResponse(errorResponses.internalError))
  }

  function errorResponseBefore(
    req: IncomingMessage,
    headers: HeaderPairs,
    target: RequestTarget | ErrorResponse,
  ): ErrorResponse | undefined {
    if (req.httpVersionMajor !== 1) return errorResponses.badVersion
    if (req.method === 'CONNECT') return errorResponses.connectNotSupported
    if (headers.length > 2 * maxHeaderLines) return errorResponses.tooManyHeaders
    const errorResponse = framing.read(headers)
    if (errorResponse !== undefined) return errorResponse
    // Another HTTP/1.0 server on the path may have read the body in another way (RFC 9112 section 6.1).
    if (framing.bodyLength === undefined && req.httpVersionMinor === 0) return errorResponses.encodingInHttp10
    if (framing.host === undefined && req.httpVersionMinor === 1) return errorResponses.noHost
    if ('status' in target) return target
    if (target.host !== undefined) setHeader(headers, 'host', target.host)
    const limit = state.options.maxBodyBytes
    return limit > 0 && (framing.bodyLength ?? 0) > limit ? errorResponses.bodyTooLarge : undefined
  }
}
