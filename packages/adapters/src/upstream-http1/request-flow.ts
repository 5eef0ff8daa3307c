/**
 * A request's body on its way up, while it still comes in. Backpressure goes through: the socket's buffer, then the
 * client. A body that ends short of its announced length never looks complete to the upstream.
 */
import { type ByteSink, type ByteStream, type HeaderPairs, headerOf } from '@turnpike/core'
import { isToken, isValueText } from './byte-classes.ts'
import type { Connection } from './connection.ts'

/** What the flow tells its call. */
export interface FlowOwner {
  /** A chunk went on. */
  bodyMoved(): void
  /** The client's body broke off, or was not what was announced. */
  bodyBroke(error: unknown): void
}

export class RequestFlow implements ByteSink {
  private readonly source: ByteStream
  private readonly length: number | undefined
  private readonly headers: HeaderPairs
  private readonly owner: FlowOwner
  private connection: Connection | undefined = undefined
  private state: 'fresh' | 'flowing' | 'complete' | 'over' = 'fresh'
  private sent = 0
  private held = false

  /** `length` is what was announced; `undefined`: the body goes chunked. `headers` are those that went before it. */
  constructor(source: ByteStream, length: number | undefined, headers: HeaderPairs, owner: FlowOwner) {
    this.source = source
    this.length = length
    this.headers = headers
    this.owner = owner
  }

  /** Whether it is the client who lets the upstream wait. */
  get waitsForClient(): boolean {
    return this.state === 'flowing' && !this.held
  }

  get complete(): boolean {
    return this.state === 'complete'
  }

  /** Lets the body flow; the head was written before. */
  start(connection: Connection): void {
    this.connection = connection
    this.state = 'flowing'
    this.source.pipe(this)
  }

  /** The socket takes more. */
  drained(): void {
    if (!this.held) return
    this.held = false
    if (this.state === 'flowing') this.source.resume()
  }

  /** The upstream wants no more of it, or is gone. */
  cancel(reason: unknown): void {
    const { state } = this
    if (state === 'complete' || state === 'over') return
    this.state = 'over'
    this.source.cancel(reason)
  }

  data(chunk: Uint8Array): boolean {
    if (this.state !== 'flowing' || chunk.length === 0) return true
    this.sent += chunk.length
    if (this.length !== undefined && this.sent > this.length) {
      this.source.cancel()
      this.fail(new Error('the body of the request is longer than was announced'))
      return true
    }
    this.owner.bodyMoved()
    this.held = !this.write(chunk)
    return !this.held
  }

  end(trailers?: HeaderPairs): void {
    if (this.state !== 'flowing') return
    if (this.length !== undefined && this.sent < this.length) {
      this.fail(new Error('the body of the request is shorter than was announced'))
      return
    }
    this.state = 'complete'
    if (this.length !== undefined) return
    const lines = trailers === undefined ? '' : this.trailerLines(trailers)
    this.connection?.socket.write(`0\r\n${lines}\r\n`, 'latin1')
  }

  fail(error: unknown): void {
    if (this.state !== 'flowing') return
    this.state = 'over'
    this.owner.bodyBroke(error ?? new Error('the body of the request broke off'))
  }

  /**
   * The lines that can be written. A name that stands in the head already stays behind: the upstream might take the
   * client's word for it in place of the gateway's.
   */
  private trailerLines(trailers: HeaderPairs): string {
    let lines = ''
    for (let i = 0; i < trailers.length; i += 2) {
      const name = trailers[i] as string
      const value = trailers[i + 1] as string
      if (!isToken(name) || !isValueText(value) || headerOf(this.headers, name) !== undefined) continue
      lines += `${name}: ${value}\r\n`
    }
    return lines
  }

  private write(chunk: Uint8Array): boolean {
    const { socket } = this.connection as Connection
    if (this.length !== undefined) return socket.write(chunk)
    socket.cork()
    socket.write(`${chunk.length.toString(16)}\r\n`, 'latin1')
    socket.write(chunk)
    const wantsMore = socket.write('\r\n', 'latin1')
    socket.uncork()
    return wantsMore
  }
}
