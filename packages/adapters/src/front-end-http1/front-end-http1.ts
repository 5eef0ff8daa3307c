/**
 * The front end of our own: HTTP/1.0 and HTTP/1.1 on node:net and node:tls, with the parser of `@turnpike/upstream`. HTTP/2
 * connections are handed to node:http2. docs/decisions/0026-http1-front-end.md says why and how it is proven.
 */
import type { Http2Server } from 'node:http2'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import type { Address, FrontEnd, Handle, Listening, Log } from '@turnpike/core/ports'
import { Framing } from '../front-end-common/framing.ts'
import {
  type FrontEndOptions,
  type ResolvedFrontEndOptions,
  resolveOptions,
} from '../front-end-common/front-end-options.ts'
import { followRenewals, type RenewableTlsOptions } from '../front-end-common/renewable-tls.ts'
import { makeResponder } from '../front-end-common/responder.ts'
import { startListening } from '../front-end-common/start-listening.ts'
import { detectHttp2 } from '../front-end-node/detect-http2.ts'
import { makeNodeServerState } from '../front-end-node/node-server-state.ts'
import { AcceptedReads, readsIntoMemory } from './accepted-reads.ts'
import { ConnectionSweep } from './connection-sweep.ts'
import { Http1Connection } from './http1-connection.ts'
import type { Http1ServerState } from './http1-server-state.ts'

export type { FrontEndOptions } from '../front-end-common/front-end-options.ts'
export type { RenewableTlsOptions } from '../front-end-common/renewable-tls.ts'

export interface Http1FrontEndOptions extends FrontEndOptions {
  /** Serves HTTPS with these options of node:tls. Default: plain HTTP. */
  readonly tls?: RenewableTlsOptions
  /** Also serves HTTP/2: negotiated by ALPN with `tls`, by prior knowledge without. Default: false. */
  readonly http2?: boolean
}

/** Makes the front end. */
export function makeHttp1FrontEnd(given: Http1FrontEndOptions = {}): FrontEnd {
  const options = resolveOptions(given)
  return {
    name: 'http1',
    secure: given.tls !== undefined,
    listen: (handle, at) => listen(handle, at, options, given),
  } satisfies FrontEnd
}

async function listen(
  handle: Handle,
  at: Address,
  options: ResolvedFrontEndOptions,
  { tls, http2 = false }: Http1FrontEndOptions,
): Promise<Listening> {
  // Loaded where it is used: node:http2 takes several milliseconds of a start.
  const { makeHttp2Server } = http2 ? await import('../front-end-node/serve-http2.ts') : {}
  const server = makeServer(options, tls, http2)
  // HTTP/2 is detected in the bytes that the accepted socket emits, and TLS sockets decrypt into memory of their own.
  const reusesMemory = tls === undefined && !http2 && (await canReuseMemory(options.log))
  await startListening(server, at, options.log)
  const stopRenewals = followRenewals(server, tls)
  const state = makeState(handle, options)
  const sockets = new Set<Socket>()
  const watch = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  }
  if (reusesMemory) serveReads(server, state, watch)
  else serve(server, tls !== undefined, makeHttp2Server?.(state, state.respond), state, watch)
  return {
    port: (server.address() as AddressInfo).port,
    async close(graceMs) {
      stopRenewals()
      const closed = new Promise((resolve) => server.close(resolve))
      state.draining = true
      const started = performance.now()
      for (const connection of state.connections) connection.drain()
      for (const session of state.sessions) session.close()
      await state.inFlight.whenIdle(graceMs)
      for (const socket of state.tunnels) socket.destroy()
      for (const session of state.sessions) session.destroy()
      // Responses that were written may still wait for a slow client.
      const flushed = Promise.all(Array.from(state.connections, (connection) => connection.closeAfterWrites()))
      await within(flushed, graceMs - (performance.now() - started))
      for (const socket of sockets) socket.destroy()
      await closed
      state.sweep.stop()
      state.stallDetector.stop()
    },
  }
}

async function canReuseMemory(log: Log): Promise<boolean> {
  const works = await readsIntoMemory()
  if (!works) {
    const { node } = process.versions
    log.warn(`the front end http1 cannot reuse memory for reads with Node ${node}: uploads need more CPU time`)
  }
  return works
}

/** Waits for the promise, for at most `maxMs` milliseconds. */
async function within(promise: Promise<unknown>, maxMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, maxMs))
  })
  await Promise.race([promise, over])
  clearTimeout(timer)
}

function makeState(handle: Handle, options: ResolvedFrontEndOptions): Http1ServerState {
  const connections: Http1ServerState['connections'] = new Set()
  return {
    ...makeNodeServerState(options),
    connections,
    sweep: new ConnectionSweep(connections, options),
    framing: new Framing(),
    respond: makeResponder(handle, options.log),
  }
}

function makeServer(options: ResolvedFrontEndOptions, tls: RenewableTlsOptions | undefined, http2: boolean): Server {
  // A client may end its half of the connection before it gets the response.
  const socketOptions = { noDelay: true, allowHalfOpen: true }
  if (tls === undefined) return createServer(socketOptions)
  const protocols = http2 ? ['h2', 'http/1.1'] : ['http/1.1']
  return createTlsServer({
    ...tls,
    ...socketOptions,
    ALPNProtocols: protocols,
    handshakeTimeout: options.headerTimeoutMs,
  })
}

/** Serves HTTP/1 on sockets that read into memory of the gateway. `watch`: is called for each open connection. */
function serveReads(server: Server, state: Http1ServerState, watch: (socket: Socket) => void): void {
  server.on('connection', (accepted: Socket) => {
    const reads = new AcceptedReads(accepted)
    watch(reads.socket)
    new Http1Connection(reads.socket, state, reads)
  })
}

/** Connects the events of the server to the protocols. `watch`: for each open connection, those in a TLS handshake included. */
function serve(
  server: Server,
  secure: boolean,
  http2Server: Http2Server | undefined,
  state: Http1ServerState,
  watch: (socket: Socket) => void,
): void {
  const serveSocket = (socket: Socket, isHttp2: boolean): void => {
    if (socket.destroyed) return
    if (!isHttp2 || http2Server === undefined) {
      new Http1Connection(socket, state)
      return
    }
    // For HTTP/2 the client's end closes the connection.
    socket.allowHalfOpen = false
    http2Server.emit('connection', socket)
  }
  server.on('connection', (socket: Socket) => {
    watch(socket)
    if (secure) return
    if (http2Server !== undefined)
      detectHttp2(socket, state.options.keepAliveMs, (isHttp2) => serveSocket(socket, isHttp2))
    else serveSocket(socket, false)
  })
  server.on('secureConnection', (socket: TLSSocket) => serveSocket(socket, socket.alpnProtocol === 'h2'))
  server.on('tlsClientError', (error: Error) => {
    state.options.log.debug('a TLS handshake failed', { reason: error.message })
  })
}
