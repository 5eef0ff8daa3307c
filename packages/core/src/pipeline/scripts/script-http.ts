/** HTTP requests of scripts: single ones and batches (docs/reference/scripts.md#script-helpers). */

import { parseTargetUrl } from '../../definition/target-url.ts'
import { isToken } from '../../http/field-names.ts'
import { type HeaderPairs, headerOf } from '../../http/headers.ts'
import { encodeField } from '../../lib/form.ts'
import { parseJsonObject } from '../../lib/json.ts'
import { boolean, list, map, object, readShape, text } from '../../lib/shape/shape.ts'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Upstream, UpstreamOptions } from '../../ports/upstream.ts'
import { bytesOfBody } from '../shared/response-bytes.ts'
import { headerLists } from './script-arguments.ts'
import { headerPairs, named } from './script-results.ts'

export interface ScriptHttp {
  readonly upstream: Upstream
  readonly clock: Pick<Clock, 'now'>
  /** Limit of one request. */
  readonly timeoutMs: number
  optionsFor(origin: string, host: string): UpstreamOptions
}

/** As browsers and common HTTP clients do. */
const maxRedirects = 10
/** Bytes of a response body that a script can receive. */
const maxBodyBytes = 8 * 1024 * 1024
/** Requests of one batch, and of them at the same time. */
const maxBatch = 1000
const maxConcurrency = 16

const requestShape = object({
  method: named(text, 'Method'),
  domain: named(text, 'Domain'),
  resource: named(text, 'Resource'),
  headers: named(map(text), 'Headers'),
  body: named(text, 'Body'),
  formData: named(map(text), 'FormData'),
})
const batchShape = object({
  requests: list(object({ method: text, headers: map(text), body: text, relativeUrl: text })),
  suppressParallelExecution: boolean,
})

interface Request {
  readonly method: string
  readonly url: string
  readonly headers: HeaderPairs
  readonly body: string
}

interface Response {
  readonly status: number
  readonly headers: HeaderPairs
  readonly body: string
}

/** `undefined`: the argument is not valid, or no server responds. */
export function makeHttpRequest(http: ScriptHttp): (json?: string) => Promise<string | undefined> {
  return async (json = '') => {
    const request = readRequest(json)
    const response = request && (await send(http, request))
    if (response === undefined) return undefined
    const { status: code, body } = response
    const headers = headerLists(response.headers)
    return JSON.stringify({ Code: code, Body: body, Headers: headers, code, body, headers })
  }
}

function readRequest(json: string): Request | undefined {
  const value = parseJsonObject(json)
  const read = value && readShape(requestShape, value)
  if (read === undefined || !read.readable) return undefined
  const { method, domain, resource, formData, body } = read.value
  const headers = headerPairs(read.value.headers)
  if (headers === undefined) return undefined
  const form = Object.entries(formData ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => `${encodeField(name)}=${encodeField(entry)}`)
  return { method: method || 'GET', url: domain + resource, headers, body: body === '' ? form.join('&') : body }
}

/** The result is a list in the order of the items; an item that fails is an empty response. */
export function makeBatchRequest(http: ScriptHttp): (json?: string) => Promise<string | undefined> {
  return async (json = '') => {
    const value = parseJsonObject(json)
    const read = value && readShape(batchShape, value)
    if (read === undefined || !read.readable) return undefined
    const { requests, suppressParallelExecution } = read.value
    const items = requests ?? []
    // Items beyond the limit stay empty responses.
    const replies: unknown[] = items.map(() => noReply)
    const last = Math.min(items.length, maxBatch)
    let next = 0
    const work = async () => {
      for (let at = next++; at < last; at = next++) {
        const { method, headers, body, relativeUrl } = items[at] as (typeof items)[number]
        const pairs = headerPairs(headers)
        const request = { method: method || 'GET', url: relativeUrl, headers: pairs ?? [], body }
        const response = pairs === undefined ? undefined : await send(http, request)
        if (response !== undefined) replies[at] = replyOf(relativeUrl, response)
      }
    }
    await Promise.all(Array.from({ length: suppressParallelExecution ? 1 : maxConcurrency }, work))
    return JSON.stringify(replies)
  }
}

const noReply = { relative_url: '', code: 0, headers: null, body: '' }

function replyOf(url: string, { status, headers, body }: Response) {
  return { relative_url: url, code: status, headers: headerLists(headers), body }
}

/** Sends the request and follows redirects, each over a connection of its own. */
async function send(http: ScriptHttp, first: Request): Promise<Response | undefined> {
  const deadline = http.clock.now() + http.timeoutMs
  let request = first
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const response = await sendOnce(http, request, deadline - http.clock.now())
    if (response === undefined) return undefined
    const next = redirectOf(request, response)
    if (next === undefined) return response
    request = next
  }
  return undefined
}

async function sendOnce(http: ScriptHttp, request: Request, timeoutMs: number): Promise<Response | undefined> {
  const target = parseTargetUrl(request.url)
  if (target === undefined || target.origin === '' || !/^https?$/.test(target.scheme) || timeoutMs <= 0)
    return undefined
  if (!isToken(request.method)) return undefined
  const link = http.upstream.connect(target.origin, http.optionsFor(target.origin, target.authority))
  try {
    const body = request.body === '' ? undefined : utf8Bytes(request.body)
    const own = request.headers.filter((_, i, all) => all[i - (i % 2)] !== 'host')
    const result = await link.send({
      method: request.method,
      path: (target.path || '/') + (target.query === '' ? '' : `?${target.query}`),
      headers: ['host', headerOf(request.headers, 'host') ?? target.authority, ...own],
      body,
      bodyLength: body?.length ?? 0,
      timeoutMs,
      unpack: true,
    })
    if (result.kind === 'error') return undefined
    return {
      status: result.status,
      headers: result.headers,
      body: utf8Text(await bytesOfBody(result.body, maxBodyBytes)),
    }
  } catch {
    // The body was too long or broke off.
    return undefined
  } finally {
    link.release()
  }
}

/** The request after a redirect (RFC 9110 section 15.4). Credentials are not sent to another origin. */
function redirectOf(request: Request, { status, headers }: Response): Request | undefined {
  const location = headerOf(headers, 'location')
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined
  const url = resolveUrl(request.url, location)
  const isSameOrigin = parseTargetUrl(url)?.origin === parseTargetUrl(request.url)?.origin
  const kept = isSameOrigin ? request.headers : withoutHeaders(request.headers, ['authorization', 'cookie', 'host'])
  if (status === 307 || status === 308) return { ...request, url, headers: kept }
  const method = request.method === 'HEAD' ? 'HEAD' : 'GET'
  return { method, url, headers: withoutHeaders(kept, ['content-type', 'content-encoding']), body: '' }
}

function withoutHeaders(headers: HeaderPairs, names: readonly string[]): HeaderPairs {
  return headers.filter((_, i, all) => !names.includes(all[i - (i % 2)] as string))
}

/** Resolves a reference (RFC 3986, 5.2) without removal of dot segments, which the server does. */
function resolveUrl(base: string, reference: string): string {
  const [, scheme = '', authority = '', path = ''] = /^([^:/?#]+:)\/\/([^/?#]*)([^?#]*)/.exec(base) ?? []
  if (/^[a-z][a-z0-9+.-]*:/i.test(reference)) return reference
  if (reference.startsWith('//')) return scheme + reference
  if (reference.startsWith('/')) return `${scheme}//${authority}${reference}`
  if (reference.startsWith('?')) return `${scheme}//${authority}${path}${reference}`
  return `${scheme}//${authority}${path.slice(0, path.lastIndexOf('/') + 1) || '/'}${reference}`
}
