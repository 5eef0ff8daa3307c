/**
 * Serves requests of the Fetch standard: the inverse of `fetch-bridge`. Bodies stream in both directions, and an aborted
 * request aborts the call to the upstream.
 */
import {
  type GatewayRequest,
  type GatewayResponse,
  type HeaderPairs,
  headerOf,
  setHeader,
  streamOfWeb,
} from '@turnpike/core/http'
import type { Handle, Log } from '@turnpike/core/ports'
import { type ErrorResponse, errorResponses, textResponse } from '../front-end-common/error-responses.ts'
import { encodeHeaderValue, isHeaderName } from '../front-end-common/header-validation.ts'
import { RequestsInFlight } from '../front-end-common/requests-in-flight.ts'
import { discardBody, isFramingHeader, isStream, omitsBody } from '../front-end-common/response-head.ts'
import { boundedBody } from './bounded-body.ts'
import { webOfStream } from './web-of-stream.ts'

export interface FetchHandlerOptions {
  readonly log: Log
  /** Maximum bytes of a request body; more is rejected with 413. Default: 0, no limit. */
  readonly maxBodyBytes?: number
}

/** Facts about the client that `Request` does not contain. */
export interface FetchClient {
  /** IP address of the client. Default: `0.0.0.0`, which is in no address list. */
  readonly remoteAddress?: string
}

export interface EmbeddedFetch {
  /** Never rejects because of the gateway or the upstream: errors are responses. */
  fetch(request: Request, client?: FetchClient): Promise<Response>
  /** Further requests get a 503. Waits up to `graceMs` for requests in flight. */
  close(graceMs: number): Promise<void>
}

export function makeEmbeddedFetch(handle: Handle, { log, maxBodyBytes = 0 }: FetchHandlerOptions): EmbeddedFetch {
  const inFlight = new RequestsInFlight()
  let closed = false
  return {
    async fetch(request, client) {
      if (closed) return plain(errorResponses.closed)
      const exchange = new FetchExchange(request, addressOf(client), maxBodyBytes, inFlight)
      return new Promise((resolve, reject) => {
        let responded = false
        const respond = (response: GatewayResponse) => {
          if (responded) discardBody(response)
          else resolve(exchange.toWeb(response, log))
          responded = true
        }
        exchange.onTooLarge = () => respond(textResponse(errorResponses.bodyTooLarge))
        callHandler(handle, exchange, log).then(respond).catch(reject)
      })
    },
    async close(graceMs) {
      closed = true
      await inFlight.whenIdle(graceMs)
    },
  }
}

async function callHandler(handle: Handle, request: GatewayRequest, log: Log): Promise<GatewayResponse> {
  try {
    return await handle(request)
  } catch (error) {
    log.error('the handler of a request failed', { error })
    return textResponse(errorResponses.internalError)
  }
}

/** Frameworks pass other objects as second argument, so anything else than an address is ignored. */
function addressOf(client: FetchClient | undefined): string {
  return typeof client?.remoteAddress === 'string' ? client.remoteAddress : '0.0.0.0'
}

function plain({ status, text }: ErrorResponse): Response {
  return new Response(text, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } })
}

class FetchExchange implements GatewayRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: HeaderPairs
  readonly remoteAddress: string
  readonly secure: boolean
  readonly body: GatewayRequest['body']
  readonly bodyLength: number | undefined
  private readonly signal: AbortSignal
  private abortListener: (() => void) | undefined = undefined
  private readonly inFlight: RequestsInFlight
  /** Called if the body exceeds the limit. */
  onTooLarge: () => void = () => {}
  private over = false

  constructor(request: Request, remoteAddress: string, limit: number, inFlight: RequestsInFlight) {
    const { scheme, host, path, query } = splitUrl(request.url)
    this.method = request.method
    this.path = path
    this.query = query
    this.secure = scheme === 'https'
    this.remoteAddress = remoteAddress
    this.headers = pairsOf(request.headers)
    if (headerOf(this.headers, 'host') === undefined) setHeader(this.headers, 'host', host)
    this.bodyLength = request.body === null ? 0 : lengthOf(this.headers)
    const bounds = { length: this.bodyLength, limit, onTooLarge: () => this.onTooLarge() }
    this.body = request.body === null ? undefined : boundedBody(streamOfWeb(request.body), bounds)
    this.signal = request.signal
    this.inFlight = inFlight
    inFlight.begin()
    this.signal.addEventListener('abort', this.aborted)
  }

  onAbort(listener: (() => void) | undefined): void {
    this.abortListener = listener
    if (this.signal.aborted) this.aborted()
  }

  toWeb(response: GatewayResponse, log: Log): Response {
    const { status, body } = response
    const headers = webHeaders(response.headers, log)
    if (status < 200 || status > 599) {
      log.error('a response cannot be represented by Response', { status, path: this.path })
      discardBody(response)
      this.end()
      return plain(errorResponses.internalError)
    }
    if (omitsBody(this.method, status)) {
      discardBody(response)
      this.end()
      return new Response(null, { status, headers })
    }
    if (!isStream(body)) {
      this.end()
      // A text would add a content type. The cast: no body of the gateway is in shared memory.
      const bytes = typeof body === 'string' ? Buffer.from(body) : (body as Uint8Array<ArrayBuffer> | undefined)
      return new Response(bytes ?? null, { status, headers })
    }
    if (response.bodyLength !== undefined) headers.set('content-length', String(response.bodyLength))
    return new Response(
      webOfStream(body, response.bodyLength, this.signal, () => this.end()),
      { status, headers },
    )
  }

  private readonly aborted = (): void => {
    const listener = this.abortListener
    this.abortListener = undefined
    listener?.()
  }

  private end(): void {
    if (this.over) return
    this.over = true
    this.signal.removeEventListener('abort', this.aborted)
    this.inFlight.end()
  }
}

/** Splits a serialized URL without decoding its path. */
function splitUrl(url: string): { scheme: string; host: string; path: string; query: string } {
  const [, scheme = 'http', host = '', path = '/', query = ''] =
    /^([a-z]+):\/\/(?:[^/?#@]*@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?/i.exec(url) ?? []
  return { scheme: scheme.toLowerCase(), host, path: path === '' ? '/' : path, query }
}

function pairsOf(headers: Headers): HeaderPairs {
  const pairs: HeaderPairs = []
  // The names are in lower case.
  for (const [name, value] of headers) pairs.push(name, value)
  return pairs
}

function lengthOf(headers: HeaderPairs): number | undefined {
  const given = headerOf(headers, 'content-length')
  return given !== undefined && /^\d{1,15}$/.test(given) ? Number(given) : undefined
}

function webHeaders(pairs: HeaderPairs, log: Log): Headers {
  const headers = new Headers()
  for (let i = 0; i < pairs.length; i += 2) {
    const name = pairs[i] as string
    if (isFramingHeader(name)) continue
    const value = encodeHeaderValue(pairs[i + 1] as string)
    if (value !== undefined && isHeaderName(name)) headers.append(name, value)
    else log.warn('dropped a response header that is not valid', { header: name })
  }
  return headers
}
