/** A request in place of the client's, as a script, a custom stage or a rewrite changed it: for the stages that run later. */
import { type ByteStream, streamOf } from '../../http/byte-stream.ts'
import type { HeaderPairs } from '../../http/headers.ts'
import { type GatewayRequest, httpVersionOf } from '../../http/messages.ts'

export interface RequestReplacement {
  /** Default: that of the original. */
  readonly method?: string
  readonly path: string
  readonly query: string
  readonly headers: HeaderPairs
  /** `undefined`: the body is unchanged. */
  readonly body: Uint8Array | undefined
  /** The unread body, if `body` is `undefined`. Default: that of the original. */
  readonly stream?: ByteStream | undefined
}

/** What describes the connection is that of the original request. */
export class ChangedRequest implements GatewayRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: HeaderPairs
  readonly body: ByteStream | undefined
  readonly bodyLength: number | undefined
  private readonly original: GatewayRequest

  constructor(original: GatewayRequest, replacement: RequestReplacement) {
    const { method = original.method, path, query, headers, body, stream = original.body } = replacement
    this.original = original
    this.method = method
    this.path = path
    this.query = query
    this.headers = headers
    this.body = body === undefined ? stream : streamOf(body)
    this.bodyLength = body === undefined ? original.bodyLength : body.length
  }

  get hasEmptyQuery(): boolean | undefined {
    return this.query === '' ? this.original.hasEmptyQuery : undefined
  }

  get remoteAddress(): string {
    return this.original.remoteAddress
  }

  get remotePort(): number | undefined {
    return this.original.remotePort
  }

  get httpVersion(): string {
    return httpVersionOf(this.original)
  }

  get secure(): boolean {
    return this.original.secure
  }

  get clientCertificate(): Uint8Array | undefined {
    return this.original.clientCertificate
  }

  get clientIntermediates(): readonly Uint8Array[] | undefined {
    return this.original.clientIntermediates
  }

  get upgrade(): string | undefined {
    return this.original.upgrade
  }

  onAbort(listener: (() => void) | undefined): void {
    this.original.onAbort(listener)
  }
}
