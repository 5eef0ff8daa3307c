/** Writes a request body to an HTTP/2 stream, with backpressure to the client. */
import { type ClientHttp2Stream, constants } from 'node:http2'
import type { ByteSink, ByteStream, HeaderPairs } from '@turnpike/core/http'
import { trailerFields } from './http2-fields.ts'

export class Http2RequestBody implements ByteSink {
  private readonly stream: ClientHttp2Stream
  private readonly source: ByteStream
  private readonly onProgress: () => void
  private state: 'flowing' | 'blocked' | 'over' = 'flowing'
  private trailers: HeaderPairs = []
  /** The error of an incomplete body. */
  failure: unknown = undefined

  /** `onProgress` is called whenever bytes move. */
  constructor(stream: ClientHttp2Stream, source: ByteStream, onProgress: () => void) {
    this.stream = stream
    this.source = source
    this.onProgress = onProgress
    stream.on('drain', () => this.drain())
    // Emitted only for a body of unknown length. Without trailers, this call ends the stream.
    stream.on('wantTrailers', () => stream.sendTrailers(trailerFields(this.trailers)))
  }

  /** Returns true if the upstream waits for bytes of the client. */
  get waitsForClient(): boolean {
    return this.state === 'flowing'
  }

  start(): void {
    this.source.pipe(this)
  }

  data(chunk: Uint8Array): boolean {
    if (this.state === 'over' || chunk.length === 0) return true
    this.onProgress()
    if (this.stream.write(chunk)) return true
    this.state = 'blocked'
    return false
  }

  end(trailers?: HeaderPairs): void {
    if (this.state === 'over') return
    this.state = 'over'
    this.trailers = trailers ?? []
    this.stream.end()
  }

  fail(error: unknown): void {
    if (this.state === 'over') return
    this.state = 'over'
    this.failure = error ?? new Error('the request body is incomplete')
    this.stream.close(constants.NGHTTP2_CANCEL)
  }

  /** The upstream needs no more of the body. Returns false if it was complete. */
  cancel(): boolean {
    if (this.state === 'over') return false
    this.state = 'over'
    this.source.cancel()
    return true
  }

  private drain(): void {
    this.onProgress()
    if (this.state !== 'blocked') return
    this.state = 'flowing'
    this.source.resume()
  }
}
