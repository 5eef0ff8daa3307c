/** Runs one item: dispatches its request in process, follows redirects inside the API and reads the body. */

import { cancelBody, type GatewayResponse, headerOf, rejections } from '@turnpike/core/http'
import { isPromise, type Maybe } from '@turnpike/core/lib'
import type { RejectionRenderer } from '@turnpike/core/pipeline'
import type { Clock, Log } from '@turnpike/core/ports'
import { emptyBody } from '../http/read-request-body.ts'
import type { BatchItem } from './batch-call.ts'
import { type ItemBodyRead, readItemBody } from './item-body.ts'
import { maxItemHeaders } from './item-headers.ts'
import { failedReply, type Reply, replyOf } from './item-reply.ts'
import { type BatchContext, ItemRequest, type ItemRequestFields } from './item-request.ts'
import { decideRedirect, maxRedirects, mayBeRedirect, type RedirectTarget } from './redirect.ts'

/** What items use of the gateway. */
export interface ItemServices {
  /** Dispatches a request to the API of the batch. */
  handle(request: ItemRequest): Maybe<GatewayResponse>
  readonly errors: RejectionRenderer
  readonly clock: Clock
  readonly log: Log
  /** Time limit for a streaming body in milliseconds; 0: no limit. */
  readonly timeoutMs: number
}

/** Receives the replies of all items. */
export interface ReplyCollector {
  readonly batch: BatchContext
  readonly services: ItemServices
  /** Called once by each item. `bytes`: bytes of the shared limit that the reply uses. */
  take(reply: Reply, bytes: number): void
}

/** Maximum characters of path, query and headers; the same limit as in the front ends. */
const maxHead = 65_536

/** A class rather than closures, which would allocate five objects for each of hundreds of items. */
export class ItemRunner {
  private readonly item: BatchItem
  private readonly collector: ReplyCollector
  private request: ItemRequest | undefined = undefined
  private redirects = 0
  private isDone = false

  constructor(item: BatchItem, collector: ReplyCollector) {
    this.item = item
    this.collector = collector
  }

  /** Starts the item, which holds a slot of the semaphore. It may finish before this call returns. */
  start(): void {
    const { target, method, headers, body } = this.item
    const { batch } = this.collector
    if (headers !== undefined) {
      this.send({ method, path: batch.prefix + target.path, query: target.query, headers, body })
      return
    }
    batch.limits.semaphore.release()
    this.finish(failedReply, 0)
  }

  /** Aborts the item; its reply is dropped. */
  abort(): void {
    if (!this.isDone) this.request?.abort()
  }

  private send(parts: ItemRequestFields): void {
    const { batch, services } = this.collector
    const request = new ItemRequest(parts, batch)
    request.hasSlot = this.request?.hasSlot ?? true
    this.request = request
    try {
      const response = isTooLong(parts)
        ? services.errors.render(rejections.headTooLarge, request)
        : services.handle(request)
      if (isPromise(response)) this.wait(response, parts)
      else this.finishWith(response, request, parts)
    } catch (cause) {
      this.fail(cause)
    }
  }

  private wait(response: Promise<GatewayResponse>, parts: ItemRequestFields): void {
    const request = this.request as ItemRequest
    void response.then(
      (made) => {
        try {
          this.finishWith(made, request, parts)
        } catch (cause) {
          this.fail(cause)
        }
      },
      (cause: unknown) => this.fail(cause),
    )
  }

  private finishWith(response: GatewayResponse, request: ItemRequest, parts: ItemRequestFields): void {
    if (mayBeRedirect(response)) {
      const redirect = decideRedirect(request, response)
      if (redirect !== undefined) {
        this.redirect(redirect, response, parts)
        return
      }
    }
    const { clock, timeoutMs } = this.collector.services
    const body = readItemBody(response, request, clock, timeoutMs)
    if (isPromise(body)) {
      void body.then((read) => this.reply(response, request, read))
    } else this.reply(response, request, body)
  }

  private redirect(redirect: RedirectTarget | 'leaves', response: GatewayResponse, parts: ItemRequestFields): void {
    cancelBody(response.body)
    if (redirect === 'leaves' || this.redirects === maxRedirects) {
      this.finish(failedReply, 0)
      return
    }
    this.redirects += 1
    this.send(redirected(parts, redirect))
  }

  private reply(response: GatewayResponse, request: ItemRequest, body: ItemBodyRead): void {
    const { relativeUrl } = this.item
    const { services } = this.collector
    if (body === 'broken') this.finish(failedReply, 0)
    else if ('kind' in body) {
      const rejection = services.errors.render(body, request)
      this.finish(replyOf(relativeUrl, rejection, String(rejection.body)), 0)
    } else {
      const { headers } = response
      if (body.length !== undefined && headerOf(headers, 'content-length') === undefined) {
        headers.push('content-length', String(body.length))
      }
      this.finish(replyOf(relativeUrl, response, body.text), body.bytes)
    }
  }

  private fail(cause: unknown): void {
    this.collector.services.log.error('an item of a batch failed', { cause: String(cause) })
    this.finish(failedReply, 0)
  }

  private finish(reply: Reply, bytes: number): void {
    if (this.isDone) return
    this.isDone = true
    this.request?.leave()
    this.collector.take(reply, bytes)
  }
}

function isTooLong({ path, query, headers }: ItemRequestFields): boolean {
  if (headers.length > 2 * maxItemHeaders) return true
  let length = path.length + query.length
  for (const text of headers) length += text.length
  return length > maxHead
}

function redirected(from: ItemRequestFields, { path, query, keepsMethod }: RedirectTarget): ItemRequestFields {
  if (keepsMethod) return { ...from, path, query }
  const headers: string[] = []
  for (let i = 0; i < from.headers.length; i += 2) {
    const name = from.headers[i] as string
    // These headers describe the body that was dropped.
    if (!name.startsWith('content-')) headers.push(name, from.headers[i + 1] as string)
  }
  return { method: from.method === 'HEAD' ? 'HEAD' : 'GET', path, query, headers, body: emptyBody }
}
