/**
 * Listens where bytes pass as they are (`protocol` `tcp` and `tls`): each connection is joined to one to the target, by
 * `pipe`, which holds the faster side back. One side's end ends the other's half only; a failure ends both.
 */
import { type AddressInfo, connect as connectPlain, createServer, type Server, type Socket } from 'node:net'
import { connect as connectTls, createServer as createTlsServer, TLSSocket, type TlsOptions } from 'node:tls'
import { type Address, type Listening, type Log, type Maybe, type StreamRoute, silentLog } from '@turnpike/core'
import { openSocket } from '../front-end-common/open-socket.ts'

export interface StreamProxyOptions {
  /** Milliseconds in which nothing passes, either way, before a connection is ended; 0: never. Default: 600,000. */
  readonly idleMs?: number
  /** Milliseconds until a target must have taken a connection. Default: 10,000. */
  readonly connectMs?: number
  readonly log?: Log
}

export interface StreamProxy {
  /**
   * Starts to listen; with `tls`, connections are TLS up to here. `routeOf` is asked for each connection; without a route
   * it is closed. Rejects with a message that names address and reason when it cannot.
   */
  listen(routeOf: () => Maybe<StreamRoute | undefined>, at: Address, tls?: TlsOptions): Promise<Listening>
}

/** Dead peers are found by the system's own probes, the first after so many ms of silence. */
const probeAfterMs = 30_000

export function makeStreamProxy(options: StreamProxyOptions = {}): StreamProxy {
  const { idleMs = 600_000, connectMs = 10_000, log = silentLog } = options
  const rules = { idleMs, connectMs, log }
  return {
    async listen(routeOf, at, tls) {
      const joined = new Set<Socket>()
      const meet = (client: Socket) => {
        joined.add(client)
        client.on('close', () => joined.delete(client))
        void join(client, routeOf, rules)
      }
      const server = makeServer(tls, meet, rules)
      await openSocket(server, at, log)
      return {
        port: (server.address() as AddressInfo).port,
        async close(graceMs) {
          const closed = new Promise<void>((resolve) => server.close(() => resolve()))
          const timer = setTimeout(() => {
            for (const client of joined) client.destroy()
          }, graceMs)
          await closed
          clearTimeout(timer)
        },
      }
    },
  }
}

type Rules = Required<StreamProxyOptions>

function makeServer(tls: TlsOptions | undefined, meet: (client: Socket) => void, { connectMs, log }: Rules): Server {
  // Half of a connection may end before the other: a client that has sent all still waits for the answer.
  if (tls === undefined) return createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true }, meet)
  const server = createTlsServer({ ...tls, allowHalfOpen: true, noDelay: true, handshakeTimeout: connectMs }, meet)
  server.on('tlsClientError', (error) => log.debug('a TLS handshake failed', { reason: error.message }))
  return server
}

async function join(
  client: Socket,
  routeOf: () => Maybe<StreamRoute | undefined>,
  { idleMs, connectMs, log }: Rules,
): Promise<void> {
  // `close` follows, and is what counts.
  client.on('error', () => {})
  client.setKeepAlive(true, probeAfterMs)
  const route = await routeOf()
  const target = route?.pick()
  if (route === undefined || target === undefined || !route.admits(client.remoteAddress ?? '')) {
    client.destroy()
    return
  }
  if (client.destroyed) return
  const { host, port, secure } = target
  const place = { host, port, allowHalfOpen: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: probeAfterMs }
  const name = /^[\d.]+$|:/.test(host) ? {} : { servername: host }
  const upstream = secure ? connectTls({ ...place, ...name, rejectUnauthorized: !route.insecure }) : connectPlain(place)
  const tell = (reason: string) =>
    log.warn('a target cannot be reached', { api: route.apiId, target: `${host}:${port}`, reason })
  const timer = setTimeout(() => {
    tell(`no connection within ${connectMs} ms`)
    upstream.destroy()
  }, connectMs)
  let reached = false
  upstream.on('error', (error) => {
    if (!reached && !client.destroyed) tell(error.message)
  })
  upstream.once('close', () => {
    clearTimeout(timer)
    follow(upstream, client)
  })
  client.once('close', () => follow(client, upstream))
  upstream.once(secure ? 'secureConnect' : 'connect', () => {
    reached = true
    clearTimeout(timer)
    client.pipe(upstream)
    upstream.pipe(client)
  })
  // What passes either way passes through this socket.
  client.setTimeout(idleMs, () => client.destroy())
}

/** One side is gone: what it had sent still goes to the other; what it broke off is broken off there too. */
function follow(gone: Socket, other: Socket): void {
  if (other.destroyed) return
  if (gone.readableEnded && gone.errored === null) other.destroySoon()
  // Over TLS the missing farewell tells; without it, a reset does.
  else if (other instanceof TLSSocket || other.connecting) other.destroy()
  else other.resetAndDestroy()
}
