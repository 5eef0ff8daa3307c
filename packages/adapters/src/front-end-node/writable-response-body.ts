/**
 * Writes a response body to a writable of Node. It applies backpressure to the source and fails if the body does not
 * have its announced length.
 */
import type { ByteSink, ByteStream, HeaderPairs } from '@turnpike/core'
import { BodyLengthMismatch } from '../front-end-common/response-head.ts'

/** The methods that HTTP/1.1 responses and HTTP/2 streams share. */
interface Outlet {
  on(event: 'drain', listener: () => void): unknown
  write(chunk: Uint8Array): boolean
}

export abstract class WritableResponseBody implements ByteSink {
  /** The client does not read fast enough, so the source is paused. */
  blocked = false
  protected sent = 0
  protected done = false
  private readonly source: ByteStream
  private readonly outlet: Outlet
  private readonly length: number | undefined
  private drained = false

  /** `length` is the announced Content-Length; `undefined` if there is none. */
  constructor(outlet: Outlet, source: ByteStream, length: number | undefined) {
    this.outlet = outlet
    this.source = source
    this.length = length
    outlet.on('drain', () => this.drain())
  }

  /** Ends the complete body. */
  protected abstract finish(trailers: HeaderPairs | undefined): void
  /** Ends an incomplete body so that the client notices it. */
  protected abstract abort(): void

  /** Starts the source. The caller has written the headers. */
  start(): void {
    this.source.pipe(this)
  }

  data(chunk: Uint8Array): boolean {
    if (this.done || chunk.length === 0) return true
    this.sent += chunk.length
    if (this.length !== undefined && this.sent > this.length) {
      this.source.cancel()
      this.fail(new BodyLengthMismatch(this.sent, this.length))
      return true
    }
    if (this.outlet.write(chunk)) return true
    this.blocked = true
    return false
  }

  end(trailers?: HeaderPairs): void {
    if (this.done) return
    if (this.length !== undefined && this.sent !== this.length) {
      this.fail(new BodyLengthMismatch(this.sent, this.length))
      return
    }
    this.done = true
    this.finish(trailers)
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
    const progressed = this.drained
    this.drained = false
    return progressed
  }

  private drain(): void {
    this.drained = true
    if (!this.blocked) return
    this.blocked = false
    this.source.resume()
  }
}
