/**
 * Base class of streams that observe a body while it passes. An observed stream changes and delays nothing: the
 * receiver's backpressure and cancellation reach the source.
 */
import type { ByteSink, ByteStream } from './byte-stream.ts'
import type { HeaderPairs } from './headers.ts'

export abstract class ObservedStream implements ByteStream, ByteSink {
  private readonly source: ByteStream
  private sink: ByteSink | undefined = undefined

  constructor(source: ByteStream) {
    this.source = source
  }

  /** Called with each chunk before the receiver gets it. */
  protected abstract onChunk(chunk: Uint8Array): void
  /** Called before the receiver learns of the end. `complete` is false if the body failed or was cancelled. */
  protected abstract onEnd(complete: boolean): void

  get trailerNames(): string | undefined {
    return this.source.trailerNames
  }

  pipe(sink: ByteSink): void {
    this.sink = sink
    this.source.pipe(this)
  }

  pause(): void {
    this.source.pause()
  }

  resume(): void {
    this.source.resume()
  }

  cancel(reason?: unknown): void {
    this.onEnd(false)
    this.source.cancel(reason)
  }

  data(chunk: Uint8Array): boolean {
    this.onChunk(chunk)
    return this.sink?.data(chunk) ?? true
  }

  end(trailers?: HeaderPairs): void {
    this.onEnd(true)
    this.sink?.end(trailers)
  }

  fail(error: unknown): void {
    this.onEnd(false)
    this.sink?.fail(error)
  }
}
