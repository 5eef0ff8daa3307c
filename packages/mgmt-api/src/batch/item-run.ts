/** One item from its request to its reply: asked in process, redirects inside the API followed, its body read. */

import {
  type Clock,
  type ErrorRenderer,
  type GatewayResponse,
  headerOf,
  isPromise,
  type Log,
  type Maybe,
  rejections,
} from '@turnpike/core'
import type { BatchItem } from './batch-call.ts'
import { cancelBody, type ItemBodyRead, readItemBody } from './item-body.ts'
import { maxItemHeaders } from './item-headers.ts'
import { type Asked, ItemRequest, type Outer } from './item-request.ts'
import { decideRedirect, isRedirect, maxRedirects, type RedirectTarget } from './redirect.ts'
import { failedReply, type Reply, replyOf } from './reply.ts'

/** What items need of the gateway. */
export interface ItemWays {
  /** The API that the batch was sent to. */
  handle(request: ItemRequest): Maybe<GatewayResponse>
  readonly errors: ErrorRenderer
  readonly clock: Clock
  readonly log: Log
  /** Time for a streaming body; 0: no limit. */
  readonly timeoutMs: number
}

/** Who gathers the replies. */
export interface Gatherer {
  readonly outer: Outer
  readonly ways: ItemWays
  /** Called once by each item. `bytes`: room of responses that the reply holds. */
  take(reply: Reply, bytes: number): void
}

/** Most characters of path, query and headers: what the front ends take of a client. */
const maxHead = 65_536

/** A class, since a batch makes hundreds at once: closures would be five objects an item. */
export class ItemRun {
  private readonly item: BatchItem
  private readonly gatherer: Gatherer
  private request: ItemRequest | undefined = undefined
  private redirects = 0
  private isDone = false

  constructor(item: BatchItem, gatherer: Gatherer) {
    this.item = item
    this.gatherer = gatherer
  }

  /** Begins, with a place at the gate; maybe it is done before this returns. */
  start(): void {
    const { target, method, headers, body } = this.item
    const { outer } = this.gatherer
    if (headers !== undefined) {
      this.ask({ method, path: outer.prefix + target.path, query: target.query, headers, body })
      return
    }
    outer.shares.gate.leave()
    this.finish(failedReply, 0)
  }

  /** Gives the item up; its reply no longer matters. */
  abort(): void {
    if (!this.isDone) this.request?.abort()
  }

  private ask(asked: Asked): void {
    const { outer, ways } = this.gatherer
    const request = new ItemRequest(asked, outer)
    request.hasPlace = this.request?.hasPlace ?? true
    this.request = request
    try {
      const response = isTooLong(asked) ? ways.errors.render(rejections.headTooLarge, request) : ways.handle(request)
      if (isPromise(response)) this.wait(response, asked)
      else this.answered(response, request, asked)
    } catch (cause) {
      this.fail(cause)
    }
  }

  private wait(response: Promise<GatewayResponse>, asked: Asked): void {
    const request = this.request as ItemRequest
    void response.then(
      (made) => {
        try {
          this.answered(made, request, asked)
        } catch (cause) {
          this.fail(cause)
        }
      },
      (cause: unknown) => this.fail(cause),
    )
  }

  private answered(response: GatewayResponse, request: ItemRequest, asked: Asked): void {
    if (isRedirect(response)) {
      const redirect = decideRedirect(request, response)
      if (redirect !== undefined) {
        this.redirect(redirect, response, asked)
        return
      }
    }
    const { clock, timeoutMs } = this.gatherer.ways
    const body = readItemBody(response, request, clock, timeoutMs)
    if (isPromise(body)) {
      void body.then((read) => this.reply(response, request, read))
    } else this.reply(response, request, body)
  }

  private redirect(redirect: RedirectTarget | 'leaves', response: GatewayResponse, asked: Asked): void {
    cancelBody(response.body)
    if (redirect === 'leaves' || this.redirects === maxRedirects) {
      this.finish(failedReply, 0)
      return
    }
    this.redirects += 1
    this.ask(redirected(asked, redirect))
  }

  private reply(response: GatewayResponse, request: ItemRequest, body: ItemBodyRead): void {
    const { relativeUrl } = this.item
    const { ways } = this.gatherer
    if (body === 'broken') this.finish(failedReply, 0)
    else if ('kind' in body) {
      const refusal = ways.errors.render(body, request)
      this.finish(replyOf(relativeUrl, refusal, String(refusal.body)), 0)
    } else {
      const { headers } = response
      if (body.length !== undefined && headerOf(headers, 'content-length') === undefined) {
        headers.push('content-length', String(body.length))
      }
      this.finish(replyOf(relativeUrl, response, body.text), body.bytes)
    }
  }

  private fail(cause: unknown): void {
    this.gatherer.ways.log.error('an item of a batch failed', { cause: String(cause) })
    this.finish(failedReply, 0)
  }

  private finish(reply: Reply, bytes: number): void {
    if (this.isDone) return
    this.isDone = true
    this.request?.leave()
    this.gatherer.take(reply, bytes)
  }
}

function isTooLong({ path, query, headers }: Asked): boolean {
  if (headers.length > 2 * maxItemHeaders) return true
  let length = path.length + query.length
  for (const text of headers) length += text.length
  return length > maxHead
}

const noBody = new Uint8Array(0)

function redirected(from: Asked, { path, query, keepsMethod }: RedirectTarget): Asked {
  if (keepsMethod) return { ...from, path, query }
  const headers: string[] = []
  for (let i = 0; i < from.headers.length; i += 2) {
    const name = from.headers[i] as string
    // They spoke of a body that is gone.
    if (!name.startsWith('content-')) headers.push(name, from.headers[i + 1] as string)
  }
  return { method: from.method === 'HEAD' ? 'HEAD' : 'GET', path, query, headers, body: noBody }
}
