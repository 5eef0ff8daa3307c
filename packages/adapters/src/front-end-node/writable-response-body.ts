/** Writes a response body to a writable of Node. */
import type { ByteStream } from '@turnpike/core/http'
import { ResponseBody } from '../front-end-common/response-body.ts'

/** The methods that HTTP/1.1 responses and HTTP/2 streams share. */
interface Outlet {
  on(event: 'drain', listener: () => void): unknown
  write(chunk: Uint8Array): boolean
}

export abstract class WritableResponseBody extends ResponseBody {
  private readonly outlet: Outlet

  constructor(outlet: Outlet, source: ByteStream, length: number | undefined) {
    super(source, length)
    this.outlet = outlet
    outlet.on('drain', () => this.drain())
  }

  /** Starts the source. The caller has written the headers. */
  start(): void {
    this.source.pipe(this)
  }

  protected write(chunk: Uint8Array): boolean {
    if (this.outlet.write(chunk)) return true
    this.blocked = true
    return false
  }

  protected drain(): void {
    this.clientHasRead = true
    if (!this.blocked) return
    this.blocked = false
    this.source.resume()
  }
}
