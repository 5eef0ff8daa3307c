/**
 * Sends a response body to the client. It pauses the source while the client does not read, and fails if the body does
 * not have its announced length.
 */
import type { ByteSink, ByteStream, HeaderPairs } from '@turnpike/core/http'
import { BodyLengthMismatch } from './response-head.ts'

export abstract class ResponseBody implements ByteSink {
  /** The client does not read fast enough, so the source is paused. */
  blocked = false
  /** Bytes that the source sent. */
  protected accepted = 0
  protected done = false
  /** The client read bytes since the last call of `progressed`. */
  protected clientHasRead = false
  protected readonly source: ByteStream
  protected readonly length: number | undefined

  /** `length` is the announced Content-Length; `undefined` if there is none. */
  constructor(source: ByteStream, length: number | undefined) {
    this.source = source
    this.length = length
  }

  /** Writes a chunk. Returns false to pause the source. */
  protected abstract write(chunk: Uint8Array): boolean
  /** Ends the complete body. */
  protected abstract finish(trailers: HeaderPairs | undefined): void
  /** Ends an incomplete body so that the client notices it. */
  protected abstract abort(): void

  data(chunk: Uint8Array): boolean {
    return !this.accepts(chunk) || this.write(chunk)
  }

  /** Counts the bytes of a chunk. Returns false if it must not be written. */
  protected accepts(chunk: Uint8Array): boolean {
    if (this.done || chunk.length === 0) return false
    this.accepted += chunk.length
    if (this.length === undefined || this.accepted <= this.length) return true
    this.source.cancel()
    this.fail(new BodyLengthMismatch(this.accepted, this.length))
    return false
  }

  end(trailers?: HeaderPairs): void {
    if (this.done) return
    if (this.length === undefined || this.accepted === this.length) this.finish(trailers)
    else this.fail(new BodyLengthMismatch(this.accepted, this.length))
  }

  fail(_error: unknown): void {
    if (this.done) return
    this.done = true
    this.abort()
  }

  /** The client disconnected. */
  cancel(): void {
    if (this.done) return
    this.done = true
    this.source.cancel()
  }

  /** For the stall detector: returns true if the client read bytes since the last call. */
  progressed(): boolean {
    const progressed = this.clientHasRead
    this.clientHasRead = false
    return progressed
  }
}
