/**
 * The body of a response as a stream. Chunks go directly from the parser to the sink. They are buffered only before a sink
 * is attached and while it is paused.
 */
import type { ByteSink, ByteStream, HeaderPairs } from '@turnpike/core/http'
import type { LentMemory } from './read-memory.ts'

/** The methods of a call that its response body uses. */
export interface BodySource {
  /** Continues reading from the upstream. */
  resumeReading(): void
  /** The reader cancelled the body. */
  abandon(reason: unknown): void
}

/** Maximum bytes that are buffered before a sink is attached. */
const maxBufferedBytes = 65_536

export class ResponseBodyStream implements ByteStream {
  readonly trailerNames: string | undefined
  private readonly source: BodySource
  private sink: ByteSink | undefined = undefined
  private readonly buffered: Uint8Array[]
  private bufferedBytes: number
  private readerPaused = false
  private sourcePaused = false
  private draining = false
  private state: 'open' | 'ended' | 'failed' | 'over' = 'open'
  private error: unknown = undefined
  /** Memory that the sink still uses. */
  private lent: LentMemory | undefined = undefined
  private trailers: HeaderPairs | undefined = undefined

  constructor(source: BodySource, first: Uint8Array[], trailerNames?: string) {
    this.trailerNames = trailerNames
    this.source = source
    this.buffered = first
    this.bufferedBytes = first.reduce((sum, chunk) => sum + chunk.length, 0)
  }

  /** Returns true if the upstream is paused because of the reader, so that its timeout does not apply. */
  get pausesUpstream(): boolean {
    return this.sourcePaused
  }

  /** Adds a chunk. Returns false to pause the upstream. */
  push(chunk: Uint8Array): boolean {
    if (this.state !== 'open') return true
    const { sink } = this
    if (sink !== undefined && this.isFlowing) {
      if (!sink.data(chunk)) this.readerPaused = true
      this.sourcePaused = this.readerPaused
    } else {
      this.buffered.push(chunk)
      this.bufferedBytes += chunk.length
      this.sourcePaused = sink !== undefined || this.bufferedBytes >= maxBufferedBytes
    }
    return !this.sourcePaused
  }

  /** Whether the sink takes the next chunk by `lend`. */
  get borrows(): boolean {
    return this.sink?.lend !== undefined && this.isFlowing
  }

  /** Lends a chunk of this memory to the sink; only if `borrows`. Returns false to pause the upstream. */
  lend(chunk: Uint8Array, memory: LentMemory): boolean {
    if (this.sink?.lend?.(chunk) === false) {
      memory.keep()
      this.lent = memory
      this.readerPaused = true
    }
    this.sourcePaused = this.readerPaused
    return !this.sourcePaused
  }

  /** The response is complete. `trailers` contains only the trailers that may be forwarded. */
  finish(trailers?: HeaderPairs): void {
    if (this.state !== 'open') return
    this.trailers = trailers
    this.state = 'ended'
    this.drain()
  }

  /** The response is incomplete. The sink receives buffered chunks before it fails. */
  abort(error: unknown): void {
    if (this.state !== 'open') return
    this.state = 'failed'
    this.error = error
    this.drain()
  }

  pipe(sink: ByteSink): void {
    this.sink = sink
    this.drain()
  }

  pause(): void {
    this.readerPaused = true
  }

  resume(): void {
    this.lent?.giveBack()
    this.lent = undefined
    this.readerPaused = false
    this.drain()
  }

  cancel(reason?: unknown): void {
    const wasOpen = this.state === 'open'
    this.state = 'over'
    this.buffered.length = 0
    if (wasOpen) this.source.abandon(reason)
  }

  /** The next chunk goes directly to the sink. */
  private get isFlowing(): boolean {
    return this.state === 'open' && !this.readerPaused && this.buffered.length === 0
  }

  private drain(): void {
    const { sink } = this
    // If the sink calls `resume` inside `data`, the running loop continues.
    if (sink === undefined || this.draining) return
    this.draining = true
    let taken = 0
    while (taken < this.buffered.length && !this.readerPaused) {
      const chunk = this.buffered[taken++] as Uint8Array
      this.bufferedBytes -= chunk.length
      if (!sink.data(chunk)) this.readerPaused = true
    }
    // If `cancel` was called inside `data`, the list is already empty.
    if (taken > 0) this.buffered.splice(0, taken)
    this.draining = false
    if (!this.readerPaused && this.buffered.length === 0) this.settle(sink)
  }

  private settle(sink: ByteSink): void {
    const { state } = this
    if (state === 'open') {
      if (!this.sourcePaused) return
      this.sourcePaused = false
      this.source.resumeReading()
    } else if (state !== 'over') {
      this.state = 'over'
      if (state === 'ended') sink.end(this.trailers)
      else sink.fail(this.error)
    }
  }
}
