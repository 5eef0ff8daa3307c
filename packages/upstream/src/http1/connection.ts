/** One connection to an upstream, with one request at a time. Receivers copy the bytes that they keep. */
import { connect, type Socket } from 'node:net'
import type { PooledConnection } from '../shared/call-pool.ts'
import { type DeadlineQueue, type Timed, unwatch } from '../shared/deadlines.ts'
import { ReadMemory } from '../shared/read-memory.ts'
import { ConnectionClosed, ConnectTimeout } from './connection-errors.ts'
import { ResponseParser, type ResponseReceiver } from './parser/response-parser.ts'

/** What a connection uses of the exchange that runs over it. */
export interface ConnectionUser extends ResponseReceiver {
  readonly method: string
  /** The bytes to send first: the head, and a short body with it. One character per byte. */
  readonly head: string
  /** A longer body that is complete. */
  readonly body: Uint8Array | undefined
  /** A body that is still being received. */
  readonly bodyWriter: { start(socket: Socket): void; drained(): void } | undefined
  /** Set when a byte of the response has arrived. */
  receivedBytes: boolean
  /** True if request and response permit another use. `Connection.finish` and `ConnectionPool.release` check the rest. */
  readonly leavesReusable: boolean
  /** All received bytes were parsed, and the response is incomplete. */
  onPause(): void
  /** The response is complete. */
  finish(): void
  /** The connection failed and is closed. */
  onError(error: unknown): void
}

/** The methods of a pool that a connection uses. */
export interface ConnectionOwner {
  readonly hostname: string
  readonly port: number
  readonly maxHeadBytes: number
  /** The connection was idle for a while and no longer keeps the process alive. */
  onIdle(connection: Connection): void
  /** The call has ended. `reusable`: the next call may use the connection. */
  release(connection: Connection, reusable: boolean): void
  /** The connection is closed. */
  onClosed(connection: Connection): void
}

/** Milliseconds of silence before the first TCP keep-alive probe, which detects dead peers. */
const keepAliveDelayMs = 60_000

export class Connection implements Timed, PooledConnection {
  timedQueue: DeadlineQueue | undefined = undefined
  timedBefore: Timed | undefined = undefined
  timedAfter: Timed | undefined = undefined
  timedSince = 0

  readonly socket: Socket
  used = false
  /** Idle timeout of the upstream in milliseconds, from its Keep-Alive header. */
  upstreamKeepAliveMs: number | undefined = undefined
  uploading = false
  readonly memory = new ReadMemory()
  private readonly owner: ConnectionOwner
  private readonly parser: ResponseParser
  private user: ConnectionUser | undefined = undefined
  private connected = false
  private paused = false
  private unreferenced = false
  /** Bytes of the last read. */
  private lastRead = 0
  closed = false

  constructor(owner: ConnectionOwner) {
    this.owner = owner
    this.parser = new ResponseParser(owner.maxHeadBytes)
    const socket = connect({
      host: owner.hostname,
      port: owner.port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: keepAliveDelayMs,
      onread: {
        buffer: () => this.memory.next(this.lastRead, this.user !== undefined),
        callback: (count) => this.read(count),
      },
    })
    this.socket = socket
    socket.on('connect', () => this.onOpened())
    socket.on('drain', () => this.user?.bodyWriter?.drained())
    socket.on('end', () => this.ended())
    socket.on('error', (error) => this.destroy(error))
    socket.on('close', () => this.destroy(new ConnectionClosed()))
  }

  /** Sends the request of a call and passes the response to it. */
  begin(user: ConnectionUser): void {
    this.user = user
    if (this.unreferenced) {
      this.unreferenced = false
      this.socket.ref()
    }
    this.parser.begin(user, user.method === 'HEAD')
    if (!this.connected) return
    // Cancels the idle timeout.
    unwatch(this)
    this.write(user)
  }

  /** The call was aborted. The connection closes, because the end of the response is unknown. */
  abandon(): void {
    this.user = undefined
    this.close()
  }

  /** Continues reading the response. */
  resume(): void {
    // `resume` can be called during a read, before reading has stopped.
    this.parser.paused = false
    if (!this.paused) return
    this.paused = false
    this.socket.resume()
  }

  /** The connect timeout or an idle timeout has passed. */
  expire(): void {
    if (!this.connected) this.destroy(new ConnectTimeout())
    else if (this.unreferenced) this.close()
    else {
      this.unreferenced = true
      this.socket.unref()
      this.owner.onIdle(this)
    }
  }

  close(): void {
    if (this.closed) return
    this.closed = true
    this.parser.stop()
    this.socket.destroy()
    this.owner.onClosed(this)
  }

  private onOpened(): void {
    this.connected = true
    // Cancels the connect timeout.
    unwatch(this)
    if (this.user !== undefined) this.write(this.user)
  }

  private write(user: ConnectionUser): void {
    const { socket } = this
    const { head, body, bodyWriter } = user
    if (bodyWriter !== undefined) {
      // `cork` sends the head together with the bytes that are already available.
      socket.cork()
      socket.write(head, 'latin1')
      bodyWriter.start(socket)
      socket.uncork()
    } else if (body === undefined) socket.write(head, 'latin1')
    else {
      socket.cork()
      socket.write(head, 'latin1')
      socket.write(body)
      socket.uncork()
    }
  }

  /** Handles bytes in the read memory. Returns false to stop reading. */
  private read(count: number): boolean {
    const { user, parser } = this
    this.lastRead = count
    // Unrequested bytes must not be read as the response to the next request.
    if (user === undefined) {
      this.close()
      return false
    }
    user.receivedBytes = true
    const at = parser.feed(this.memory.bytes, 0, count)
    if (this.user !== user) return false
    if (parser.state === 'done') this.finish(user, at === count)
    else if (parser.state === 'malformed') this.destroy(new Error('the response of the upstream is malformed'))
    else {
      user.onPause()
      this.paused = parser.paused
      parser.paused = false
    }
    return !this.paused
  }

  private ended(): void {
    const { user } = this
    if (user !== undefined && this.parser.finish()) this.finish(user, false)
    else this.destroy(new ConnectionClosed())
  }

  /** The response is complete. `clean`: no bytes followed it. */
  private finish(user: ConnectionUser, clean: boolean): void {
    this.user = undefined
    this.used = true
    const reusable = clean && user.leavesReusable && this.socket.writableLength === 0
    user.finish()
    this.owner.release(this, reusable)
  }

  destroy(error: Error): void {
    const { user } = this
    this.user = undefined
    this.close()
    user?.onError(error)
  }
}
