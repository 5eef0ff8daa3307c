/**
 * The body of an answer that is still coming in. Chunks go straight from the parser to the sink; they wait here only
 * before the sink is there and while it asks to hold back.
 */
import type { ByteSink, ByteStream, HeaderPairs } from '@turnpike/core'

/** The call behind a body, as the body sees it. */
export interface BodySource {
  /** Lets the upstream's data flow again. */
  resumeReading(): void
  /** Nobody wants the rest. */
  abandon(reason: unknown): void
}

/** Bytes that may wait before the sink is there. */
const waitingLimit = 65_536

export class AnswerStream implements ByteStream {
  readonly trailerNames: string | undefined
  private readonly source: BodySource
  private sink: ByteSink | undefined = undefined
  private readonly waiting: Uint8Array[]
  private waitingBytes: number
  private held = false
  private sourceHeld = false
  private draining = false
  private state: 'open' | 'ended' | 'failed' | 'over' = 'open'
  private error: unknown = undefined
  private trailers: HeaderPairs | undefined = undefined

  constructor(source: BodySource, first: Uint8Array[], trailerNames?: string) {
    this.trailerNames = trailerNames
    this.source = source
    this.waiting = first
    this.waitingBytes = first.reduce((sum, chunk) => sum + chunk.length, 0)
  }

  /** Whether it is the reader who lets the upstream wait, so that silence is not the upstream's. */
  get holdsBack(): boolean {
    return this.sourceHeld
  }

  /** Takes a chunk from the upstream; `false` asks it to hold back. */
  push(chunk: Uint8Array): boolean {
    if (this.state !== 'open') return true
    const { sink } = this
    if (sink !== undefined && !this.held && this.waiting.length === 0) {
      if (!sink.data(chunk)) this.held = true
      this.sourceHeld = this.held
    } else {
      this.waiting.push(chunk)
      this.waitingBytes += chunk.length
      this.sourceHeld = sink !== undefined || this.waitingBytes >= waitingLimit
    }
    return !this.sourceHeld
  }

  /** The upstream's answer is complete; `trailers` are those that may pass. */
  finish(trailers?: HeaderPairs): void {
    if (this.state !== 'open') return
    this.trailers = trailers
    this.state = 'ended'
    this.drain()
  }

  /** The upstream's answer broke off; chunks that came before still reach the sink first. */
  breakOff(error: unknown): void {
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
    this.held = true
  }

  resume(): void {
    this.held = false
    this.drain()
  }

  cancel(reason?: unknown): void {
    const wasOpen = this.state === 'open'
    this.state = 'over'
    this.waiting.length = 0
    if (wasOpen) this.source.abandon(reason)
  }

  private drain(): void {
    const { sink } = this
    // A sink may resume from within `data`; the loop that is under way then goes on by itself.
    if (sink === undefined || this.draining) return
    this.draining = true
    let taken = 0
    while (taken < this.waiting.length && !this.held) {
      const chunk = this.waiting[taken++] as Uint8Array
      this.waitingBytes -= chunk.length
      if (!sink.data(chunk)) this.held = true
    }
    // `cancel` from within `data` has emptied the list already.
    if (taken > 0) this.waiting.splice(0, taken)
    this.draining = false
    if (!this.held && this.waiting.length === 0) this.settle(sink)
  }

  private settle(sink: ByteSink): void {
    const { state } = this
    if (state === 'open') {
      if (!this.sourceHeld) return
      this.sourceHeld = false
      this.source.resumeReading()
    } else if (state !== 'over') {
      this.state = 'over'
      if (state === 'ended') sink.end(this.trailers)
      else sink.fail(this.error)
    }
  }
}
