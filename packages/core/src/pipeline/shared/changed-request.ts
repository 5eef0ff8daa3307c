/** The client's request as a script or a custom stage changed it: for the stages that run later. */
import { type ByteStream, streamOf } from '../../http/byte-stream.ts'
import type { HeaderPairs } from '../../http/headers.ts'
import { type GatewayRequest, httpVersionOf } from '../../http/messages.ts'

export interface RequestReplacement {
  readonly path: string
  readonly query: string
  readonly headers: HeaderPairs
  /** `undefined`: the body is unchanged. */
  readonly body: Uint8Array | undefined
}

export class ChangedRequest implements GatewayRequest {
  readonly path: string
  readonly query: string
  readonly headers: HeaderPairs
  readonly body: ByteStream | undefined
  readonly bodyLength: number | undefined
  private readonly original: GatewayRequest

  constructor(original: GatewayRequest, { path, query, headers, body }: RequestReplacement) {
    this.original = original
    this.path = path
    this.query = query
    this.headers = headers
    this.body = body === undefined ? original.body : streamOf(body)
    this.bodyLength = body === undefined ? original.bodyLength : body.length
  }

  get method(): string {
    return this.original.method
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

  get upgrade(): string | undefined {
    return this.original.upgrade
  }

  onAbort(listener: (() => void) | undefined): void {
    this.original.onAbort(listener)
  }
}
