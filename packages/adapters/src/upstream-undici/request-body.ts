/** A request's body as a Node stream, which is what undici takes. Backpressure goes through to the client. */
import { Readable } from 'node:stream'
import type { ByteSink, ByteStream } from '@turnpike/core'

/** Bytes held between the client and the upstream. */
const bufferBytes = 65_536

export class RequestBody extends Readable implements ByteSink {
  private readonly source: ByteStream
  private readonly onProgress: () => void
  private state: 'fresh' | 'flowing' | 'complete' | 'failed' = 'fresh'
  /** Why the client's body broke off; `undefined` while it did not. */
  failure: unknown = undefined

  /** `onProgress` hears of every chunk on its way to the upstream. */
  constructor(source: ByteStream, onProgress: () => void) {
    super({ highWaterMark: bufferBytes })
    this.source = source
    this.onProgress = onProgress
  }

  /** Whether it is the client who lets the upstream wait. */
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

  // The upstream answered or went away before the body was complete: the rest has nowhere to go.
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
    this.failure = error ?? new Error('the body of the request broke off')
    this.destroy(error instanceof Error ? error : new Error('the body of the request broke off', { cause: error }))
  }
}
