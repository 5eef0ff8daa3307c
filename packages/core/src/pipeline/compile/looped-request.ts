/**
 * A request that a rewrite sends to another API of this gateway: the request as phase 4 left it, at the path that the
 * rewrite names. It carries the identity and the limits of the outer request (docs/reference/transforms.md#loops).
 */
import { setHeader } from '../../http/headers.ts'
import type { LoopTarget } from '../contract/loop-target.ts'
import type { RequestContext } from '../contract/request-context.ts'
import { ChangedRequest } from '../shared/changed-request.ts'

export class LoopedRequest extends ChangedRequest {
  private readonly outer: RequestContext
  private readonly checkLimits: boolean

  constructor(outer: RequestContext, { method, path, query, checkLimits }: LoopTarget) {
    const { body, stream } = outer.outgoing
    const headers = outer.outgoing.headers.slice()
    // Size limits read this header.
    if (body !== undefined) setHeader(headers, 'content-length', String(body.length))
    super(outer.request, { method: method || outer.outgoing.method, path, query, headers, body, stream })
    this.outer = outer
    this.checkLimits = checkLimits
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
