/**
 * The connections to one origin, with one request at a time on each. The most recently used connection is used first,
 * so that surplus connections of a burst reach their idle timeout.
 */
import type { UpstreamError, UpstreamRequest, UpstreamResponse } from '@turnpike/core/ports'
import { CallQueue } from './call-queue.ts'
import type { Deadlines } from './deadlines.ts'
import { maySendAgain } from './retry-rule.ts'
import { type Settle, UpstreamCall } from './upstream-call.ts'
import { isConnectionLoss } from './upstream-errors.ts'

/** Options of the clients for HTTP/1.1. */
export interface PoolLimits {
  /** Maximum number of connections per origin; further calls wait. Default: 4096. */
  readonly maxConnections?: number
  /** Idle timeout in milliseconds if the upstream sends none. Default: 4000. */
  readonly keepAliveMs?: number
  /** Milliseconds in which a connection must open. Default: 30,000. The timeout of a call also applies. */
  readonly connectTimeoutMs?: number
  /** Maximum bytes of a response head; a larger head is malformed. Default: 65,536. */
  readonly maxHeadBytes?: number
}

/** Returns the limits with all defaults set. */
export function resolveLimits(limits: PoolLimits): Required<PoolLimits> {
  const { maxConnections = 4096, keepAliveMs = 4000, connectTimeoutMs = 30_000, maxHeadBytes = 65_536 } = limits
  return { maxConnections, keepAliveMs, connectTimeoutMs, maxHeadBytes }
}

/** What a pool needs of its connections. */
export interface PooledConnection {
  /** It has served a request. */
  readonly used: boolean
  /** It carries a request whose body is a stream. */
  uploading: boolean
  /** Closes the connection without failing a call. */
  close(): void
  /** Closes the connection and fails its call. */
  destroy(error: Error): unknown
}

/** What a pool needs of its calls. */
type CallOver<Connection> = Pick<PooledCall<PooledConnection>, 'isUpload' | 'isOver' | 'cancel' | 'onError'> & {
  sendOver(connection: Connection): void
}

/** A call over a connection of a pool. */
export abstract class PooledCall<Connection extends PooledConnection> extends UpstreamCall {
  protected connection: Connection | undefined = undefined
  /** The connection has received bytes for this call. */
  receivedBytes = false
  private reused = false
  private attempts = 0

  /** The body is a stream, whose end the client decides. */
  abstract get isUpload(): boolean
  /** The connection or the request failed. */
  abstract onError(error: unknown): void
  protected abstract dispatch(connection: Connection): void

  /** Sends the request over a connection. The pool calls it again only for a retry that `mayRetry` allows. */
  sendOver(connection: Connection): void {
    this.connection = connection
    this.reused = connection.used
    this.attempts++
    this.receivedBytes = false
    this.dispatch(connection)
  }

  protected mayRetry(error: unknown): boolean {
    if (this.state !== 'waiting') return false
    const { request, attempts } = this
    const lostUsedConnection = this.reused && !this.receivedBytes && isConnectionLoss(error)
    return maySendAgain({ request, attempts, lostUsedConnection, wasRefused: false })
  }
}

const closedMessage = 'the upstream adapter was closed'

export abstract class CallPool<Connection extends PooledConnection, Call extends CallOver<Connection>> {
  readonly deadlines: Deadlines
  protected readonly limits: Required<PoolLimits>
  protected readonly idle: Connection[] = []
  protected readonly waiting: CallQueue<Call>
  /** All connections, including those that are being opened. */
  readonly all = new Set<Connection>()
  /** Idle connections are kept. */
  protected kept = true
  private closed = false

  constructor(limits: Required<PoolLimits>, deadlines: Deadlines) {
    this.limits = limits
    this.waiting = new CallQueue(limits.maxConnections)
    this.deadlines = deadlines
  }

  protected abstract makeCall(request: UpstreamRequest, settle: Settle): Call
  protected abstract openConnection(): Connection

  send(request: UpstreamRequest): Promise<UpstreamResponse | UpstreamError> {
    return new Promise((resolve) => {
      const call = this.makeCall(request, resolve)
      request.onStart?.(() => call.cancel())
      if (!call.isOver) this.run(call)
    })
  }

  /** Sends the call over an idle or a new connection, or queues it. */
  protected run(call: Call): void {
    if (this.closed) {
      call.onError(new Error(closedMessage))
      return
    }
    const isOverShare = this.waiting.isOverShare(call)
    const connection = isOverShare ? undefined : this.idle.pop()
    if (connection !== undefined) this.start(call, connection)
    else if (!isOverShare && this.mayOpen()) this.runFresh(call)
    else this.waiting.add(call)
  }

  protected mayOpen(): boolean {
    return this.all.size < this.limits.maxConnections
  }

  /** Sends the call over a connection that no call has used. */
  runFresh(call: Call): void {
    const connection = this.openConnection()
    this.all.add(connection)
    this.start(call, connection)
  }

  protected start(call: Call, connection: Connection): void {
    connection.uploading = call.isUpload
    if (connection.uploading) this.waiting.uploadStarted()
    call.sendOver(connection)
  }

  /** The call of a connection has ended. */
  protected ended(connection: Connection): void {
    if (connection.uploading) this.waiting.uploadEnded()
    connection.uploading = false
  }

  /** Removes a call that waits for a connection from the queue. */
  forget(call: Call): void {
    this.waiting.remove(call)
  }

  /** Closes idle connections and keeps none from now on. Calls in flight and new calls still work. */
  retire(): void {
    this.kept = false
    for (const connection of this.idle.splice(0)) connection.close()
  }

  /** Aborts all calls. Later calls fail immediately. */
  async destroy(): Promise<void> {
    this.closed = true
    this.retire()
    for (const call of this.waiting.drain()) call.onError(new Error(closedMessage))
    await Promise.all([...this.all].map((connection) => connection.destroy(new Error(closedMessage))))
  }
}
