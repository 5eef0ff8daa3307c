/**
 * The connections of undici to one origin. undici's own pool is not used, because it does not report whether a connection
 * was used before, which decides about retries, and it never frees closed connections.
 */
import type { UpstreamOptions, UpstreamRequest } from '@turnpike/core/ports'
import { type buildConnector, Client, type Dispatcher } from 'undici'
import { CallPool, type PoolLimits } from '../shared/call-pool.ts'
import type { Deadlines } from '../shared/deadlines.ts'
import type { Settle } from '../shared/upstream-call.ts'
import type { FindPem } from './certificate-source.ts'
import { makeConnector } from './connector.ts'
import { parseProxy } from './proxy-tunnel.ts'
import { tolerateHeads } from './tolerate-heads.ts'
import { Call, type CallConnection } from './undici-call.ts'

/** Additions to a plain request through an HTTP proxy: the origin before the path, and credentials. */
interface ProxiedOrigin {
  readonly prefix: string
  readonly headers: readonly string[]
}

export class OriginPool extends CallPool<Connection, Call> {
  private readonly origin: string
  readonly linkOptions: UpstreamOptions
  private readonly connector: buildConnector.connector
  /** Set for every request, because undici would derive it from the Host header and reconnect if that changes. */
  readonly serverName: string
  /** Additions to requests through a proxy without a tunnel; `undefined` without such a proxy. */
  readonly proxied: ProxiedOrigin | undefined

  constructor(
    origin: string,
    linkOptions: UpstreamOptions,
    limits: Required<PoolLimits>,
    findPem: FindPem,
    deadlines: Deadlines,
  ) {
    super(limits, deadlines)
    this.origin = origin
    this.linkOptions = linkOptions
    const serverName = new URL(origin).hostname
    this.serverName = serverName
    const { connectTimeoutMs } = limits
    this.connector = makeConnector({ serverName, options: linkOptions, connectTimeoutMs, findPem })
    this.proxied = proxiedOrigin(origin, linkOptions)
  }

  protected makeCall(request: UpstreamRequest, settle: Settle): Call {
    return new Call(request, this, settle)
  }

  /** A certificate or key has changed: closes idle connections now and others after their call. */
  renew(): void {
    for (const connection of this.idle.splice(0)) connection.close()
    for (const connection of this.all) connection.outdated = true
  }

  protected openConnection(): Connection {
    const { keepAliveMs, maxHeadBytes } = this.limits
    const connection = new Connection(this)
    const client = new Client(this.origin, {
      connect: (options, callback) =>
        this.connector(options, (...result) => {
          if (result[0] === null) tolerateHeads(result[1], connection)
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
    return connection
  }

  release(connection: Connection, isSound: boolean): void {
    const reusable = isSound && !connection.outdated
    this.ended(connection)
    connection.rest()
    if (!reusable) connection.close()
    const next = this.waiting.next()
    if (next !== undefined && reusable) this.start(next, connection)
    else if (next !== undefined) this.runFresh(next)
    else if (this.kept && reusable) this.idle.push(connection)
    else connection.close()
  }

  /** An idle connection has closed. */
  onClosed(connection: Connection): void {
    const at = this.idle.indexOf(connection)
    if (at < 0) return
    this.idle.splice(at, 1)
    connection.close()
  }
}

/** Returns `undefined` without a proxy and for an invalid proxy URL; opening the connection then fails with the reason. */
function proxiedOrigin(origin: string, { proxyUrl }: UpstreamOptions): ProxiedOrigin | undefined {
  if (proxyUrl === undefined || !origin.startsWith('http:')) return undefined
  try {
    const { credentials } = parseProxy(proxyUrl)
    return { prefix: origin, headers: credentials === undefined ? [] : ['proxy-authorization', credentials] }
  } catch {
    return undefined
  }
}

/** One connection, which opens at its first request. */
class Connection implements CallConnection {
  used = false
  /** It was opened with a certificate or key that has changed, so it is not reused. */
  outdated = false
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

  receivedBytes(): void {
    this.call?.onResponseStarted()
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

  close(): void {
    void this.destroy()
  }

  async destroy(): Promise<void> {
    if (this.pool.all.delete(this)) await this.client?.destroy().catch(() => {})
  }
}
