/** Writes a response body to uWS's response object. */
import type { ByteStream } from '@turnpike/core/http'
import { ResponseBody } from '../front-end-common/response-body.ts'
import type { UwsResponse } from './uws-binding.ts'

/** Receives the end of the response body. */
export interface ResponseBodyOwner {
  /** The response is complete. The response object is invalid. */
  finished(): void
  /** The body is incomplete. The connection must be closed so that the client notices it. */
  closeConnection(): void
}

/** Milliseconds without data after which an event stream begins with an empty comment. */
const maxSilenceMs = 100

export class UwsResponseBody extends ResponseBody {
  private readonly res: UwsResponse
  /** No further request may be read from the connection. */
  private readonly last: boolean
  private readonly owner: ResponseBodyOwner
  private waiting: Uint8Array[] = []
  private offset = 0
  private ended = false

  /** The headers must be written. */
  constructor(
    res: UwsResponse,
    source: ByteStream,
    length: number | undefined,
    last: boolean,
    owner: ResponseBodyOwner,
  ) {
    super(source, length)
    this.res = res
    this.last = last
    this.owner = owner
    res.onWritable((offset) => this.writable(offset))
  }

  /** Starts the source. Must be called inside `cork`. */
  start(eventStream: boolean): void {
    this.source.pipe(this)
    if (this.accepted > 0 || this.done) return
    if (this.length === 0) this.end()
    // uWS sends the headers together with the first byte of the body. Clients of event streams wait for the headers, so
    // a silent stream begins with a comment, which clients ignore (HTML standard, section "Server-sent events").
    else if (eventStream) setTimeout(() => this.breakSilence(), maxSilenceMs).unref()
  }

  protected write(chunk: Uint8Array): boolean {
    if (this.blocked) this.waiting.push(chunk)
    else this.res.cork(() => this.put(chunk))
    return !this.blocked
  }

  protected finish(): void {
    if (this.ended) return
    this.ended = true
    if (!this.blocked) this.res.cork(() => this.complete())
  }

  protected abort(): void {
    this.owner.closeConnection()
  }

  /** The response object is invalid. */
  override cancel(): void {
    this.waiting = []
    super.cancel()
  }

  private put(chunk: Uint8Array): void {
    if (this.length === undefined) {
      this.blocked = !this.res.write(chunk)
      return
    }
    this.offset = this.res.getWriteOffset()
    // Before each write, because a partial write makes uWS resume reading.
    if (this.last && this.accepted === this.length) this.res.pause()
    const [ok, done] = this.res.tryEnd(chunk, this.length)
    if (done) this.completed()
    else if (!ok) {
      this.blocked = true
      this.waiting.push(chunk)
    }
  }

  /** The client read bytes. `offset` is the number of body bytes that were sent so far. */
  private writable(offset: number): boolean {
    if (this.done) return true
    this.clientHasRead = true
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
    // A body with announced length gets here only if it is empty; `tryEnd` completes all others.
    if (this.last) this.res.pause()
    this.res.end()
    this.completed()
  }

  private completed(): void {
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
