/**
 * HTTP/2 on the port of the Node front end: by ALPN over TLS, by prior knowledge without. HTTP/1.1 connections are handed
 * to Node's HTTP/1.1 server. `Upgrade: h2c` is ignored, see docs/differences.md#http-versions-and-trailers.
 */
import type { Server } from 'node:http'
import { createServer, type Http2Server, type Http2Session, type ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { HeaderPairs } from '@turnpike/core/http'
import { type ErrorResponse, errorResponses } from '../front-end-common/error-responses.ts'
import { Framing } from '../front-end-common/framing.ts'
import { maxHeaderLines } from '../front-end-common/front-end-options.ts'
import { isMethod, parseRequestTarget, type RequestTarget, validTarget } from '../front-end-common/request-target.ts'
import { detectHttp2 } from './detect-http2.ts'
import { Http2Exchange } from './http2-exchange.ts'
import { readHttp2Head } from './http2-headers.ts'
import { NodeConnection } from './node-connection.ts'
import type { NodeServerState } from './node-server-state.ts'

/** Maximum concurrent requests of one connection. */
const maxStreams = 250
/** Initial flow-control window: bytes of one body that a client may send before the gateway reads them. */
const windowBytes = 262_144

/** Adds HTTP/2 to an HTTP/1.1 server. `respond` is called for each accepted request. */
export function serveHttp2(
  server: Server,
  secure: boolean,
  state: NodeServerState,
  respond: (exchange: Http2Exchange) => void,
): void {
  const http2 = makeHttp2Server(state, respond)
  const event = secure ? 'secureConnection' : 'connection'
  const [serveHttp1] = server.listeners(event) as ((socket: Socket) => void)[]
  if (serveHttp1 === undefined) return
  const serve = (socket: Socket, isHttp2: boolean): void => {
    if (!isHttp2) {
      serveHttp1.call(server, socket)
      return
    }
    // HTTP/1.1 servers of Node keep a half-closed connection open. For HTTP/2 the client's end closes it.
    socket.allowHalfOpen = false
    http2.emit('connection', socket)
  }
  server.off(event, serveHttp1)
  server.prependListener(event, (socket: Socket) => {
    if (secure) serve(socket, (socket as TLSSocket).alpnProtocol === 'h2')
    else detectHttp2(socket, state.options.headerTimeoutMs, (isHttp2) => serve(socket, isHttp2))
  })
}

/** Makes the server that HTTP/2 connections are handed to. `respond` is called for each accepted request. */
export function makeHttp2Server(state: NodeServerState, respond: (exchange: Http2Exchange) => void): Http2Server {
  const { options } = state
  const connections = new WeakMap<Http2Session, NodeConnection>()
  const http2 = createServer({
    settings: {
      maxConcurrentStreams: maxStreams,
      initialWindowSize: windowBytes,
      maxHeaderListSize: options.maxHeaderBytes,
      enablePush: false,
    },
    maxHeaderListPairs: maxHeaderLines + 5,
  })
  http2.on('session', (session) => {
    connections.set(session, new NodeConnection(session.socket as Socket))
    state.sessions.add(session)
    session.on('close', () => state.sessions.delete(session))
    session.on('error', (error) => options.log.debug('an HTTP/2 connection failed', { reason: error.message }))
    session.setTimeout(options.keepAliveMs, () => session.close())
    if (state.draining) session.close()
  })
  const onStream = makeStreamListener(state, respond)
  // The last argument, missing in the types, has the names and values in their original order.
  http2.on('stream', (stream: ServerHttp2Stream, _headers: unknown, _flags: unknown, raw?: readonly string[]) => {
    const connection = stream.session === undefined ? undefined : connections.get(stream.session)
    if (connection === undefined) stream.destroy()
    else onStream(stream, raw ?? [], connection)
  })
  http2.on('sessionError', () => {})
  return http2
}

function makeStreamListener(
  state: NodeServerState,
  respond: (exchange: Http2Exchange) => void,
): (stream: ServerHttp2Stream, raw: readonly string[], connection: NodeConnection) => void {
  const framing = new Framing()
  const limit = state.options.maxBodyBytes
  return (stream, raw, connection) => {
    const { method, target: text, headers } = readHttp2Head(raw)
    const target = parseRequestTarget(text)
    const errorResponse = framing.read(headers) ?? errorResponseFor(method, headers, framing.host, target)
    const bodyLength = stream.endAfterHeaders ? 0 : framing.hasLengthHeader ? framing.bodyLength : undefined
    const message = { method, target: validTarget(target), headers, bodyLength }
    const exchange = new Http2Exchange(stream, message, connection, state)
    if (errorResponse !== undefined) exchange.reject(errorResponse)
    else if (limit > 0 && (bodyLength ?? 0) > limit) exchange.reject(errorResponses.bodyTooLarge)
    else {
      if (framing.expectsContinue) stream.additionalHeaders({ ':status': 100 })
      exchange.readBody()
      respond(exchange)
    }
  }
}

function errorResponseFor(
  method: string,
  headers: HeaderPairs,
  host: string | undefined,
  target: RequestTarget | ErrorResponse,
): ErrorResponse | undefined {
  if (headers.length > 2 * maxHeaderLines) return errorResponses.tooManyHeaders
  if (host === undefined) return errorResponses.noHost
  if (method === 'CONNECT') return errorResponses.connectNotSupported
  if (!isMethod(method)) return errorResponses.badMethod
  return 'status' in target ? target : undefined
}
