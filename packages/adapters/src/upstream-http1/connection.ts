/**
 * One connection to an upstream: one request at a time, answers read straight from the socket into one buffer that all
 * connections share. Node reads into it and calls back at once, so nobody else's bytes can come in between; what is
 * kept of them is copied by whoever keeps it.
 */
import { connect, type Socket } from 'node:net'
import type { DeadlineQueue, Timed } from '../upstream-common/deadlines.ts'
import { AnswerParser } from './answer-parser.ts'
import type { Call } from './call.ts'
import { ConnectionClosed, ConnectTimeout, MalformedAnswer } from './errors.ts'

/** What a connection needs of its pool. */
export interface ConnectionOwner {
  readonly hostname: string
  readonly port: number
  readonly maxHeadBytes: number
  /** It was idle for a while and lets the process end now, if nothing else keeps it. */
  resting(connection: Connection): void
  /** It came about. */
  opened(connection: Connection): void
  /** The call is over; `reusable` when the next may go over the connection. */
  release(connection: Connection, reusable: boolean): void
  /** It is closed, or must not be used any more. */
  lost(connection: Connection): void
}

/** Bytes read at once. */
const readBytes = 65_536
const shared = Buffer.allocUnsafeSlow(readBytes)
/** Dead peers are found by the system's own probes, the first after so many ms of silence. */
const probeAfterMs = 60_000

export class Connection implements Timed {
  timedQueue: DeadlineQueue | undefined = undefined
  timedBefore: Timed | undefined = undefined
  timedAfter: Timed | undefined = undefined
  timedSince = 0

  readonly socket: Socket
  /** A request was answered over it. */
  used = false
  /** How long it may be idle, when the upstream told it, in ms. */
  keptMs: number | undefined = undefined
  private readonly owner: ConnectionOwner
  private readonly parser: AnswerParser
  private call: Call | undefined = undefined
  private connected = false
  private paused = false
  private rests = false
  private closed = false

  constructor(owner: ConnectionOwner) {
    this.owner = owner
    this.parser = new AnswerParser(owner.maxHeadBytes)
    const socket = connect({
      host: owner.hostname,
      port: owner.port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: probeAfterMs,
      onread: { buffer: shared, callback: (count) => this.read(count) },
    })
    this.socket = socket
    socket.on('connect', () => this.opened())
    socket.on('drain', () => this.call?.flow?.drained())
    socket.on('end', () => this.ended())
    socket.on('error', (error) => this.fail(error))
    socket.on('close', () => this.fail(new ConnectionClosed()))
  }

  /** Sends the call's request, and hands its answer to it. */
  begin(call: Call): void {
    this.call = call
    if (this.rests) {
      this.rests = false
      this.socket.ref()
    }
    this.parser.begin(call, call.method === 'HEAD')
    if (this.connected) this.write(call)
  }

  /** The call is not wanted any more: what is under way cannot be told from what would come after it. */
  abandon(): void {
    this.call = undefined
    this.close()
  }

  /** Lets the answer flow again. */
  resume(): void {
    // It may be asked for in the middle of a read, before the reading was stopped.
    this.parser.held = false
    if (!this.paused) return
    this.paused = false
    this.socket.resume()
  }

  /** Too long idle, or too long in coming about. */
  expire(): void {
    if (!this.connected) this.fail(new ConnectTimeout())
    else if (this.rests) this.close()
    else {
      this.rests = true
      this.socket.unref()
      this.owner.resting(this)
    }
  }

  /** Breaks it, and the call that runs over it. */
  cut(error: Error): void {
    this.fail(error)
  }

  /** Ends it while no call runs over it. */
  close(): void {
    if (this.closed) return
    this.closed = true
    this.parser.stop()
    this.socket.destroy()
    this.owner.lost(this)
  }

  private opened(): void {
    this.connected = true
    this.owner.opened(this)
    if (this.call !== undefined) this.write(this.call)
  }

  private write(call: Call): void {
    const { socket } = this
    const { head, body, flow } = call
    if (flow !== undefined) {
      // Head and the bytes that are there already go out together.
      socket.cork()
      socket.write(head, 'latin1')
      flow.start(this)
      socket.uncork()
    } else if (body === undefined) socket.write(head, 'latin1')
    else {
      socket.cork()
      socket.write(head, 'latin1')
      socket.write(body)
      socket.uncork()
    }
  }

  /** Bytes came, in the shared buffer. `false` stops reading. */
  private read(count: number): boolean {
    const { call, parser } = this
    // Nobody asked: whatever this is, it must not be taken for the answer to the next request.
    if (call === undefined) {
      this.close()
      return false
    }
    call.begun = true
    const at = parser.feed(shared, 0, count)
    if (this.call !== call) return false
    if (parser.state === 'done') this.finish(call, at === count)
    else if (parser.state === 'malformed') this.fail(new MalformedAnswer())
    else {
      call.onPause()
      this.paused = parser.held
      parser.held = false
    }
    return !this.paused
  }

  private ended(): void {
    const { call } = this
    if (call !== undefined && this.parser.finish()) this.finish(call, false)
    else this.fail(new ConnectionClosed())
  }

  /** The answer is complete; `clean` when nothing came after it. */
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
