/**
 * A request's body on its way in: the side of a `ByteStream` that a front end writes to. It keeps what comes before
 * somebody reads, asks the connection to hold back when that is much or when the reader wants a pause, and passes
 * everything else straight through.
 */
import type { ByteSink, ByteStream, HeaderPairs } from '@turnpike/core'
import { heldBodyBytes } from './options.ts'

/** The connection that the bytes come from. */
export interface InflowSource {
  /** Stop reading from the client. */
  hold(): void
  /** Read on. */
  release(): void
}

const nothing: Uint8Array[] = []

export class BodyInflow implements ByteStream {
  readonly trailerNames: string | undefined
  private readonly source: InflowSource
  private trailers: HeaderPairs | undefined = undefined
  private sink: ByteSink | undefined = undefined
  private queue: Uint8Array[] = nothing
  private queued = 0
  private readerPaused = false
  private delivering = false
  private cancelled = false
  private failure: unknown = undefined
  /** The source holds back, so a quiet client is not to blame. */
  held = false
  /** Nothing more will come. */
  ended = false
  /** The reader was told the end, or nobody will read. */
  settled = false
  /** Bytes that came so far. */
  received = 0

  constructor(source: InflowSource, trailerNames?: string) {
    this.trailerNames = trailerNames
    this.source = source
  }

  // Reader's side

  pipe(sink: ByteSink): void {
    this.sink = sink
    this.deliver()
  }

  pause(): void {
    this.readerPaused = true
    this.hold()
  }

  resume(): void {
    this.readerPaused = false
    this.deliver()
  }

  /** The rest of the body is read and thrown away, so that the connection can go on. */
  cancel(): void {
    this.cancelled = true
    this.settled = true
    this.queue = nothing
    this.queued = 0
    this.release()
  }

  // Source's side

  /** Takes a chunk, which from now on belongs to the reader. */
  push(chunk: Uint8Array): void {
    this.received += chunk.length
    if (this.cancelled || this.ended || chunk.length === 0) return
    if (this.sink !== undefined && !this.readerPaused && this.queued === 0 && !this.delivering) {
      if (!this.sink.data(chunk)) this.pause()
      return
    }
    if (this.queue === nothing) this.queue = []
    this.queue.push(chunk)
    this.queued += chunk.length
    if (this.queued >= heldBodyBytes) this.hold()
  }

  /** The body is complete; `trailers` are those that may pass. */
  finish(trailers?: HeaderPairs): void {
    if (this.ended) return
    this.ended = true
    this.trailers = trailers
    this.deliver()
  }

  /** The body broke off; what still waits for its reader is dropped, since it is not the whole. */
  breakOff(error: unknown): void {
    if (this.ended) return
    this.ended = true
    this.failure = error
    this.queue = nothing
    this.queued = 0
    this.deliver()
  }

  /**
   * The answer is complete: of a body that is not, nobody wants the rest. Only then is the error made, since its stack
   * costs as much as a whole request.
   */
  answered(): void {
    if (!this.ended) this.breakOff(new AnsweredBefore())
  }

  private deliver(): void {
    const sink = this.sink
    if (sink === undefined || this.delivering || this.settled) return
    if (this.failure !== undefined) {
      this.settled = true
      sink.fail(this.failure)
      return
    }
    this.delivering = true
    while (this.queue.length > 0 && !this.readerPaused && !this.cancelled) {
      const chunk = this.queue.shift() as Uint8Array
      this.queued -= chunk.length
      if (!sink.data(chunk)) this.pause()
    }
    this.delivering = false
    if (this.readerPaused || this.cancelled || this.settled) return
    if (!this.ended) this.release()
    else {
      this.settled = true
      if (this.failure === undefined) sink.end(this.trailers)
      else sink.fail(this.failure)
    }
  }

  private hold(): void {
    if (this.held || this.ended) return
    this.held = true
    this.source.hold()
  }

  private release(): void {
    if (!this.held || this.ended) return
    this.held = false
    this.source.release()
  }
}

/** Says why a request's body broke off: its client went away. */
export class ClientGone extends Error {
  constructor() {
    super('the client closed the connection')
  }
}

/** Says why a request's body broke off: its answer was complete before it was, so that nobody wants the rest. */
class AnsweredBefore extends Error {
  constructor() {
    super('the request was answered before its body was read')
  }
}
