/**
 * The front end on node:http. It is slower than the front end on uWebSockets.js, but supports TLS with client
 * certificates, HTTP/2, HTTP/1.0, request targets in absolute form, and every platform. Node's parser (llhttp in strict
 * mode) rejects most malformed messages. front-end-common/ has the checks that both front ends add.
 */
import { createServer, type IncomingMessage, type Server, type ServerOptions, ServerResponse } from 'node:http'
import { createServer as createTlsServer, type ServerOptions as TlsServerOptions } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { TlsOptions } from 'node:tls'
import {
  type Address,
  type FrontEnd,
  type Handle,
  type HeaderPairs,
  isPromise,
  type Listening,
  setHeader,
} from '@turnpike/core'
import { type ErrorResponse, errorResponses } from '../front-end-common/error-responses.ts'
import { Framing } from '../front-end-common/framing.ts'
import {
  type FrontEndOptions,
  maxHeaderLines,
  type ResolvedFrontEndOptions,
  resolveOptions,
} from '../front-end-common/front-end-options.ts'
import { parseRequestTarget, type RequestTarget } from '../front-end-common/request-target.ts'
import { makeRequestsInFlight } from '../front-end-common/requests-in-flight.ts'
import { internalErrorResponse } from '../front-end-common/response-head.ts'
import { makeStallDetector } from '../front-end-common/stall-detector.ts'
import { startListening } from '../front-end-common/start-listening.ts'
import type { Http2Exchange } from './http2-exchange.ts'
import { connectionOf, NodeConnection } from './node-connection.ts'
import { NodeExchange } from './node-exchange.ts'
import { toHeaderPairs } from './node-headers.ts'
import type { NodeServerState } from './node-server-state.ts'
import { errorResponseFor, writeRawErrorResponse } from './raw-error-response.ts'
import { serveHttp2 } from './serve-http2.ts'
import { UpgradeAwareMessage, type UpgradeRequest } from './upgrade-aware-message.ts'

export interface NodeFrontEndOptions extends FrontEndOptions {
  /** Serves HTTPS with these options of node:tls. Default: plain HTTP. */
  readonly tls?: TlsOptions
  /** Also serves HTTP/2: negotiated by ALPN with `tls`, by prior knowledge without. Default: false. */
  readonly http2?: boolean
}

/** Makes a front end on Node's HTTP server. */
export function makeNodeFrontEnd(given: NodeFrontEndOptions = {}): FrontEnd {
  const options = resolveOptions(given)
  return {
    name: 'node',
    secure: given.tls !== undefined,
    listen: (handle, at) => listen(handle, at, options, given),
  } satisfies FrontEnd
}

async function listen(
  handle: Handle,
  at: Address,
  options: ResolvedFrontEndOptions,
  { tls: tlsOptions, http2 = false }: NodeFrontEndOptions,
): Promise<Listening> {
  const tls = tlsOptions === undefined || !http2 ? tlsOptions : { ...tlsOptions, ALPNProtocols: ['h2', 'http/1.1'] }
  const server = makeServer(options, tls)
  await startListening(server, at, options.log)
  const state: NodeServerState = {
    options,
    inFlight: makeRequestsInFlight(),
    stallDetector: makeStallDetector(options.bodyStallMs),
    draining: false,
    tunnels: new Set(),
    sessions: new Set(),
  }
  const respond = serve(server, tls !== undefined, handle, state)
  if (http2) serveHttp2(server, tls !== undefined, state, respond)
  return {
    port: (server.address() as AddressInfo).port,
    async close(graceMs) {
      const closed = new Promise((resolve) => server.close(resolve))
      state.draining = true
      server.closeIdleConnections()
      for (const session of state.sessions) session.close()
      await state.inFlight.whenIdle(graceMs)
      server.closeAllConnections()
      for (const socket of state.tunnels) socket.destroy()
      for (const session of state.sessions) session.destroy()
      await closed
      state.stallDetector.stop()
    },
  }
}

function makeServer(options: ResolvedFrontEndOptions, tls: TlsOptions | undefined): Server {
  const serverOptions: ServerOptions = {
    maxHeaderSize: options.maxHeaderBytes,
    headersTimeout: options.headerTimeoutMs,
    // The stall detector limits the time of bodies; a fixed limit would cut long uploads.
    requestTimeout: 0,
    keepAliveTimeout: options.keepAliveMs,
    connectionsCheckingInterval: Math.max(20, Math.min(1_000, options.headerTimeoutMs / 4)),
    // `Framing` checks the Host header.
    requireHostHeader: false,
    insecureHTTPParser: false,
    noDelay: true,
    IncomingMessage: UpgradeAwareMessage,
  }
  const server =
    tls === undefined ? createServer(serverOptions) : createTlsServer({ ...tls, ...serverOptions } as TlsServerOptions)
  // Node silently drops header lines over its limit, a Content-Length among them. `errorResponseBefore` counts them.
  server.maxHeadersCount = 0
  return server
}

/** Connects the server's events to the handler. Returns the function that calls the handler and writes its response. */
function serve(
  server: Server,
  secure: boolean,
  handle: Handle,
  state: NodeServerState,
): (exchange: NodeExchange | Http2Exchange) => void {
  const framing = new Framing()
  server.on(secure ? 'secureConnection' : 'connection', (socket: Socket) => {
    const connection = new NodeConnection(socket)
    socket.on('close', () => connection.closed())
  })
  server.on('request', (req, res) => onRequest(req, res))
  server.on('checkContinue', (req, res) => onRequest(req, res))
  server.on('checkExpectation', (req, res) => onRequest(req, res))
  // Emitted only if `UpgradeAwareMessage.upgrade` is true. Node has detached the socket, so it is assigned here.
  server.on('upgrade', (req, socket, first) => {
    const res = new ServerResponse(req)
    res.shouldKeepAlive = false
    res.assignSocket(socket as Socket)
    res.on('finish', () => {
      res.detachSocket(socket as Socket)
      ;(socket as Socket).destroySoon()
    })
    socket.on('error', () => {})
    onRequest(req, res, { protocol: (req as UpgradeAwareMessage).protocol, first })
  })
  server.on('connect', (_req, socket) => writeRawErrorResponse(socket as Socket, errorResponses.connectNotSupported))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const errorResponse = errorResponseFor(error)
    const connection = connectionOf(socket as Socket)
    if (errorResponse === undefined || !socket.writable) socket.destroy()
    else if (connection === undefined || connection.open.size === 0)
      writeRawErrorResponse(socket as Socket, errorResponse)
    else connection.unreadable(errorResponse)
  })
  server.on('tlsClientError', (error) => state.options.log.debug('a TLS handshake failed', { reason: error.message }))

  return respond

  function onRequest(req: IncomingMessage, res: ServerResponse, upgradeRequest?: UpgradeRequest): void {
    const connection = connectionOf(req.socket)
    if (connection === undefined) {
      req.socket.destroy()
      return
    }
    // Node parses further requests after one that closes the connection. They get no response.
    if (connection.ending) return
    const headers = toHeaderPairs(req.rawHeaders)
    const target = parseRequestTarget(req.url as string)
    const errorResponse = errorResponseBefore(req, headers, target)
    const exchange = new NodeExchange(
      req,
      res,
      splitOf(target),
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
    if (framing.expectsContinue && req.httpVersionMinor === 1) res.writeContinue()
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
    exchange.send(internalErrorResponse())
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

function splitOf(target: RequestTarget | ErrorResponse): RequestTarget {
  return 'status' in target ? { path: '/', query: '', host: undefined } : target
}
