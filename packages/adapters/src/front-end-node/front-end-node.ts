/**
 * The front end on node:http. Slower than uWebSockets.js, and the one with everything: TLS with client certificates,
 * HTTP/1.0, targets in absolute form, any platform. Its parser (llhttp, strict) refuses most malformed messages; what
 * it lets through is looked at by the same rules as on the other front end, in front-end-common.
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
import { faultAnswer } from '../front-end-common/answer-head.ts'
import { Framing } from '../front-end-common/framing.ts'
import { makeInFlight } from '../front-end-common/in-flight.ts'
import { openSocket } from '../front-end-common/open-socket.ts'
import { type FrontEndOptions, type FrontEndRules, maxHeaderLines, toRules } from '../front-end-common/options.ts'
import { type Refusal, refusals } from '../front-end-common/refusal.ts'
import { makeStallWatch } from '../front-end-common/stall-watch.ts'
import { readTarget, type Target } from '../front-end-common/target.ts'
import { refusalOf, writeBareAnswer } from './bare-answer.ts'
import type { Http2Exchange } from './http2-exchange.ts'
import { NodeConnection } from './node-connection.ts'
import { NodeExchange } from './node-exchange.ts'
import { pairsOf } from './node-head.ts'
import type { NodeServerState } from './node-server-state.ts'
import { serveHttp2 } from './serve-http2.ts'
import { UpgradeAwareMessage, type UpgradeWish } from './upgrade-aware-message.ts'

export interface NodeFrontEndOptions extends FrontEndOptions {
  /** Serves HTTPS: certificate, key, `requestCert` and the like, as node:tls has them. Plain HTTP by default. */
  readonly tls?: TlsOptions
  /** Serves HTTP/2 as well: by ALPN with `tls`, by prior knowledge without; false by default. */
  readonly http2?: boolean
}

/** A front end on Node's own HTTP server. */
export function makeNodeFrontEnd(options: NodeFrontEndOptions = {}): FrontEnd {
  const rules = toRules(options)
  return {
    name: 'node',
    secure: options.tls !== undefined,
    listen: (handle, at) => listen(handle, at, rules, options),
  } satisfies FrontEnd
}

async function listen(
  handle: Handle,
  at: Address,
  rules: FrontEndRules,
  { tls: given, http2 = false }: NodeFrontEndOptions,
): Promise<Listening> {
  const tls = given === undefined || !http2 ? given : { ...given, ALPNProtocols: ['h2', 'http/1.1'] }
  const server = makeServer(rules, tls)
  await openSocket(server, at, rules.log)
  const state: NodeServerState = {
    rules,
    inFlight: makeInFlight(),
    watch: makeStallWatch(rules.bodyStallMs),
    draining: false,
    tunnels: new Set(),
    sessions: new Set(),
  }
  const answer = serve(server, tls !== undefined, handle, state)
  if (http2) serveHttp2(server, tls !== undefined, state, answer)
  return {
    port: (server.address() as AddressInfo).port,
    async close(graceMs) {
      const closed = new Promise((resolve) => server.close(resolve))
      state.draining = true
      server.closeIdleConnections()
      for (const session of state.sessions) session.close()
      await state.inFlight.settle(graceMs)
      server.closeAllConnections()
      for (const socket of state.tunnels) socket.destroy()
      for (const session of state.sessions) session.destroy()
      await closed
      state.watch.stop()
    },
  }
}

function makeServer(rules: FrontEndRules, tls: TlsOptions | undefined): Server {
  const options: ServerOptions = {
    maxHeaderSize: rules.maxHeaderBytes,
    headersTimeout: rules.headerTimeoutMs,
    // Bodies may take as long as they move: the stall watch looks after them.
    requestTimeout: 0,
    keepAliveTimeout: rules.keepAliveMs,
    connectionsCheckingInterval: Math.max(20, Math.min(1_000, rules.headerTimeoutMs / 4)),
    // Looked at by `Framing`, which answers in words.
    requireHostHeader: false,
    insecureHTTPParser: false,
    noDelay: true,
    IncomingMessage: UpgradeAwareMessage,
  }
  const server = tls === undefined ? createServer(options) : createTlsServer({ ...tls, ...options } as TlsServerOptions)
  // Node would drop the lines over its limit without a word, and with them perhaps a Content-Length.
  server.maxHeadersCount = 0
  return server
}

/** Returns how an exchange of either version gets its answer. */
function serve(
  server: Server,
  secure: boolean,
  handle: Handle,
  state: NodeServerState,
): (exchange: NodeExchange | Http2Exchange) => void {
  const connections = new WeakMap<Socket, NodeConnection>()
  const framing = new Framing()
  server.on(secure ? 'secureConnection' : 'connection', (socket: Socket) => {
    const connection = new NodeConnection(socket)
    connections.set(socket, connection)
    socket.on('close', () => connection.closed())
  })
  server.on('request', (req, res) => meet(req, res))
  server.on('checkContinue', (req, res) => meet(req, res))
  server.on('checkExpectation', (req, res) => meet(req, res))
  // Only where `UpgradeAwareMessage` says so. Node has let go of the connection: the answer is put on it by hand.
  server.on('upgrade', (req, socket, first) => {
    const res = new ServerResponse(req)
    res.shouldKeepAlive = false
    res.assignSocket(socket as Socket)
    res.on('finish', () => {
      res.detachSocket(socket as Socket)
      ;(socket as Socket).destroySoon()
    })
    socket.on('error', () => {})
    meet(req, res, { protocol: (req as UpgradeAwareMessage).protocol, first })
  })
  server.on('connect', (_req, socket) => writeBareAnswer(socket as Socket, refusals.noTunnel))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const refusal = refusalOf(error)
    const connection = connections.get(socket as Socket)
    if (refusal === undefined || !socket.writable) socket.destroy()
    else if (connection === undefined || connection.open.size === 0) writeBareAnswer(socket as Socket, refusal)
    else connection.unreadable(refusal)
  })
  server.on('tlsClientError', (error) => state.rules.log.debug('a TLS handshake failed', { reason: error.message }))

  return answer

  function meet(req: IncomingMessage, res: ServerResponse, wish?: UpgradeWish): void {
    const connection = connections.get(req.socket)
    if (connection === undefined) {
      req.socket.destroy()
      return
    }
    // Node goes on to read behind a request that ends its connection. Not answered, these go with it.
    if (connection.ending) return
    const headers = pairsOf(req.rawHeaders)
    const target = readTarget(req.url as string)
    const refusal = refusalBefore(req, headers, target)
    const exchange = new NodeExchange(req, res, splitOf(target), headers, framing.bodyLength, connection, state, wish)
    if (refusal !== undefined) {
      exchange.refuse(refusal)
      return
    }
    if (framing.wantsClose) connection.ending = true
    if (framing.expectsContinue && req.httpVersionMinor === 1) res.writeContinue()
    exchange.readBody()
    answer(exchange)
  }

  function answer(exchange: NodeExchange | Http2Exchange): void {
    try {
      const made = handle(exchange)
      if (isPromise(made)) made.then((it) => exchange.send(it)).catch((error) => failed(exchange, error))
      else exchange.send(made)
    } catch (error) {
      failed(exchange, error)
    }
  }

  function failed(exchange: NodeExchange | Http2Exchange, error: unknown): void {
    state.rules.log.error('a request could not be answered', { error })
    exchange.send(faultAnswer())
  }

  function refusalBefore(req: IncomingMessage, headers: HeaderPairs, target: Target | Refusal): Refusal | undefined {
    if (req.httpVersionMajor !== 1) return refusals.badVersion
    if (headers.length > 2 * maxHeaderLines) return refusals.tooManyHeaders
    const refusal = framing.read(headers)
    if (refusal !== undefined) return refusal
    if (framing.host === undefined && req.httpVersionMinor === 1) return refusals.noHost
    if ('status' in target) return target
    if (target.host !== undefined) setHeader(headers, 'host', target.host)
    const limit = state.rules.maxBodyBytes
    return limit > 0 && (framing.bodyLength ?? 0) > limit ? refusals.bodyTooLarge : undefined
  }
}

function splitOf(target: Target | Refusal): Target {
  return 'status' in target ? { path: '/', query: '', host: undefined } : target
}
