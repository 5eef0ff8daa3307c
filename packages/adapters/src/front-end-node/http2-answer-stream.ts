/** An answer's body on its way out through a stream of HTTP/2. */
import { constants, type ServerHttp2Stream } from 'node:http2'
import type { ByteStream, HeaderPairs } from '@turnpike/core'
import { writeHttp2Fields } from './http2-head.ts'
import { writableTrailers } from './node-head.ts'
import { WritableAnswer } from './writable-answer.ts'

export class Http2AnswerStream extends WritableAnswer {
  private readonly stream: ServerHttp2Stream
  private trailers: HeaderPairs = []

  constructor(stream: ServerHttp2Stream, source: ByteStream, length: number | undefined) {
    super(stream, source, length)
    this.stream = stream
    // Asked where nobody told the length; without a trailer this just ends the stream.
    stream.on('wantTrailers', () => stream.sendTrailers(writeHttp2Fields(this.trailers)))
  }

  protected finish(trailers: HeaderPairs | undefined): void {
    if (trailers !== undefined) this.trailers = writableTrailers(trailers)
    this.stream.end()
  }

  /** Resets the stream; the connection's other streams go on. */
  protected breakOff(): void {
    this.stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  }
}
