/**
 * Writes a streamed request body to the upstream, with backpressure to the client. A body that is shorter than announced
 * never looks complete to the upstream.
 */
import type { Socket } from 'node:net'
import { type ByteSink, type ByteStream, type HeaderPairs, headerOf } from '@turnpike/core/http'
import { isToken, isValueText } from './parser/byte-classes.ts'

/** Receives progress and failure of the body. */
export interface RequestBodyOwner {
  /** A chunk was written. */
  bodyProgressed(): void
  /** The client's body is incomplete or does not have the announced length. */
  bodyFailed(error: unknown): void
}

export class RequestBodyWriter implements ByteSink {
  private readonly source: ByteStream
  private readonly length: number | undefined
  private readonly headers: HeaderPairs
  private readonly owner: RequestBodyOwner
  private socket: Socket | undefined = undefined
  private state: 'fresh' | 'flowing' | 'complete' | 'over' = 'fresh'
  private sent = 0
  private blocked = false

  /** `length` is the announced length; `undefined` if the body is chunked. `headers` are the headers of the request. */
  constructor(source: ByteStream, length: number | undefined, headers: HeaderPairs, owner: RequestBodyOwner) {
    this.source = source
    this.length = length
    this.headers = headers
    this.owner = owner
  }

  /** Returns true if the upstream waits for bytes of the client. */
  get waitsForClient(): boolean {
    return this.state === 'flowing' && !this.blocked
  }

  get complete(): boolean {
    return this.state === 'complete'
  }

  /** Starts the body, after the head was written. */
  start(socket: Socket): void {
    this.socket = socket
    this.state = 'flowing'
    this.source.pipe(this)
  }

  /** The socket accepts more bytes. */
  drained(): void {
    if (!this.blocked) return
    this.blocked = false
    if (this.state === 'flowing') this.source.resume()
  }

  /** The upstream does not need the rest, or has failed. */
  cancel(reason: unknown): void {
    const { state } = this
    if (state === 'complete' || state === 'over') return
    this.state = 'over'
    this.source.cancel(reason)
  }

  data(chunk: Uint8Array): boolean {
    if (!this.accepts(chunk)) return true
    this.blocked = !this.write(chunk)
    return !this.blocked
  }

  lend(chunk: Uint8Array): boolean {
    if (!this.accepts(chunk)) return true
    this.write(chunk, this.onWritten)
    // The kernel has all bytes, or the memory is in use until they are written.
    this.blocked = (this.socket as Socket).writableLength > 0
    return !this.blocked
  }

  /** Counts the bytes of a chunk. Returns false if it must not be written. */
  private accepts(chunk: Uint8Array): boolean {
    if (this.state !== 'flowing' || chunk.length === 0) return false
    this.sent += chunk.length
    if (this.length !== undefined && this.sent > this.length) {
      this.source.cancel()
      this.fail(new Error('the request body is longer than its Content-Length'))
      return false
    }
    this.owner.bodyProgressed()
    return true
  }

  private readonly onWritten = (): void => {
    const socket = this.socket as Socket
    if (socket.writableLength === 0 && !socket.destroyed) this.drained()
  }

  end(trailers?: HeaderPairs): void {
    if (this.state !== 'flowing') return
    if (this.length !== undefined && this.sent < this.length) {
      this.fail(new Error('the request body is shorter than its Content-Length'))
      return
    }
    this.state = 'complete'
    if (this.length !== undefined) return
    const lines = trailers === undefined ? '' : this.trailerLines(trailers)
    this.socket?.write(`0\r\n${lines}\r\n`, 'latin1')
  }

  fail(error: unknown): void {
    if (this.state !== 'flowing') return
    this.state = 'over'
    this.owner.bodyFailed(error ?? new Error('the request body is incomplete'))
  }

  /**
   * Returns the valid trailer lines. A trailer with the name of a header is dropped, because the upstream could use the
   * client's value instead of the gateway's.
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

  private write(chunk: Uint8Array, onWritten?: () => void): boolean {
    const socket = this.socket as Socket
    if (this.length !== undefined) return socket.write(chunk, onWritten)
    socket.cork()
    socket.write(`${chunk.length.toString(16)}\r\n`, 'latin1')
    socket.write(chunk)
    const wantsMore = socket.write('\r\n', 'latin1', onWritten)
    socket.uncork()
    return wantsMore
  }
}
