/**
 * One connection to an upstream, with one request at a time. All connections read into one shared buffer, which is safe
 * because Node reads and calls back synchronously. Receivers copy the bytes that they keep.
 */
import { connect, type Socket } from 'node:net'
import type { DeadlineQueue, Timed } from '../upstream-common/deadlines.ts'
import type { Call } from './call.ts'
import { ConnectionClosed, ConnectTimeout, MalformedResponse } from './connection-errors.ts'
import { ResponseParser } from './response-parser.ts'

/** The methods of a pool that a connection uses. */
export interface ConnectionOwner {
  readonly hostname: string
  readonly port: number
  readonly maxHeadBytes: number
  /** The connection was idle for a while and no longer keeps the process alive. */
  onIdle(connection: Connection): void
  /** The connection is open. */
  onOpened(connection: Connection): void
  /** The call has ended. `reusable`: the next call may use the connection. */
  release(connection: Connection, reusable: boolean): void
  /** The connection is closed. */
  onClosed(connection: Connection): void
}

/** Size of the read buffer. */
const readBytes = 65_536
const shared = Buffer.allocUnsafeSlow(readBytes)
/** Milliseconds of silence before the first TCP keep-alive probe, which detects dead peers. */
const keepAliveDelayMs = 60_000

export class Connection implements Timed {
  timedQueue: DeadlineQueue | undefined = undefined
  timedBefore: Timed | undefined = undefined
  timedAfter: Timed | undefined = undefined
  timedSince = 0

  readonly socket: Socket
  /** It has served a request. */
  used = false
  /** Idle timeout of the upstream in milliseconds, from its Keep-Alive header. */
  upstreamKeepAliveMs: number | undefined = undefined
  private readonly owner: ConnectionOwner
  private readonly parser: ResponseParser
  private call: Call | undefined = undefined
  private connected = false
  private paused = false
  private unreferenced = false
  private closed = false

  constructor(owner: ConnectionOwner) {
    this.owner = owner
    this.parser = new ResponseParser(owner.maxHeadBytes)
    const socket = connect({
      host: owner.hostname,
      port: owner.port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: keepAliveDelayMs,
      onread: { buffer: shared, callback: (count) => this.read(count) },
    })
    this.socket = socket
    socket.on('connect', () => this.onOpened())
    socket.on('drain', () => this.call?.bodyWriter?.drained())
    socket.on('end', () => this.ended())
    socket.on('error', (error) => this.fail(error))
    socket.on('close', () => this.fail(new ConnectionClosed()))
  }

  /** Sends the request of a call and passes the response to it. */
  begin(call: Call): void {
    this.call = call
    if (this.unreferenced) {
      this.unreferenced = false
      this.socket.ref()
    }
    this.parser.begin(call, call.method === 'HEAD')
    if (this.connected) this.write(call)
  }

  /** The call was aborted. The connection closes, because the end of the response is unknown. */
  abandon(): void {
    this.call = undefined
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
    if (!this.connected) this.fail(new ConnectTimeout())
    else if (this.unreferenced) this.close()
    else {
      this.unreferenced = true
      this.socket.unref()
      this.owner.onIdle(this)
    }
  }

  /** Closes the connection and fails its call. */
  destroy(error: Error): void {
    this.fail(error)
  }

  /** Closes the connection without failing a call. */
  close(): void {
    if (this.closed) return
    this.closed = true
    this.parser.stop()
    this.socket.destroy()
    this.owner.onClosed(this)
  }

  private onOpened(): void {
    this.connected = true
    this.owner.onOpened(this)
    if (this.call !== undefined) this.write(this.call)
  }

  private write(call: Call): void {
    const { socket } = this
    const { head, body, bodyWriter } = call
    if (bodyWriter !== undefined) {
      // `cork` sends the head together with the bytes that are already available.
      socket.cork()
      socket.write(head, 'latin1')
      bodyWriter.start(this)
      socket.uncork()
    } else if (body === undefined) socket.write(head, 'latin1')
    else {
      socket.cork()
      socket.write(head, 'latin1')
      socket.write(body)
      socket.uncork()
    }
  }

  /** Handles bytes in the shared buffer. Returns false to stop reading. */
  private read(count: number): boolean {
    const { call, parser } = this
    // Unrequested bytes must not be read as the response to the next request.
    if (call === undefined) {
      this.close()
      return false
    }
    call.receivedBytes = true
    const at = parser.feed(shared, 0, count)
    if (this.call !== call) return false
    if (parser.state === 'done') this.finish(call, at === count)
    else if (parser.state === 'malformed') this.fail(new MalformedResponse())
    else {
      call.onPause()
      this.paused = parser.paused
      parser.paused = false
    }
    return !this.paused
  }

  private ended(): void {
    const { call } = this
    if (call !== undefined && this.parser.finish()) this.finish(call, false)
    else this.fail(new ConnectionClosed())
  }

  /** The response is complete. `clean`: no bytes followed it. */
  private finish(call: Call, clean: boolean): void {
    this.call = undefined
    this.used = true
    const reusable = clean && call.leavesReusable && this.socket.writableLength === 0
    call.finish()
    this.owner.release(this, reusable)
  }

  private fail(error: Error): void {
    const { call } = this
    this.call = undefined
    this.close()
    call?.fail(error)
  }
}
