/** Writes a response body to Node's `ServerResponse`. */
import type { ServerResponse } from 'node:http'
import type { ByteStream, HeaderPairs } from '@turnpike/core/http'
import { breakConnection } from '../front-end-common/break-connection.ts'
import { writableTrailers } from './node-headers.ts'
import { WritableResponseBody } from './writable-response-body.ts'

export class NodeResponseBody extends WritableResponseBody {
  private readonly res: ServerResponse

  /** `length` is the announced Content-Length; `undefined` if the body is chunked. */
  constructor(res: ServerResponse, source: ByteStream, length: number | undefined) {
    super(res, source, length)
    this.res = res
  }

  /** Starts the source and sends the headers, together with the first bytes if they are available. */
  override start(): void {
    super.start()
    if (this.accepted === 0 && !this.done) this.res.flushHeaders()
  }

  /** Node writes at the end of the turn of the event loop, so the memory is always in use after the call. */
  lend(chunk: Uint8Array): boolean {
    if (!this.accepts(chunk)) return true
    this.blocked = true
    this.res.write(chunk, (error) => {
      if (error == null) this.drain()
    })
    return false
  }

  protected finish(trailers: HeaderPairs | undefined): void {
    this.done = true
    // Node ignores trailers unless the body is chunked.
    if (trailers !== undefined) this.addTrailers(writableTrailers(trailers))
    this.res.end()
  }

  private addTrailers(pairs: HeaderPairs): void {
    const lines: [string, string][] = []
    for (let i = 0; i < pairs.length; i += 2) lines.push([pairs[i] as string, pairs[i + 1] as string])
    this.res.addTrailers(lines)
  }

  protected abort(): void {
    const { socket } = this.res
    if (socket !== null) breakConnection(socket)
  }
}
