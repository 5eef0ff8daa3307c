/**
 * A body that is copied for the cache while it streams to the client. Only the client applies backpressure: nothing
 * waits for the cache. If a body exceeds its limit or the budget, it streams on without being buffered.
 */
import { type ByteStream, joinChunks } from '../http/byte-stream.ts'
import { ObservedStream } from '../http/observed-stream.ts'
import type { ByteBudget } from './byte-budget.ts'

export interface BufferingOptions {
  /** Longest body that is buffered, in bytes. */
  readonly limit: number
  readonly budget: ByteBudget
  /** Receives the complete body. Not called if the body failed, was cancelled or exceeded a limit. */
  onComplete(body: Uint8Array): void
  /** Called once in place of `onComplete`. */
  onDiscard?(): void
}

export class BufferingStream extends ObservedStream {
  private readonly options: BufferingOptions
  private chunks: Uint8Array[] | undefined = []
  private size = 0

  constructor(source: ByteStream, options: BufferingOptions) {
    super(source)
    this.options = options
  }

  protected onChunk(chunk: Uint8Array): void {
    if (this.chunks === undefined) return
    const { limit, budget } = this.options
    if (this.size + chunk.length > limit || !budget.tryReserve(chunk.length)) {
      this.discard()
      this.options.onDiscard?.()
      return
    }
    this.size += chunk.length
    this.chunks.push(chunk)
  }

  protected onEnd(complete: boolean): void {
    const { chunks, size } = this
    this.discard()
    // This runs before the client receives the end, so a client that repeats its request then hits the cache.
    if (chunks === undefined) return
    if (complete) this.options.onComplete(joinChunks(chunks, size))
    else this.options.onDiscard?.()
  }

  private discard(): void {
    if (this.chunks === undefined) return
    this.chunks = undefined
    this.options.budget.release(this.size)
  }
}
