/** Writes a response body to an HTTP/2 stream. */
import { constants, type ServerHttp2Stream } from 'node:http2'
import type { ByteStream, HeaderPairs } from '@turnpike/core/http'
import { writeHttp2Fields } from './http2-headers.ts'
import { writableTrailers } from './node-headers.ts'
import { WritableResponseBody } from './writable-response-body.ts'

export class Http2ResponseBody extends WritableResponseBody {
  private readonly stream: ServerHttp2Stream
  private trailers: HeaderPairs = []

  constructor(stream: ServerHttp2Stream, source: ByteStream, length: number | undefined) {
    super(stream, source, length)
    this.stream = stream
    // Emitted if the response has no Content-Length. Without trailers, this call ends the stream.
    stream.on('wantTrailers', () => stream.sendTrailers(writeHttp2Fields(this.trailers)))
  }

  protected finish(trailers: HeaderPairs | undefined): void {
    this.done = true
    if (trailers !== undefined) this.trailers = writableTrailers(trailers)
    this.stream.end()
  }

  /** Resets this stream; other streams of the connection continue. */
  protected abort(): void {
    this.stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  }
}
