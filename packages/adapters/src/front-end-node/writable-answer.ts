/** An answer's body on its way out through a writable of Node: told lengths are kept, and backpressure is passed on. */
import type { ByteSink, ByteStream, HeaderPairs } from '@turnpike/core'
import { WrongLength } from '../front-end-common/answer-head.ts'

/** What both protocols write to. */
interface Outlet {
  on(event: 'drain', listener: () => void): unknown
  write(chunk: Uint8Array): boolean
}

export abstract class WritableAnswer implements ByteSink {
  /** The client does not take what was sent, and the source waits for it. */
  blocked = false
  protected sent = 0
  protected done = false
  private readonly source: ByteStream
  private readonly outlet: Outlet
  private readonly length: number | undefined
  private drained = false

  /** `length` is what the head announced; `undefined` where none was. */
  constructor(outlet: Outlet, source: ByteStream, length: number | undefined) {
    this.outlet = outlet
    this.source = source
    this.length = length
    outlet.on('drain', () => this.drain())
  }

  /** The body is complete. */
  protected abstract finish(trailers: HeaderPairs | undefined): void
  /** Makes sure that nobody takes what came for the whole. */
  protected abstract breakOff(): void

  /** Lets the source flow; the head is written. */
  start(): void {
    this.source.pipe(this)
  }

  data(chunk: Uint8Array): boolean {
    if (this.done || chunk.length === 0) return true
    this.sent += chunk.length
    if (this.length !== undefined && this.sent > this.length) {
      this.source.cancel()
      this.fail(new WrongLength(this.sent, this.length))
      return true
    }
    if (this.outlet.write(chunk)) return true
    this.blocked = true
    return false
  }

  end(trailers?: HeaderPairs): void {
    if (this.done) return
    if (this.length !== undefined && this.sent !== this.length) {
      this.fail(new WrongLength(this.sent, this.length))
      return
    }
    this.done = true
    this.finish(trailers)
  }

  fail(_error: unknown): void {
    if (this.done) return
    this.done = true
    this.breakOff()
  }

  /** The client is gone. */
  cancel(): void {
    if (this.done) return
    this.done = true
    this.source.cancel()
  }

  /** For the stall watch: whether the client took something since the last question. */
  moved(): boolean {
    const moved = this.drained
    this.drained = false
    return moved
  }

  private drain(): void {
    this.drained = true
    if (!this.blocked) return
    this.blocked = false
    this.source.resume()
  }
}
