/**
 * The front end on node:http. It is slower than the front end on uWebSockets.js, but supports TLS with client
 * certificates, HTTP/2, HTTP/1.0, request targets in absolute form, and every platform. Node's parser (llhttp in strict
 * mode) rejects most malformed messages. front-end-common/ has the checks that both front ends add.
 */
import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type ServerOptions as TlsServerOptions } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Address, FrontEnd, Handle, Listening } from '@turnpike/core/ports'
import { errorResponses } from '../front-end-common/error-responses.ts'
import {
  type FrontEndOptions,
  type ResolvedFrontEndOptions,
  resolveOptions,
} from '../front-end-common/front-end-options.ts'
import { followRenewals, type RenewableTlsOptions } from '../front-end-common/renewable-tls.ts'
import { startListening } from '../front-end-common/start-listening.ts'
import type { UpgradeRequest } from '../front-end-common/upgrade-request.ts'
import type { Http2Exchange } from './http2-exchange.ts'
import { connectionOf, NodeConnection } from './node-connection.ts'
import type { NodeExchange } from './node-exchange.ts'
import { makeNodeServerState, type NodeServerState } from './node-server-state.ts'
import { errorResponseFor, isErrorOfHead, type ParserError, writeRawErrorResponse } from './raw-error-response.ts'
import { makeRequestListener } from './request-listener.ts'
import { serveHttp2 } from './serve-http2.ts'
import { UpgradeAwareMessage } from './upgrade-aware-message.ts'
import { openUpgradeResponse } from './upgrade-response.ts'

export type { FrontEndOptions } from '../front-end-common/front-end-options.ts'
export type { RenewableTlsOptions } from '../front-end-common/renewable-tls.ts'

export interface NodeFrontEndOptions extends FrontEndOptions {
  /** Serves HTTPS with these options of node:tls. Default: plain HTTP. */
  readonly tls?: RenewableTlsOptions
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
  const stopRenewals = followRenewals(server, tls)
  const state = makeNodeServerState(options)
  const respond = serve(server, tls !== undefined, handle, state)
  if (http2) serveHttp2(server, tls !== undefined, state, respond)
  return {
    port: (server.address() as AddressInfo).port,
    async close(graceMs) {
      stopRenewals()
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

function makeServer(options: ResolvedFrontEndOptions, tls: RenewableTlsOptions | undefined): Server {
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
  const { onRequest: serveRequest, respond } = makeRequestListener(handle, state, true)
  const onRequest = (req: IncomingMessage, res: ServerResponse, upgradeRequest?: UpgradeRequest): void => {
    const connection = connectionOf(req.socket)
    if (connection === undefined) req.socket.destroy()
    else serveRequest(req, res, connection, upgradeRequest)
  }
  server.on(secure ? 'secureConnection' : 'connection', (socket: Socket) => {
    const connection = new NodeConnection(socket)
    socket.on('close', () => connection.closed())
  })
  server.on('request', (req, res) => onRequest(req, res))
  server.on('checkContinue', (req, res) => onRequest(req, res))
  server.on('checkExpectation', (req, res) => onRequest(req, res))
  // Emitted only if `UpgradeAwareMessage.upgrade` is true.
  server.on('upgrade', (req, socket, first) => {
    const res = openUpgradeResponse(req, socket)
    onRequest(req, res, { protocol: (req as UpgradeAwareMessage).protocol, first })
  })
  server.on('connect', (_req, socket) => writeRawErrorResponse(socket as Socket, errorResponses.connectNotSupported))
  server.on('clientError', (error: ParserError, socket) => {
    const errorResponse = errorResponseFor(error)
    const connection = connectionOf(socket as Socket)
    if (errorResponse === undefined || !socket.writable) socket.destroy()
    else if (connection === undefined || connection.open.size === 0)
      writeRawErrorResponse(socket as Socket, errorResponse, isErrorOfHead(error))
    else connection.unreadable(errorResponse)
  })
  server.on('tlsClientError', (error) => state.options.log.debug('a TLS handshake failed', { reason: error.message }))

  return respond
}
