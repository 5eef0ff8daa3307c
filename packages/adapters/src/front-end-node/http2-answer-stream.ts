/** An answer's body on its way out through a stream of HTTP/2. */
import { constants, type ServerHttp2Stream } from 'node:http2'
import type { ByteSink, ByteStream, HeaderPairs } from '@turnpike/core'
import { WrongLength } from '../front-end-common/answer-head.ts'
import { writeHttp2Fields } from './http2-head.ts'
import { writableTrailers } from './node-head.ts'

export class Http2AnswerStream implements ByteSink {
  /** The client does not take what was sent, and the source waits for it. */
  blocked = false
  private readonly stream: ServerHttp2Stream
  private readonly source: ByteStream
  private readonly length: number | undefined
  private drained = false
  private sent = 0
  private done = false
  private trailers: HeaderPairs = []

  constructor(stream: ServerHttp2Stream, source: ByteStream, length: number | undefined) {
    this.stream = stream
    this.source = source
    this.length = length
    stream.on('drain', () => this.drain())
    // Asked where nobody told the length; without a trailer this just ends the stream.
    stream.on('wantTrailers', () => stream.sendTrailers(writeHttp2Fields(this.trailers)))
  }

  /** Lets the source flow; the head is written. */
  start(): void {
    this.source.pipe(this)
  }

  data(chunk: Uint8Array): boolean {
    if (this.done || chunk.length === 0) return true
    this.sent += chunk.length
    if (this.length !== undefined && this.sent > this.length) {
      this.source.cancel()
      this.fail(new WrongLength(this.sent, this.length))
      return true
    }
    if (this.stream.write(chunk)) return true
    this.blocked = true
    return false
  }

  end(trailers?: HeaderPairs): void {
    if (this.done) return
    if (this.length !== undefined && this.sent !== this.length) {
      this.fail(new WrongLength(this.sent, this.length))
      return
    }
    this.done = true
    if (trailers !== undefined) this.trailers = writableTrailers(trailers)
    this.stream.end()
  }

  /** Resets the stream, so that nobody takes what came for the whole; the connection's other streams go on. */
  fail(_error: unknown): void {
    if (this.done) return
    this.done = true
    this.stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  }

  /** The client is gone. */
  cancel(): void {
    if (this.done) return
    this.done = true
    this.source.cancel()
  }

  /** For the stall watch: whether the client took something since the last question. */
  moved(): boolean {
    const moved = this.drained
    this.drained = false
    return moved
  }

  private drain(): void {
    this.drained = true
    if (!this.blocked) return
    this.blocked = false
    this.source.resume()
  }
}
