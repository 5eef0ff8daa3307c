/**
 * A body on its way to the client that is gathered as it passes. The client's backpressure is the only one: nothing
 * waits for the cache, and a body that grows too long, or finds no room in the budget, simply streams on ungathered.
 */
import { type ByteSink, type ByteStream, joinChunks } from '../byte-stream.ts'
import type { ByteBudget } from './byte-budget.ts'

export interface Gathering {
  /** Longest body that is gathered, bytes. */
  readonly limit: number
  readonly budget: ByteBudget
  /** Hears the body once it is whole; never when it broke off, was given up, or was too long. */
  onWhole(body: Uint8Array): void
}

export class GatheringStream implements ByteStream, ByteSink {
  private readonly source: ByteStream
  private readonly gathering: Gathering
  private sink: ByteSink | undefined = undefined
  private chunks: Uint8Array[] | undefined = []
  private size = 0

  constructor(source: ByteStream, gathering: Gathering) {
    this.source = source
    this.gathering = gathering
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
    this.giveUp()
    this.source.cancel(reason)
  }

  data(chunk: Uint8Array): boolean {
    if (this.chunks !== undefined) this.gather(this.chunks, chunk)
    return this.sink?.data(chunk) ?? true
  }

  end(): void {
    const { chunks, size } = this
    if (chunks !== undefined) {
      this.giveUp()
      // Before the client learns of the end: whoever asks again after that finds the answer.
      this.gathering.onWhole(joinChunks(chunks, size))
    }
    this.sink?.end()
  }

  fail(error: unknown): void {
    this.giveUp()
    this.sink?.fail(error)
  }

  private gather(chunks: Uint8Array[], chunk: Uint8Array): void {
    const { limit, budget } = this.gathering
    if (this.size + chunk.length > limit || !budget.take(chunk.length)) {
      this.giveUp()
      return
    }
    this.size += chunk.length
    chunks.push(chunk)
  }

  private giveUp(): void {
    if (this.chunks === undefined) return
    this.chunks = undefined
    this.gathering.budget.giveBack(this.size)
  }
}
