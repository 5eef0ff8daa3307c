/**
 * TCP and TLS proxy for APIs with `protocol` `tcp` or `tls`. Each client connection is piped to a connection to the target
 * and back, with backpressure. The end of one side half-closes the other, a failure closes both.
 */
import { type AddressInfo, connect as connectPlain, createServer, type Server, type Socket } from 'node:net'
import { connect as connectTls, createServer as createTlsServer, TLSSocket } from 'node:tls'
import type { Maybe } from '@turnpike/core/lib'
import { type Address, type Listening, type Log, silentLog } from '@turnpike/core/ports'
import type { StreamRoute } from '@turnpike/core/route'
import { followRenewals, type RenewableTlsOptions } from '../front-end-common/renewable-tls.ts'
import { startListening } from '../front-end-common/start-listening.ts'

export interface StreamProxyOptions {
  /** Milliseconds without traffic in both directions after which a connection is closed; 0: never. Default: 600,000. */
  readonly idleTimeoutMs?: number
  /** Milliseconds in which a target must accept a connection. Default: 10,000. */
  readonly connectTimeoutMs?: number
  /** Default: no log. */
  readonly log?: Log
}

export interface StreamProxy {
  /**
   * Starts to listen. With `tls`, the proxy terminates TLS. `routeOf` is called for each connection; if it returns no
   * route, the connection is closed. Rejects with an error whose message names the address and the reason.
   */
  listen(routeOf: () => Maybe<StreamRoute | undefined>, at: Address, tls?: RenewableTlsOptions): Promise<Listening>
}

/** Milliseconds of silence before the first TCP keep-alive probe, which detects dead peers. */
const keepAliveDelayMs = 30_000

export function makeStreamProxy(options: StreamProxyOptions = {}): StreamProxy {
  const { idleTimeoutMs = 600_000, connectTimeoutMs = 10_000, log = silentLog } = options
  const resolved = { idleTimeoutMs, connectTimeoutMs, log }
  return {
    async listen(routeOf, at, tls) {
      const clients = new Set<Socket>()
      const onConnection = (client: Socket) => {
        clients.add(client)
        client.on('close', () => clients.delete(client))
        proxyConnection(client, routeOf, resolved).catch((error: unknown) => {
          log.error('a connection cannot be proxied', { reason: String(error) })
          client.destroy()
        })
      }
      const server = makeServer(tls, onConnection, resolved)
      await startListening(server, at, log)
      const stopRenewals = followRenewals(server, tls)
      return {
        port: (server.address() as AddressInfo).port,
        async close(graceMs) {
          stopRenewals()
          const closed = new Promise<void>((resolve) => server.close(() => resolve()))
          const timer = setTimeout(() => {
            for (const client of clients) client.destroy()
          }, graceMs)
          await closed
          clearTimeout(timer)
        },
      }
    },
  }
}

type ResolvedOptions = Required<StreamProxyOptions>

function makeServer(
  tls: RenewableTlsOptions | undefined,
  onConnection: (client: Socket) => void,
  { connectTimeoutMs, log }: ResolvedOptions,
): Server {
  // With half-open connections, a client that has finished sending can still receive the response.
  if (tls === undefined) return createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true }, onConnection)
  const server = createTlsServer(
    { ...tls, allowHalfOpen: true, noDelay: true, handshakeTimeout: connectTimeoutMs },
    onConnection,
  )
  server.on('tlsClientError', (error) => log.debug('a TLS handshake failed', { reason: error.message }))
  return server
}

async function proxyConnection(
  client: Socket,
  routeOf: () => Maybe<StreamRoute | undefined>,
  { idleTimeoutMs, connectTimeoutMs, log }: ResolvedOptions,
): Promise<void> {
  // `close` follows and is handled. Without a listener the error would end the process.
  client.on('error', () => {})
  client.setKeepAlive(true, keepAliveDelayMs)
  const route = await routeOf()
  const target = route?.admits(client.remoteAddress ?? '') ? await route.nextTarget() : undefined
  if (route === undefined || target === undefined) {
    client.destroy()
    return
  }
  if (client.destroyed) return
  const { host, port, secure } = target
  const address = {
    host,
    port,
    allowHalfOpen: true,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveDelayMs,
  }
  const serverName = /^[\d.]+$|:/.test(host) ? {} : { servername: host }
  const upstream = secure
    ? connectTls({ ...address, ...serverName, rejectUnauthorized: !route.insecure })
    : connectPlain(address)
  const logFailure = (reason: string) =>
    log.warn('a target cannot be reached', { api: route.apiId, target: `${host}:${port}`, reason })
  const timer = setTimeout(() => {
    logFailure(`no connection within ${connectTimeoutMs} ms`)
    upstream.destroy()
  }, connectTimeoutMs)
  let reached = false
  upstream.on('error', (error) => {
    if (!reached && !client.destroyed) logFailure(error.message)
  })
  upstream.once('close', () => {
    clearTimeout(timer)
    propagateClose(upstream, client)
  })
  client.once('close', () => propagateClose(client, upstream))
  upstream.once(secure ? 'secureConnect' : 'connect', () => {
    reached = true
    clearTimeout(timer)
    client.pipe(upstream)
    upstream.pipe(client)
  })
  // Traffic in both directions passes through the client's socket, so its timeout covers both.
  client.setTimeout(idleTimeoutMs, () => client.destroy())
}

/** Closes the other side after one side has closed: gracefully after a complete transfer, abruptly after a failure. */
function propagateClose(closed: Socket, other: Socket): void {
  if (other.destroyed) return
  if (closed.readableEnded && closed.errored === null) other.destroySoon()
  // A TLS peer notices the missing close_notify alert. A TCP peer notices only a reset.
  else if (other instanceof TLSSocket || other.connecting) other.destroy()
  else other.resetAndDestroy()
}
