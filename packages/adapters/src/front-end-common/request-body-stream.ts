/**
 * The body of a request as a `ByteStream` that a front end writes to. Bytes that arrive before a reader is attached are
 * buffered. The connection is paused while the buffer is full or the reader has paused the stream.
 */
import type { ByteSink, ByteStream, HeaderPairs } from '@turnpike/core/http'
import type { LentMemory } from '@turnpike/upstream/read-memory'
import { maxBufferedBodyBytes } from './front-end-options.ts'

/** The connection that the bytes come from. */
export interface PausableSource {
  /** Stops reading from the client. */
  pauseReading(): void
  /** Continues to read. */
  resumeReading(): void
  /** A reader wants the body. Absent: nobody waits for it. */
  bodyWanted?(): void
}

const nothing: Uint8Array[] = []

export class RequestBodyStream implements ByteStream {
  readonly trailerNames: string | undefined
  private readonly source: PausableSource
  private trailers: HeaderPairs | undefined = undefined
  private sink: ByteSink | undefined = undefined
  private queue: Uint8Array[] = nothing
  private queued = 0
  private readerPaused = false
  private delivering = false
  private cancelled = false
  private failure: unknown = undefined
  /** Memory that the sink still uses. */
  private lent: LentMemory | undefined = undefined
  /** The gateway has paused the connection, so the client is not the cause of a stalled body. */
  sourcePaused = false
  /** No further bytes will arrive. */
  ended = false
  /** The reader was notified of the end or the failure, or the body was cancelled. */
  settled = false
  /** Bytes received so far. */
  received = 0

  constructor(source: PausableSource, trailerNames?: string) {
    this.trailerNames = trailerNames
    this.source = source
  }

  // Methods of the reader

  pipe(sink: ByteSink): void {
    this.sink = sink
    this.source.bodyWanted?.()
    this.deliver()
  }

  takeBytes(): Uint8Array | undefined {
    const isComplete = this.ended && this.failure === undefined && this.trailers === undefined
    if (!isComplete || this.sink !== undefined || this.settled || this.queue.length !== 1) return undefined
    this.settled = true
    const [bytes] = this.queue
    this.queue = nothing
    this.queued = 0
    return bytes
  }

  pause(): void {
    this.readerPaused = true
    this.pauseSource()
  }

  resume(): void {
    this.lent?.giveBack()
    this.lent = undefined
    this.readerPaused = false
    this.deliver()
  }

  /** Reads and discards the rest of the body, so that the connection can be used for the next request. */
  cancel(): void {
    this.cancelled = true
    this.settled = true
    this.queue = nothing
    this.queued = 0
    this.resumeSource()
  }

  // Methods of the front end

  /** Adds a chunk. The caller must not change its bytes afterwards. */
  push(chunk: Uint8Array): void {
    this.received += chunk.length
    if (this.cancelled || this.ended || chunk.length === 0) return
    if (this.sink !== undefined && this.isFlowing) {
      if (!this.sink.data(chunk)) this.pause()
      return
    }
    if (this.queue === nothing) this.queue = []
    this.queue.push(chunk)
    this.queued += chunk.length
    if (this.queued >= maxBufferedBodyBytes) this.pauseSource()
  }

  /** Lends a chunk to the reader, or adds a copy if `lendable` is missing or the reader takes only copies. */
  pushRead(chunk: Buffer, lendable: LentMemory | undefined): void {
    if (lendable === undefined || this.sink?.lend === undefined || !this.isFlowing || this.cancelled || this.ended) {
      this.push(Buffer.from(chunk))
      return
    }
    this.received += chunk.length
    if (this.sink.lend(chunk)) return
    lendable.keep()
    this.lent = lendable
    this.pause()
  }

  /** The body is complete. `trailers` contains only the trailers that may be forwarded. */
  finish(trailers?: HeaderPairs): void {
    if (this.ended) return
    this.ended = true
    this.trailers = trailers
    this.deliver()
  }

  /** The body is incomplete. Buffered bytes are dropped and the reader fails with `error`. */
  abort(error: unknown): void {
    if (this.ended) return
    this.ended = true
    this.failure = error
    this.queue = nothing
    this.queued = 0
    this.deliver()
  }

  /**
   * The response is complete. If the body is not, it is aborted. The error is created here and not by the caller,
   * because capturing its stack trace costs as much as serving a request.
   */
  responseCompleted(): void {
    if (!this.ended) this.abort(new Error('the response was sent before the request body was read'))
  }

  /** The next chunk goes directly to the reader. */
  private get isFlowing(): boolean {
    return !this.readerPaused && this.queued === 0 && !this.delivering
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
    if (!this.ended) this.resumeSource()
    else {
      this.settled = true
      if (this.failure === undefined) sink.end(this.trailers)
      else sink.fail(this.failure)
    }
  }

  private pauseSource(): void {
    if (this.sourcePaused || this.ended) return
    this.sourcePaused = true
    this.source.pauseReading()
  }

  private resumeSource(): void {
    if (!this.sourcePaused || this.ended) return
    this.sourcePaused = false
    this.source.resumeReading()
  }
}
