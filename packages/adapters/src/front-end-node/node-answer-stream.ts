/** An answer's body on its way out through Node. */
import type { ServerResponse } from 'node:http'
import type { ByteSink, ByteStream, HeaderPairs } from '@turnpike/core'
import { WrongLength } from '../front-end-common/answer-head.ts'
import { writableTrailers } from './node-head.ts'

export class NodeAnswerStream implements ByteSink {
  /** The client does not take what was sent, and the source waits for it. */
  blocked = false
  private drained = false
  private sent = 0
  private done = false
  private readonly res: ServerResponse
  private readonly source: ByteStream
  private readonly length: number | undefined

  /** `length` is what the head announced; `undefined` when it is sent chunked. */
  constructor(res: ServerResponse, source: ByteStream, length: number | undefined) {
    this.res = res
    this.source = source
    this.length = length
    res.on('drain', () => this.drain())
  }

  /** Lets the source flow. The head goes out at once, with the first bytes when they are already there. */
  start(): void {
    this.source.pipe(this)
    if (this.sent === 0 && !this.done) this.res.flushHeaders()
  }

  data(chunk: Uint8Array): boolean {
    if (this.done || chunk.length === 0) return true
    this.sent += chunk.length
    if (this.length !== undefined && this.sent > this.length) {
      this.source.cancel()
      this.fail(new WrongLength(this.sent, this.length))
      return true
    }
    if (this.res.write(chunk)) return true
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
    // Node leaves them out where nothing is chunked.
    if (trailers !== undefined) this.addTrailers(writableTrailers(trailers))
    this.res.end()
  }

  private addTrailers(pairs: HeaderPairs): void {
    const lines: [string, string][] = []
    for (let i = 0; i < pairs.length; i += 2) lines.push([pairs[i] as string, pairs[i + 1] as string])
    this.res.addTrailers(lines)
  }

  /**
   * Breaks the connection off, so that nobody takes what came for the whole. By a reset: where the end of a body is
   * the end of the connection (HTTP/1.0), a plain close would look complete.
   */
  fail(_error: unknown): void {
    if (this.done) return
    this.done = true
    this.res.socket?.resetAndDestroy()
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
