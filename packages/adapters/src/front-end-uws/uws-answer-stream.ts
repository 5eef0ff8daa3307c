/** An answer's body on its way out through uWS. */
import type { ByteSink, ByteStream } from '@turnpike/core'
import { WrongLength } from '../front-end-common/answer-head.ts'
import type { UwsResponse } from './uws-binding.ts'

/** What the stream tells its exchange. */
export interface StreamOwner {
  /** The response is complete and dead. */
  finished(): void
  /** The body broke off: the connection must not look well. */
  broke(): void
}

/** How long an event stream may be silent before its head is sent with an empty comment. */
const silentMs = 100

export class UwsAnswerStream implements ByteSink {
  /** The client does not take what was sent, and the source waits for it. */
  blocked = false
  private readonly res: UwsResponse
  private readonly source: ByteStream
  private readonly length: number | undefined
  /** No further request may be read from this connection. */
  private readonly last: boolean
  private readonly owner: StreamOwner
  private waiting: Uint8Array[] = []
  private accepted = 0
  private offset = 0
  private ended = false
  private done = false
  private movedSince = false

  /** `length` is what was announced; `undefined` when it is sent chunked. The head is written, in the same cork. */
  constructor(res: UwsResponse, source: ByteStream, length: number | undefined, last: boolean, owner: StreamOwner) {
    this.res = res
    this.source = source
    this.length = length
    this.last = last
    this.owner = owner
    res.onWritable((offset) => this.writable(offset))
  }

  /** Lets the source flow; to be called within a cork. */
  start(eventStream: boolean): void {
    this.source.pipe(this)
    if (this.accepted > 0 || this.done) return
    if (this.length === 0) this.end()
    // This uWS sends the end of a head only with the first byte of the body. Clients of event streams wait for the head
    // while nothing happens yet, so a silent stream begins with a comment, which they must pass over.
    else if (eventStream) setTimeout(() => this.breakSilence(), silentMs).unref()
  }

  data(chunk: Uint8Array): boolean {
    if (this.done || chunk.length === 0) return true
    this.accepted += chunk.length
    if (this.length !== undefined && this.accepted > this.length) {
      this.source.cancel()
      this.fail(new WrongLength(this.accepted, this.length))
      return true
    }
    if (this.blocked) this.waiting.push(chunk)
    else this.res.cork(() => this.put(chunk))
    return !this.blocked
  }

  end(): void {
    if (this.done || this.ended) return
    this.ended = true
    if (this.length !== undefined && this.accepted !== this.length) {
      this.fail(new WrongLength(this.accepted, this.length))
      return
    }
    if (!this.blocked) this.res.cork(() => this.complete())
  }

  fail(_error: unknown): void {
    if (this.done) return
    this.done = true
    this.owner.broke()
  }

  /** The client is gone; the response is dead. */
  cancel(): void {
    if (this.done) return
    this.done = true
    this.waiting = []
    this.source.cancel()
  }

  /** For the stall watch: whether the client took something since the last question. */
  moved(): boolean {
    const moved = this.movedSince
    this.movedSince = false
    return moved
  }

  private put(chunk: Uint8Array): void {
    if (this.length === undefined) {
      this.blocked = !this.res.write(chunk)
      return
    }
    this.offset = this.res.getWriteOffset()
    // Before each attempt, since a write that does not fit makes uWS read again.
    if (this.last && this.accepted === this.length) this.res.pause()
    const [ok, done] = this.res.tryEnd(chunk, this.length)
    if (done) this.finish()
    else if (!ok) {
      this.blocked = true
      this.waiting.push(chunk)
    }
  }

  /** The client took something; `offset` counts the body's bytes that are gone since the head. */
  private writable(offset: number): boolean {
    if (this.done) return true
    this.movedSince = true
    this.blocked = false
    if (this.length !== undefined) this.dropSent(offset)
    while (this.waiting.length > 0 && !this.blocked && !this.done) this.put(this.waiting.shift() as Uint8Array)
    if (this.blocked || this.done) return !this.blocked
    if (this.ended) this.complete()
    else this.source.resume()
    return true
  }

  private dropSent(offset: number): void {
    const first = this.waiting[0]
    if (first !== undefined) this.waiting[0] = first.subarray(offset - this.offset)
  }

  private complete(): void {
    if (this.done) return
    // A body of announced length comes here only when it is empty: tryEnd completes every other.
    if (this.last) this.res.pause()
    this.res.end()
    this.finish()
  }

  private finish(): void {
    this.done = true
    this.owner.finished()
  }

  private breakSilence(): void {
    if (this.done || this.accepted > 0 || this.length !== undefined) return
    this.res.cork(() => {
      this.blocked = !this.res.write(':\n\n')
    })
  }
}
