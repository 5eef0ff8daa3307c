/** The connections of `connection.ts` to one origin. `shared/call-pool.ts` selects them. */
import type { UpstreamRequest } from '@turnpike/core/ports'
import { CallPool, type PoolLimits } from '../shared/call-pool.ts'
import { type Deadlines, unwatch } from '../shared/deadlines.ts'
import type { Settle } from '../shared/upstream-call.ts'
import { Connection, type ConnectionOwner } from './connection.ts'
import { Exchange } from './exchange.ts'

/** Maximum idle timeout in milliseconds, even if the upstream allows more. */
const maxKeepAliveMs = 600_000
/** Milliseconds by which a connection closes before the upstream's idle timeout, to allow for network delay. */
const keepAliveMarginMs = 1000
/** Idle milliseconds after which a connection no longer keeps the process alive. Doing it sooner costs every request. */
const unrefAfterMs = 200

export class ConnectionPool extends CallPool<Connection, Exchange> implements ConnectionOwner {
  readonly authority: string
  readonly hostname: string
  readonly port: number
  readonly maxHeadBytes: number
  /** Connections that `offer` will get. As many exchanges wait for them rather than open a connection. */
  private released = 0

  constructor(origin: string, limits: Required<PoolLimits>, deadlines: Deadlines) {
    super(limits, deadlines)
    const { host, hostname, port } = new URL(origin)
    this.authority = host
    this.hostname = hostname.replace(/^\[|\]$/g, '')
    this.port = port === '' ? 80 : Number(port)
    this.maxHeadBytes = limits.maxHeadBytes
  }

  protected makeCall(request: UpstreamRequest, settle: Settle): Exchange {
    return new Exchange(request, this, settle)
  }

  protected openConnection(): Connection {
    const connection = new Connection(this)
    this.deadlines.watch(connection, this.limits.connectTimeoutMs)
    return connection
  }

  protected override mayOpen(): boolean {
    return this.waiting.size >= this.released && super.mayOpen()
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
    } else if (next !== undefined) this.start(next, connection)
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

  private idleMs({ upstreamKeepAliveMs }: Connection): number {
    return upstreamKeepAliveMs === undefined
      ? this.limits.keepAliveMs
      : Math.min(upstreamKeepAliveMs - keepAliveMarginMs, maxKeepAliveMs)
  }
}
