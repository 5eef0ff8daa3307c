/**
 * The connections to one origin, with one request at a time on each. The most recently used connection is used first, so
 * that surplus connections of a burst reach their idle timeout.
 */
import type { Deadlines } from '../upstream-common/deadlines.ts'
import { unwatch } from '../upstream-common/deadlines.ts'
import type { Call } from './call.ts'
import type { CallBatches, CallHost } from './call-host.ts'
import { Connection, type ConnectionOwner } from './connection.ts'

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

export class OriginPool implements CallHost, ConnectionOwner {
  readonly deadlines: Deadlines
  readonly batches: CallBatches
  readonly authority: string
  readonly hostname: string
  readonly port: number
  readonly maxHeadBytes: number
  private readonly limits: PoolLimits
  private readonly idle: Connection[] = []
  private readonly waiting = new Set<Call>()
  private readonly all = new Set<Connection>()
  private kept = true
  private closed = false

  constructor(origin: string, limits: PoolLimits, deadlines: Deadlines, batches: CallBatches) {
    const { host, hostname, port } = new URL(origin)
    this.authority = host
    this.hostname = hostname.replace(/^\[|\]$/g, '')
    this.port = port === '' ? 80 : Number(port)
    this.maxHeadBytes = limits.maxHeadBytes
    this.limits = limits
    this.deadlines = deadlines
    this.batches = batches
  }

  run(call: Call): void {
    const connection = this.idle.pop()
    if (this.closed) call.fail(new Error(closedMessage))
    else if (connection !== undefined) {
      unwatch(connection)
      call.sendOver(connection)
    } else if (this.all.size < this.limits.maxConnections) this.runFresh(call)
    else this.waiting.add(call)
  }

  runFresh(call: Call): void {
    const connection = new Connection(this)
    this.all.add(connection)
    this.deadlines.watch(connection, this.limits.connectTimeoutMs)
    call.sendOver(connection)
  }

  forget(call: Call): void {
    this.waiting.delete(call)
  }

  onOpened(connection: Connection): void {
    unwatch(connection)
  }

  release(connection: Connection, reusable: boolean): void {
    const idleMs = reusable ? this.idleMs(connection) : 0
    // `onClosed` then starts the next waiting call.
    if (idleMs <= 0) connection.close()
    else if (this.waiting.size > 0) this.nextWaiting()?.sendOver(connection)
    else if (this.kept) {
      this.idle.push(connection)
      this.deadlines.watch(connection, Math.min(idleMs, unrefAfterMs))
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
    const at = this.idle.lastIndexOf(connection)
    if (at >= 0) this.idle.splice(at, 1)
    const next = this.nextWaiting()
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
    for (const call of [...this.waiting]) call.fail(new Error(closedMessage))
    this.waiting.clear()
    for (const connection of [...this.all]) connection.destroy(new Error(closedMessage))
  }

  private idleMs({ upstreamKeepAliveMs }: Connection): number {
    return upstreamKeepAliveMs === undefined
      ? this.limits.keepAliveMs
      : Math.min(upstreamKeepAliveMs - keepAliveMarginMs, maxKeepAliveMs)
  }

  private nextWaiting(): Call | undefined {
    for (const call of this.waiting) {
      this.waiting.delete(call)
      return call
    }
    return undefined
  }
}
