/**
 * The connections to one origin: one request at a time on each, the one used last is used next, so that connections
 * a burst has left behind idle out.
 */
import type { Deadlines } from '../upstream-common/deadlines.ts'
import { unwatch } from '../upstream-common/deadlines.ts'
import type { Call } from './call.ts'
import type { CallHost, CallTurn } from './call-host.ts'
import { Connection, type ConnectionOwner } from './connection.ts'

export interface PoolLimits {
  /** Connections at once; further calls wait. */
  readonly maxConnections: number
  /** How long an unused connection is kept when the upstream does not say, in ms. */
  readonly keepAliveMs: number
  /** How long a connection may take to come about, in ms. */
  readonly connectMs: number
  /** Largest head of an answer, in bytes. */
  readonly maxHeadBytes: number
}

/** Longest time an unused connection is kept, whatever the upstream says, in ms. */
const longestKeptMs = 600_000
/** A connection is given up so long before the upstream says it will, since its word travels too. */
const keptMarginMs = 1000
/** A connection that was not used for so long no longer keeps the process alive; sooner would cost every request, in ms. */
const restMs = 200
const closedMessage = 'the upstream adapter was closed'

export class OriginPool implements CallHost, ConnectionOwner {
  readonly deadlines: Deadlines
  readonly turn: CallTurn
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

  constructor(origin: string, limits: PoolLimits, deadlines: Deadlines, turn: CallTurn) {
    const { host, hostname, port } = new URL(origin)
    this.authority = host
    this.hostname = hostname.replace(/^\[|\]$/g, '')
    this.port = port === '' ? 80 : Number(port)
    this.maxHeadBytes = limits.maxHeadBytes
    this.limits = limits
    this.deadlines = deadlines
    this.turn = turn
  }

  run(call: Call): void {
    const connection = this.idle.pop()
    if (this.closed) call.fail(new Error(closedMessage))
    else if (connection !== undefined) {
      unwatch(connection)
      call.goOver(connection)
    } else if (this.all.size < this.limits.maxConnections) this.runFresh(call)
    else this.waiting.add(call)
  }

  runFresh(call: Call): void {
    const connection = new Connection(this)
    this.all.add(connection)
    this.deadlines.watch(connection, this.limits.connectMs)
    call.goOver(connection)
  }

  forget(call: Call): void {
    this.waiting.delete(call)
  }

  opened(connection: Connection): void {
    unwatch(connection)
  }

  release(connection: Connection, reusable: boolean): void {
    const idleMs = reusable ? this.idleMs(connection) : 0
    // Its loss lets the next one that waits go on.
    if (idleMs <= 0) connection.close()
    else if (this.waiting.size > 0) this.nextWaiting()?.goOver(connection)
    else if (this.kept) {
      this.idle.push(connection)
      this.deadlines.watch(connection, Math.min(idleMs, restMs))
    } else connection.close()
  }

  resting(connection: Connection): void {
    const leftMs = this.idleMs(connection) - restMs
    if (leftMs > 0) this.deadlines.watch(connection, leftMs)
    else connection.close()
  }

  lost(connection: Connection): void {
    unwatch(connection)
    if (!this.all.delete(connection)) return
    const at = this.idle.lastIndexOf(connection)
    if (at >= 0) this.idle.splice(at, 1)
    const next = this.nextWaiting()
    if (next !== undefined) this.runFresh(next)
  }

  /** Keeps no idle connection any more; calls under way go on, and so do new ones, over connections of their own. */
  retire(): void {
    this.kept = false
    for (const connection of this.idle.splice(0)) connection.close()
  }

  /** Cuts everything; calls that come later are broken at once. */
  destroy(): void {
    this.closed = true
    this.retire()
    for (const call of [...this.waiting]) call.fail(new Error(closedMessage))
    this.waiting.clear()
    for (const connection of [...this.all]) connection.cut(new Error(closedMessage))
  }

  private idleMs({ keptMs }: Connection): number {
    return keptMs === undefined ? this.limits.keepAliveMs : Math.min(keptMs - keptMarginMs, longestKeptMs)
  }

  private nextWaiting(): Call | undefined {
    for (const call of this.waiting) {
      this.waiting.delete(call)
      return call
    }
    return undefined
  }
}
