/** One item from its request to its reply: asked in process, redirects inside the API followed, its body read. */
import type { ErrorAnswers } from '../error-answer/error-answers.ts'
import { type Rejection, rejections } from '../errors.ts'
import { type Answer, headerOf } from '../http.ts'
import type { Maybe } from '../maybe.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { BatchItem } from './batch-call.ts'
import { cancelBody, type ItemBodyRead, readItemBody } from './item-body.ts'
import { type Asked, ItemRequest, type Outer } from './item-request.ts'
import { decideRedirect, maxRedirects, type RedirectTarget } from './redirect.ts'
import { failedReply, replyText } from './reply-text.ts'

/** What items need of the gateway. */
export interface ItemWays {
  /** The API that the batch was sent to. */
  handle(request: ItemRequest): Maybe<Answer>
  readonly errors: ErrorAnswers
  readonly clock: Clock
  readonly log: Log
  /** Time for a streaming body; 0: no limit. */
  readonly timeoutMs: number
}

/** An item under way. */
export interface RunningItem {
  /** Gives it up; its reply no longer matters. */
  abort(): void
}

/** `bytes`: room of answers that the reply holds. */
export type Done = (reply: string, bytes: number) => void

/** Most characters of path, query and headers: what the front ends take of a client. */
const maxHead = 65_536

/** Starts an item that has its place at the gate. `done` is called once, maybe before this returns. */
export function runItem(item: BatchItem, outer: Outer, ways: ItemWays, done: Done): RunningItem {
  let request: ItemRequest | undefined
  const finish = (reply: string, bytes: number) => {
    request?.leave()
    done(reply, bytes)
  }
  const fail = (cause: unknown) => {
    ways.log.error('an item of a batch failed', { cause: String(cause) })
    finish(failedReply, 0)
  }

  const ask = (asked: Asked, redirects: number) => {
    const mine = new ItemRequest(asked, outer)
    mine.hasPlace = request?.hasPlace ?? true
    request = mine
    try {
      const answer = isTooLong(asked) ? ways.errors.render(rejections.headTooLarge, mine) : ways.handle(mine)
      if (answer instanceof Promise) answer.then((made) => take(made, mine, asked, redirects)).catch(fail)
      else take(answer, mine, asked, redirects)
    } catch (cause) {
      fail(cause)
    }
  }
  const take = (answer: Answer, mine: ItemRequest, asked: Asked, redirects: number) => {
    const redirect = decideRedirect(mine, answer)
    if (redirect !== undefined) {
      cancelBody(answer.body)
      if (redirect === 'leaves' || redirects === maxRedirects) finish(failedReply, 0)
      else ask(redirected(asked, redirect), redirects + 1)
      return
    }
    const body = readItemBody(answer, mine, ways.clock, ways.timeoutMs)
    if (body instanceof Promise) body.then((read) => reply(answer, mine, read)).catch(fail)
    else reply(answer, mine, body)
  }
  const reply = (answer: Answer, mine: ItemRequest, body: ItemBodyRead) => {
    if (body === 'broken') return finish(failedReply, 0)
    if ('kind' in body) return finish(refusalText(item, mine, body, ways.errors), 0)
    const { headers } = answer
    if (body.length !== undefined && headerOf(headers, 'content-length') === undefined) {
      headers.push('content-length', String(body.length))
    }
    finish(replyText(item.relativeUrl, answer, body.text), body.bytes)
  }

  if (item.headers === undefined) {
    outer.shares.gate.leave()
    done(failedReply, 0)
  } else {
    const { path, query } = item.target
    const { method, headers, body } = item
    ask({ method, path: outer.prefix + path, query, headers, body }, 0)
  }
  return { abort: () => request?.abort() }
}

function refusalText(item: BatchItem, request: ItemRequest, rejection: Rejection, errors: ErrorAnswers): string {
  const answer = errors.render(rejection, request)
  return replyText(item.relativeUrl, answer, String(answer.body))
}

function isTooLong({ path, query, headers }: Asked): boolean {
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
