/**
 * HTTP/2 on the port of the Node front end: by ALPN over TLS, by prior knowledge without. An `Upgrade: h2c` is passed
 * over (spec/decisions.md). Connections of HTTP/1.1 go on to Node's own server as if this were not here.
 */
import type { Server } from 'node:http'
import { createServer, type Http2Session, type ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { Framing } from '../front-end-common/framing.ts'
import { maxHeaderLines } from '../front-end-common/options.ts'
import { type Refusal, refusals } from '../front-end-common/refusal.ts'
import { isMethod, readTarget, type Target } from '../front-end-common/target.ts'
import { Http2Exchange } from './http2-exchange.ts'
import { readHttp2Head } from './http2-head.ts'
import { NodeConnection } from './node-connection.ts'
import type { NodeServerState } from './node-server-state.ts'
import { sniffPreface } from './preface.ts'

/** Requests that one connection may have under way. */
const maxStreams = 250
/** Bytes that a client may send of one body before it waits for them to be read. */
const windowBytes = 262_144

/** Lets the server's connections be of either version; `answer` gets every exchange whose body is being read. */
export function serveHttp2(
  server: Server,
  secure: boolean,
  state: NodeServerState,
  answer: (exchange: Http2Exchange) => void,
): void {
  const { rules } = state
  const connections = new WeakMap<Http2Session, NodeConnection>()
  const framing = new Framing()
  const http2 = createServer({
    settings: {
      maxConcurrentStreams: maxStreams,
      initialWindowSize: windowBytes,
      maxHeaderListSize: rules.maxHeaderBytes,
      enablePush: false,
    },
    maxHeaderListPairs: maxHeaderLines + 5,
  })
  http2.on('session', (session) => {
    connections.set(session, new NodeConnection(session.socket as Socket))
    state.sessions.add(session)
    session.on('close', () => state.sessions.delete(session))
    session.on('error', (error) => rules.log.debug('a connection of HTTP/2 failed', { reason: error.message }))
    session.setTimeout(rules.keepAliveMs, () => session.close())
    if (state.draining) session.close()
  })
  // The types do not know the last argument: names and values as they came.
  http2.on('stream', (stream: ServerHttp2Stream, _headers: unknown, _flags: unknown, raw?: readonly string[]) => {
    meet(stream, raw ?? [])
  })
  http2.on('sessionError', () => {})

  const event = secure ? 'secureConnection' : 'connection'
  const [serveHttp1] = server.listeners(event) as ((socket: Socket) => void)[]
  if (serveHttp1 === undefined) return
  server.off(event, serveHttp1)
  server.prependListener(event, (socket: Socket) => {
    if (secure) {
      if ((socket as TLSSocket).alpnProtocol === 'h2') open(socket)
      else serveHttp1.call(server, socket)
      return
    }
    sniffPreface(socket, rules.headerTimeoutMs, (isHttp2) => {
      if (isHttp2) open(socket)
      else serveHttp1.call(server, socket)
    })
  })

  function open(socket: Socket): void {
    // Servers of HTTP/1.1 hear of a client's end and go on; for HTTP/2 it is the end of the connection.
    socket.allowHalfOpen = false
    http2.emit('connection', socket)
  }

  function meet(stream: ServerHttp2Stream, raw: readonly string[]): void {
    const connection = stream.session === undefined ? undefined : connections.get(stream.session)
    if (connection === undefined) {
      stream.destroy()
      return
    }
    const { method, target: text, headers } = readHttp2Head(raw)
    const target = readTarget(text)
    const refusal = framing.read(headers) ?? refusalOf(method, headers.length, target)
    const bodyLength = stream.endAfterHeaders ? 0 : framing.lengthTold ? framing.bodyLength : undefined
    const place = 'status' in target ? { path: '/', query: '', host: undefined } : target
    const exchange = new Http2Exchange(stream, { method, target: place, headers, bodyLength }, connection, state)
    const limit = rules.maxBodyBytes
    if (refusal !== undefined) exchange.refuse(refusal)
    else if (limit > 0 && (bodyLength ?? 0) > limit) exchange.refuse(refusals.bodyTooLarge)
    else {
      if (framing.expectsContinue) stream.additionalHeaders({ ':status': 100 })
      exchange.readBody()
      answer(exchange)
    }
  }

  function refusalOf(method: string, headerTexts: number, target: Target | Refusal): Refusal | undefined {
    if (headerTexts > 2 * maxHeaderLines) return refusals.tooManyHeaders
    if (framing.host === undefined) return refusals.noHost
    if (method === 'CONNECT') return refusals.noTunnel
    if (!isMethod(method)) return refusals.badMethod
    return 'status' in target ? target : undefined
  }
}
