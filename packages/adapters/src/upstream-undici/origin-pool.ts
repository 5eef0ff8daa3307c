/**
 * The connections to one origin, with one request at a time on each. The most recently used connection is used first, so
 * that surplus connections of a burst reach their idle timeout. undici's own pool is not used, because it does not report
 * whether a connection was used before, which decides about retries, and it never frees closed connections.
 */
import type { UpstreamOptions } from '@turnpike/core'
import { CallQueue, type Deadlines } from '@turnpike/upstream-http1/shared'
import { type buildConnector, Client, type Dispatcher } from 'undici'
import type { Call } from './call.ts'
import type { CallHost } from './call-host.ts'
import type { FindPem } from './certificate-source.ts'
import { makeConnector } from './connector.ts'
import { dropContinue } from './drop-continue.ts'
import { type ProxiedOrigin, proxiedOrigin } from './proxied-origin.ts'

export interface PoolOptions {
  /** Maximum number of connections; further calls wait. */
  readonly maxConnections: number
  /** Idle timeout in milliseconds if the upstream sends none. */
  readonly keepAliveMs: number
  /** Milliseconds in which a connection must open. */
  readonly connectTimeoutMs: number
  /** Maximum bytes of a response head. */
  readonly maxHeadBytes: number
  /** TLS and proxy options. */
  readonly linkOptions: UpstreamOptions
  readonly findPem: FindPem
}

const closedMessage = 'the upstream adapter was closed'

export class OriginPool implements CallHost<Call> {
  readonly deadlines: Deadlines
  private readonly origin: string
  private readonly options: PoolOptions
  private readonly connector: buildConnector.connector
  /** Set for every request, because undici would derive it from the Host header and reconnect if that changes. */
  readonly serverName: string
  /** Additions to requests through a proxy without a tunnel; `undefined` without such a proxy. */
  readonly proxied: ProxiedOrigin | undefined = undefined
  private readonly idle: Connection[] = []
  private readonly waiting: CallQueue<Call>
  private readonly all = new Set<Connection>()
  private kept = true
  private closed = false

  constructor(origin: string, options: PoolOptions, deadlines: Deadlines) {
    this.origin = origin
    this.options = options
    this.waiting = new CallQueue(options.maxConnections)
    this.deadlines = deadlines
    this.serverName = new URL(origin).hostname
    const { linkOptions, connectTimeoutMs, findPem } = options
    this.connector = makeConnector({ serverName: this.serverName, options: linkOptions, connectTimeoutMs, findPem })
    if (linkOptions.proxyUrl !== undefined && origin.startsWith('http:'))
      this.proxied = proxiedOrigin(origin, linkOptions.proxyUrl)
  }

  /** Number of connections, including those that are being opened. */
  get size(): number {
    return this.all.size
  }

  /** Returns true if connections use the certificate or key of this name, or any if no name is given. */
  names(name: string | undefined): boolean {
    const { certificate, pinnedKeys = [] } = this.options.linkOptions.tls ?? {}
    if (name === undefined) return certificate !== undefined || pinnedKeys.length > 0
    return certificate === name || pinnedKeys.includes(name)
  }

  /** A certificate or key has changed: closes idle connections now and others after their call. */
  renew(): void {
    for (const connection of this.idle.splice(0)) this.drop(connection)
    for (const connection of this.all) connection.outdated = true
  }

  run(call: Call): void {
    if (this.closed) {
      call.onError(new Error(closedMessage))
      return
    }
    const isOverShare = this.waiting.isOverShare(call)
    const connection = isOverShare ? undefined : this.idle.pop()
    if (connection !== undefined) this.send(call, connection)
    else if (isOverShare) this.waiting.add(call)
    else if (this.all.size < this.options.maxConnections) this.runFresh(call)
    else this.waiting.add(call)
  }

  runFresh(call: Call): void {
    const { keepAliveMs, maxHeadBytes } = this.options
    const connection = new Connection(this)
    const client = new Client(this.origin, {
      connect: (options, callback) =>
        this.connector(options, (...result) => {
          if (result[0] === null) dropContinue(result[1], () => connection.expectsHead)
          callback(...result)
        }),
      pipelining: 1,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: 600_000,
      keepAliveTimeoutThreshold: 1000,
      maxHeaderSize: maxHeadBytes,
      // `deadlines.ts` is used instead, because undici's timeouts are inaccurate by half a second.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    connection.attach(client)
    this.all.add(connection)
    this.send(call, connection)
  }

  private send(call: Call, connection: Connection): void {
    connection.uploading = call.isUpload
    if (connection.uploading) this.waiting.uploadStarted()
    call.sendOver(connection)
  }

  forget(call: Call): void {
    this.waiting.remove(call)
  }

  release(connection: Connection, isSound: boolean): void {
    const reusable = isSound && !connection.outdated
    if (connection.uploading) this.waiting.uploadEnded()
    connection.rest()
    if (!reusable) this.drop(connection)
    const next = this.waiting.next()
    if (next === undefined) {
      if (!reusable) return
      if (this.kept) this.idle.push(connection)
      else this.drop(connection)
    } else if (reusable) {
      this.send(next, connection)
    } else {
      this.runFresh(next)
    }
  }

  /** An idle connection has closed. */
  onClosed(connection: Connection): void {
    const at = this.idle.indexOf(connection)
    if (at < 0) return
    this.idle.splice(at, 1)
    this.drop(connection)
  }

  /** Closes idle connections and keeps none from now on. Calls in flight and new calls still work. */
  retire(): void {
    this.kept = false
    for (const connection of this.idle.splice(0)) this.drop(connection)
  }

  /** Aborts all calls. Later calls fail immediately. */
  async destroy(): Promise<void> {
    this.closed = true
    this.retire()
    for (const call of this.waiting.drain()) call.onError(new Error(closedMessage))
    const connections = [...this.all]
    this.all.clear()
    await Promise.all(connections.map((connection) => connection.close()))
  }

  private drop(connection: Connection): void {
    if (this.all.delete(connection)) void connection.close()
  }
}

/** One connection, which opens at its first request. */
export class Connection {
  /** It has served a request. */
  used = false
  /** It was opened with a certificate or key that has changed, so it is not reused. */
  outdated = false
  /** It carries a request whose body is a stream. */
  uploading = false
  private readonly pool: OriginPool
  private client: Client | undefined = undefined
  private call: Call | undefined = undefined

  constructor(pool: OriginPool) {
    this.pool = pool
  }

  /** A request was sent and no byte of its response has arrived. */
  get expectsHead(): boolean {
    return this.call !== undefined && !this.call.receivedBytes
  }

  attach(client: Client): void {
    this.client = client
    client.on('disconnect', () => {
      this.used = false
      this.pool.onClosed(this)
    })
  }

  /** Its call has ended. */
  rest(): void {
    this.call = undefined
    this.uploading = false
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
        // Has an effect with pipelining only; the default costs CPU time.
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
