/**
 * A body on its way to the client that is gathered as it passes. The client's backpressure is the only one: nothing
 * waits for the cache, and a body that grows too long, or finds no room in the budget, simply streams on ungathered.
 */
import { type ByteStream, joinChunks } from '../http/byte-stream.ts'
import { PassingStream } from '../http/passing-stream.ts'
import type { ByteBudget } from './byte-budget.ts'

export interface Gathering {
  /** Longest body that is gathered, bytes. */
  readonly limit: number
  readonly budget: ByteBudget
  /** Hears the body once it is whole; never when it broke off, was given up, or was too long. */
  onWhole(body: Uint8Array): void
}

export class GatheringStream extends PassingStream {
  private readonly gathering: Gathering
  private chunks: Uint8Array[] | undefined = []
  private size = 0

  constructor(source: ByteStream, gathering: Gathering) {
    super(source)
    this.gathering = gathering
  }

  protected see(chunk: Uint8Array): void {
    if (this.chunks === undefined) return
    const { limit, budget } = this.gathering
    if (this.size + chunk.length > limit || !budget.take(chunk.length)) {
      this.giveUp()
      return
    }
    this.size += chunk.length
    this.chunks.push(chunk)
  }

  protected seeEnd(whole: boolean): void {
    const { chunks, size } = this
    this.giveUp()
    // Before the client learns of the end: whoever asks again after that finds the answer.
    if (whole && chunks !== undefined) this.gathering.onWhole(joinChunks(chunks, size))
  }

  private giveUp(): void {
    if (this.chunks === undefined) return
    this.chunks = undefined
    this.gathering.budget.giveBack(this.size)
  }
}
