/** An answer's body on its way out through Node. */
import type { ServerResponse } from 'node:http'
import type { ByteStream, HeaderPairs } from '@turnpike/core'
import { writableTrailers } from './node-head.ts'
import { WritableAnswer } from './writable-answer.ts'

export class NodeAnswerStream extends WritableAnswer {
  private readonly res: ServerResponse

  /** `length` is what the head announced; `undefined` when it is sent chunked. */
  constructor(res: ServerResponse, source: ByteStream, length: number | undefined) {
    super(res, source, length)
    this.res = res
  }

  /** Lets the source flow. The head goes out at once, with the first bytes when they are already there. */
  override start(): void {
    super.start()
    if (this.sent === 0 && !this.done) this.res.flushHeaders()
  }

  protected finish(trailers: HeaderPairs | undefined): void {
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
   * Breaks the connection off. By a reset: where the end of a body is the end of the connection (HTTP/1.0), a plain
   * close would look complete.
   */
  protected breakOff(): void {
    this.res.socket?.resetAndDestroy()
  }
}
