/**
 * A body that somebody looks at on its way. Nothing is changed or held up: the receiver's backpressure goes through to
 * the source, and giving up does too.
 */
import type { ByteSink, ByteStream } from './byte-stream.ts'
import type { HeaderPairs } from './headers.ts'

export abstract class PassingStream implements ByteStream, ByteSink {
  private readonly source: ByteStream
  private sink: ByteSink | undefined = undefined

  constructor(source: ByteStream) {
    this.source = source
  }

  /** A piece, before the receiver has it. */
  protected abstract see(chunk: Uint8Array): void
  /** The end, before the receiver hears of it. `whole`: it did not break off and was not given up. */
  protected abstract seeEnd(whole: boolean): void

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
    this.seeEnd(false)
    this.source.cancel(reason)
  }

  data(chunk: Uint8Array): boolean {
    this.see(chunk)
    return this.sink?.data(chunk) ?? true
  }

  end(trailers?: HeaderPairs): void {
    this.seeEnd(true)
    this.sink?.end(trailers)
  }

  fail(error: unknown): void {
    this.seeEnd(false)
    this.sink?.fail(error)
  }
}
