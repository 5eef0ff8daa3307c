/** Converts a request body to a Node stream for undici, with backpressure to the client. */
import { Readable } from 'node:stream'
import type { ByteSink, ByteStream } from '@turnpike/core/http'

/** Bytes that are buffered between client and upstream. */
const bufferBytes = 65_536

export class RequestBody extends Readable implements ByteSink {
  private readonly source: ByteStream
  private readonly onProgress: () => void
  private state: 'fresh' | 'flowing' | 'complete' | 'failed' = 'fresh'
  /** The error of an incomplete body. */
  failure: unknown = undefined

  /** `onProgress` is called for every chunk. */
  constructor(source: ByteStream, onProgress: () => void) {
    super({ highWaterMark: bufferBytes })
    this.source = source
    this.onProgress = onProgress
  }

  /** Returns true if the upstream waits for bytes of the client. */
  get waitsForClient(): boolean {
    return this.state === 'flowing' && this.readableLength === 0
  }

  override _read(): void {
    if (this.state === 'fresh') {
      this.state = 'flowing'
      this.source.pipe(this)
    } else if (this.state === 'flowing') {
      this.source.resume()
    }
  }

  // undici destroys the stream if the upstream responded or failed before the body was complete.
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    if (this.state === 'fresh' || this.state === 'flowing') {
      this.state = 'failed'
      this.source.cancel(error ?? undefined)
    }
    callback(error)
  }

  data(chunk: Uint8Array): boolean {
    if (this.destroyed) return true
    this.onProgress()
    return this.push(chunk)
  }

  end(): void {
    this.state = 'complete'
    this.push(null)
  }

  fail(error: unknown): void {
    this.state = 'failed'
    this.failure = error ?? new Error('the request body is incomplete')
    this.destroy(error instanceof Error ? error : new Error('the request body is incomplete', { cause: error }))
  }
}
