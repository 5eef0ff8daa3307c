/**
 * The connections to one origin, with one request at a time on each. The most recently used connection is used first, so
 * that surplus connections of a burst reach their idle timeout.
 */

import { Connection, type ConnectionOwner } from './connection.ts'
import type { Exchange, ExchangePool } from './exchange.ts'
import { CallQueue } from './shared/call-queue.ts'
import type { Deadlines } from './shared/deadlines.ts'
import { unwatch } from './shared/deadlines.ts'

export interface PoolLimits {
  /** Maximum number of connections; further calls wait. */
  readonly maxConnections: number
  /** Idle timeout in milliseconds if the upstream sends none. */
  readonly keepAliveMs: number
  /** Milliseconds in which a connection must open. */
  readonly connectTimeoutMs: number
  /** Maximum bytes of a response head. */
  readonly maxHeadBytes: number
}

/** Maximum idle timeout in milliseconds, even if the upstream allows more. */
const maxKeepAliveMs = 600_000
/** Milliseconds by which a connection closes before the upstream's idle timeout, to allow for network delay. */
const keepAliveMarginMs = 1000
/** Idle milliseconds after which a connection no longer keeps the process alive. Doing it sooner costs every request. */
const unrefAfterMs = 200
const closedMessage = 'the upstream adapter was closed'

export class ConnectionPool implements ExchangePool, ConnectionOwner {
  readonly deadlines: Deadlines
  readonly authority: string
  readonly hostname: string
  readonly port: number
  readonly maxHeadBytes: number
  private readonly limits: PoolLimits
  private readonly idle: Connection[] = []
  private readonly waiting: CallQueue<Exchange>
  private readonly all = new Set<Connection>()
  /** Connections that `offer` will get. As many exchanges wait for them rather than open a connection. */
  private released = 0
  private kept = true
  private closed = false

  constructor(origin: string, limits: PoolLimits, deadlines: Deadlines) {
    const { host, hostname, port } = new URL(origin)
    this.authority = host
    this.hostname = hostname.replace(/^\[|\]$/g, '')
    this.port = port === '' ? 80 : Number(port)
    this.maxHeadBytes = limits.maxHeadBytes
    this.limits = limits
    this.waiting = new CallQueue(limits.maxConnections)
    this.deadlines = deadlines
  }

  run(exchange: Exchange): void {
    if (this.closed) {
      exchange.fail(new Error(closedMessage))
      return
    }
    const connection = this.waiting.isOverShare(exchange) ? undefined : this.idle.pop()
    if (connection !== undefined) {
      unwatch(connection)
      this.send(exchange, connection)
    } else if (this.waiting.isOverShare(exchange)) this.waiting.add(exchange)
    else if (this.waiting.size >= this.released && this.all.size < this.limits.maxConnections) this.runFresh(exchange)
    else this.waiting.add(exchange)
  }

  runFresh(exchange: Exchange): void {
    const connection = new Connection(this)
    this.all.add(connection)
    this.deadlines.watch(connection, this.limits.connectTimeoutMs)
    this.send(exchange, connection)
  }

  private send(exchange: Exchange, connection: Connection): void {
    connection.uploading = exchange.isUpload
    if (connection.uploading) this.waiting.uploadStarted()
    exchange.sendOver(connection)
  }

  private ended(connection: Connection): void {
    if (connection.uploading) this.waiting.uploadEnded()
    connection.uploading = false
  }

  forget(exchange: Exchange): void {
    this.waiting.remove(exchange)
  }

  onOpened(connection: Connection): void {
    unwatch(connection)
  }

  /**
   * Returns a connection to the pool. The end of the connection, or bytes that belong to no request, may have arrived
   * with the response. So the event loop polls the sockets once more before the connection carries another request:
   * the first immediate runs before the next poll, the second after it.
   */
  release(connection: Connection, reusable: boolean): void {
    this.ended(connection)
    if (!reusable || this.idleMs(connection) <= 0) {
      connection.close()
      return
    }
    this.released++
    setImmediate(() => setImmediate(() => this.offer(connection)))
  }

  /** Gives a released connection to the next exchange in the queue, or keeps it. */
  private offer(connection: Connection): void {
    this.released--
    const next = this.waiting.next()
    if (connection.closed) {
      if (next !== undefined) this.run(next)
    } else if (next !== undefined) this.send(next, connection)
    else if (this.kept) {
      this.idle.push(connection)
      this.deadlines.watch(connection, Math.min(this.idleMs(connection), unrefAfterMs))
    } else connection.close()
  }

  onIdle(connection: Connection): void {
    const leftMs = this.idleMs(connection) - unrefAfterMs
    if (leftMs > 0) this.deadlines.watch(connection, leftMs)
    else connection.close()
  }

  onClosed(connection: Connection): void {
    unwatch(connection)
    if (!this.all.delete(connection)) return
    this.ended(connection)
    const at = this.idle.lastIndexOf(connection)
    if (at >= 0) this.idle.splice(at, 1)
    const next = this.waiting.next()
    if (next !== undefined) this.runFresh(next)
  }

  /** Closes idle connections and keeps none from now on. Calls in flight and new calls still work. */
  retire(): void {
    this.kept = false
    for (const connection of this.idle.splice(0)) connection.close()
  }

  /** Aborts all calls. Later calls fail immediately. */
  destroy(): void {
    this.closed = true
    this.retire()
    for (const exchange of this.waiting.drain()) exchange.fail(new Error(closedMessage))
    for (const connection of [...this.all]) connection.destroy(new Error(closedMessage))
  }

  private idleMs({ upstreamKeepAliveMs }: Connection): number {
    return upstreamKeepAliveMs === undefined
      ? this.limits.keepAliveMs
      : Math.min(upstreamKeepAliveMs - keepAliveMarginMs, maxKeepAliveMs)
  }
}
