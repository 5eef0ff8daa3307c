/**
 * A request that a rewrite sends to another API of this gateway: the request as phase 4 left it, at the path that the
 * rewrite names. It carries the identity and the limits of the outer request (docs/reference/transforms.md#loops).
 */
import { type ByteStream, streamOf } from '../../http/byte-stream.ts'
import { type HeaderPairs, setHeader } from '../../http/headers.ts'
import { type GatewayRequest, httpVersionOf } from '../../http/messages.ts'
import type { LoopTarget } from '../contract/loop-target.ts'
import type { RequestContext } from '../contract/request-context.ts'

export class LoopedRequest implements GatewayRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: HeaderPairs
  readonly body: ByteStream | undefined
  readonly bodyLength: number | undefined
  private readonly outer: RequestContext
  private readonly checkLimits: boolean

  constructor(outer: RequestContext, target: LoopTarget) {
    const { outgoing, request } = outer
    const { body } = outgoing
    this.outer = outer
    this.checkLimits = target.checkLimits
    this.method = target.method === '' ? outgoing.method : target.method
    this.path = target.path
    this.query = target.query
    this.headers = outgoing.headers.slice()
    this.body = body === undefined ? outgoing.stream : streamOf(body)
    this.bodyLength = body === undefined ? request.bodyLength : body.length
    // Size limits read this header.
    if (body !== undefined) setHeader(this.headers, 'content-length', String(body.length))
  }

  get remoteAddress(): string {
    return this.outer.request.remoteAddress
  }

  get remotePort(): number | undefined {
    return this.outer.request.remotePort
  }

  get httpVersion(): string {
    return httpVersionOf(this.outer.request)
  }

  get secure(): boolean {
    return this.outer.request.secure
  }

  get clientCertificate(): Uint8Array | undefined {
    return this.outer.request.clientCertificate
  }

  get upgrade(): string | undefined {
    return this.outer.request.upgrade
  }

  onAbort(listener: (() => void) | undefined): void {
    this.outer.request.onAbort(listener)
  }

  /**
   * Copies identity and limits of the outer request to the inner chain, for the headers of the response. If the inner
   * API requires a key, its own stages replace them.
   */
  continueIn(inner: RequestContext): void {
    const { outer } = this
    inner.loopLevel = outer.loopLevel + 1
    inner.skipsLimits = !this.checkLimits
    inner.key = outer.key
    inner.credential = outer.credential
    inner.access = outer.access
    inner.counter = outer.counter
    inner.rate = outer.rate
    inner.rateLimit = outer.rateLimit
    inner.quota = outer.quota
    inner.outgoing.body = outer.outgoing.body
    inner.outgoing.addForwardedFor = outer.outgoing.addForwardedFor
  }
}
