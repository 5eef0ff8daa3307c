/**
 * The connections to one origin: one request at a time on each, the one used last is used next, so that connections
 * a burst has left behind idle out. undici's own pool does not tell whether a connection was used before, which
 * decides whether a request may be repeated, and keeps an object for every connection there ever was.
 */
import type { UpstreamOptions } from '@turnpike/core'
import { type buildConnector, Client, type Dispatcher } from 'undici'
import type { Deadlines } from '../upstream-common/deadlines.ts'
import type { Call } from './call.ts'
import type { CallHost } from './call-host.ts'
import type { FindPem } from './certificate-source.ts'
import { makeConnector } from './connector.ts'
import { type ProxiedOrigin, proxiedOrigin } from './proxied-origin.ts'
import { swallowContinue } from './swallow-continue.ts'

export interface PoolOptions {
  /** Connections at once; further calls wait. */
  readonly maxConnections: number
  /** How long an unused connection is kept when the upstream does not say, in ms. */
  readonly keepAliveMs: number
  /** How long a connection may take to come about, in ms. */
  readonly connectMs: number
  /** Largest head of an answer, in bytes. */
  readonly maxHeadBytes: number
  /** TLS and the way to the upstream. */
  readonly way: UpstreamOptions
  readonly findPem: FindPem
}

const closedMessage = 'the upstream adapter was closed'

export class OriginPool implements CallHost {
  readonly deadlines: Deadlines
  private readonly origin: string
  private readonly options: PoolOptions
  private readonly connector: buildConnector.connector
  /** Told for every request, since undici would else derive it from the Host header and reconnect when that changes. */
  readonly serverName: string
  /** What a request through a proxy without a tunnel needs; `undefined` for all others. */
  readonly proxied: ProxiedOrigin | undefined = undefined
  private readonly idle: Connection[] = []
  private readonly waiting = new Set<Call>()
  private readonly all = new Set<Connection>()
  private kept = true
  private closed = false

  constructor(origin: string, options: PoolOptions, deadlines: Deadlines) {
    this.origin = origin
    this.options = options
    this.deadlines = deadlines
    this.serverName = new URL(origin).hostname
    const { way, connectMs, findPem } = options
    this.connector = makeConnector({ serverName: this.serverName, options: way, connectMs, findPem })
    if (way.proxyUrl !== undefined && origin.startsWith('http:')) this.proxied = proxiedOrigin(origin, way.proxyUrl)
  }

  /** How many connections there are, those being opened included. */
  get size(): number {
    return this.all.size
  }

  /** Whether its connections are opened with the certificate or key of this name; without a name: with any. */
  names(name: string | undefined): boolean {
    const { certificate, pinnedKeys = [] } = this.options.way.tls ?? {}
    if (name === undefined) return certificate !== undefined || pinnedKeys.length > 0
    return certificate === name || pinnedKeys.includes(name)
  }

  /** What connections were opened with is not valid any more: idle ones close, those in use after their call. */
  renew(): void {
    for (const connection of this.idle.splice(0)) this.drop(connection)
    for (const connection of this.all) connection.outdated = true
  }

  run(call: Call): void {
    const connection = this.idle.pop()
    if (this.closed) call.onError(new Error(closedMessage))
    else if (connection !== undefined) call.goOver(connection)
    else if (this.all.size < this.options.maxConnections) this.runFresh(call)
    else this.waiting.add(call)
  }

  runFresh(call: Call): void {
    const { keepAliveMs, maxHeadBytes } = this.options
    const connection = new Connection(this)
    const client = new Client(this.origin, {
      connect: (options, callback) =>
        this.connector(options, (...result) => {
          if (result[0] === null) swallowContinue(result[1], () => connection.expectsHead)
          callback(...result)
        }),
      pipelining: 1,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: 600_000,
      keepAliveTimeoutThreshold: 1000,
      maxHeaderSize: maxHeadBytes,
      // Ours, in `deadlines.ts`: undici's are half a second off.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    connection.attach(client)
    this.all.add(connection)
    call.goOver(connection)
  }

  forget(call: Call): void {
    this.waiting.delete(call)
  }

  release(connection: Connection, isSound: boolean): void {
    const reusable = isSound && !connection.outdated
    connection.rest()
    if (!reusable) this.drop(connection)
    const next = this.nextWaiting()
    if (next === undefined) {
      if (!reusable) return
      if (this.kept) this.idle.push(connection)
      else this.drop(connection)
    } else if (reusable) {
      next.goOver(connection)
    } else {
      this.runFresh(next)
    }
  }

  /** An idle connection has closed. */
  lost(connection: Connection): void {
    const at = this.idle.indexOf(connection)
    if (at < 0) return
    this.idle.splice(at, 1)
    this.drop(connection)
  }

  /** Keeps no idle connection any more; calls under way go on, and so do new ones, over connections of their own. */
  retire(): void {
    this.kept = false
    for (const connection of this.idle.splice(0)) this.drop(connection)
  }

  /** Cuts everything; calls that come later are broken at once. */
  async destroy(): Promise<void> {
    this.closed = true
    this.retire()
    for (const call of this.waiting) call.onError(new Error(closedMessage))
    this.waiting.clear()
    const connections = [...this.all]
    this.all.clear()
    await Promise.all(connections.map((connection) => connection.close()))
  }

  private nextWaiting(): Call | undefined {
    for (const call of this.waiting) {
      this.waiting.delete(call)
      return call
    }
    return undefined
  }

  private drop(connection: Connection): void {
    if (this.all.delete(connection)) void connection.close()
  }
}

/** One connection, opened with its first request. */
export class Connection {
  /** A request was answered over it. */
  used = false
  /** Opened with a certificate that is not valid any more: no other call goes over it. */
  outdated = false
  private readonly pool: OriginPool
  private client: Client | undefined = undefined
  private call: Call | undefined = undefined

  constructor(pool: OriginPool) {
    this.pool = pool
  }

  /** A request is out and no byte of its answer has come. */
  get expectsHead(): boolean {
    return this.call !== undefined && !this.call.begun
  }

  attach(client: Client): void {
    this.client = client
    client.on('disconnect', () => {
      this.used = false
      this.pool.lost(this)
    })
  }

  /** Its call is over. */
  rest(): void {
    this.call = undefined
    this.used = true
  }

  dispatch(call: Call): void {
    this.call = call
    const { proxied } = this.pool
    this.client?.dispatch(
      {
        path: proxied === undefined ? call.path : proxied.prefix + call.path,
        method: call.method as Dispatcher.HttpMethod,
        headers: proxied === undefined ? call.headers : [...call.headers, ...proxied.headers],
        body: call.body,
        // Only of use with pipelining, and not free.
        blocking: false,
        upgrade: call.upgrade,
        servername: this.pool.serverName,
      } as Dispatcher.DispatchOptions,
      call as unknown as Dispatcher.DispatchHandler,
    )
  }

  async close(): Promise<void> {
    await this.client?.destroy().catch(() => {})
  }
}
