/** The request handler of the front end suite. Each path has one behaviour, and all requests are recorded. */
import { type ByteStream, collect, type GatewayRequest, type GatewayResponse, headerOf } from '@turnpike/core/http'
import type { Maybe } from '@turnpike/core/lib'
import type { Handle } from '@turnpike/core/ports'
import { makePatternStream, type PatternStream } from './pattern-stream.ts'

/** A request that reached the handler. */
export interface SeenRequest {
  readonly request: GatewayRequest
  /** The complete body as text, or `undefined` until it has been read. */
  body: string | undefined
  aborted: boolean
  /** The error with which the body failed. */
  failure: unknown
}

export interface Fixture {
  readonly handle: Handle
  readonly seen: SeenRequest[]
  /** Streams that were returned as response bodies, in order. */
  readonly streams: PatternStream[]
  /** Request bodies that the handler does not read, for the test to read. */
  readonly bodies: ByteStream[]
  /** Functions that complete the responses to `/held`. */
  readonly held: (() => void)[]
}

export function makeFixture(): Fixture {
  const seen: SeenRequest[] = []
  const streams: PatternStream[] = []
  const bodies: ByteStream[] = []
  const held: (() => void)[] = []
  return {
    seen,
    streams,
    bodies,
    held,
    handle(request) {
      const entry: SeenRequest = { request, body: undefined, aborted: false, failure: undefined }
      seen.push(entry)
      request.onAbort(() => {
        entry.aborted = true
      })
      return respondTo(request, entry)
    },
  }

  function respondTo(request: GatewayRequest, entry: SeenRequest): Maybe<GatewayResponse> {
    const queryValue = (name: string) => new URLSearchParams(request.query).get(name)
    switch (request.path) {
      case '/echo':
        return readBody(request, entry).then((body) => textResponse(200, body))
      case '/through':
        return { status: 200, headers: [], body: request.body, bodyLength: request.bodyLength }
      case '/now':
        return textResponse(200, 'now')
      case '/fails':
        throw new Error('the handler broke')
      case '/rejects':
        return Promise.reject(new Error('the handler broke'))
      case '/empty':
        return { status: Number(queryValue('status') ?? 204), headers: ['x-kept', 'yes'], body: undefined }
      case '/headers':
        return { status: 200, headers: JSON.parse(queryValue('pairs') ?? '[]') as string[], body: 'headers' }
      case '/large':
        return textResponse(200, 'x'.repeat(Number(queryValue('bytes'))))
      case '/bytes':
        return streamed(Number(queryValue('bytes')), queryValue('known') !== null, queryValue('failAfter'))
      case '/lies':
        return {
          ...streamed(Number(queryValue('bytes')), false, null),
          bodyLength: Number(queryValue('contentLength')),
        }
      case '/events':
        return { status: 200, headers: ['content-type', 'text/event-stream'], body: silentStream() }
      case '/unread':
        if (request.body !== undefined) bodies.push(request.body)
        return new Promise<GatewayResponse>(() => {})
      case '/held':
        return new Promise((resolve) => held.push(() => resolve(textResponse(200, 'held'))))
      case '/early':
        return Promise.resolve(textResponse(401, 'early'))
      default:
        return readBody(request, entry).then(() => textResponse(200, `${request.method} ${request.path}`))
    }
  }

  function streamed(total: number, known: boolean, failAfter: string | null): GatewayResponse {
    const stream = makePatternStream({ total, ...(failAfter === null ? {} : { failAfter: Number(failAfter) }) })
    streams.push(stream)
    const headers = ['content-type', 'application/octet-stream']
    return { status: 200, headers, body: stream, ...(known ? { bodyLength: total } : {}) }
  }

  function silentStream(): ByteStream {
    const stream = makePatternStream({ total: 1 })
    streams.push(stream)
    return { pipe() {}, pause() {}, resume() {}, cancel: () => stream.cancel() }
  }
}

/** Reads and records the body. If it fails, the response never completes, like that of an upstream that waits for the rest. */
async function readBody(request: GatewayRequest, entry: SeenRequest): Promise<string> {
  try {
    const bytes = request.body === undefined ? new Uint8Array(0) : await collect(request.body)
    entry.body = Buffer.from(bytes).toString('latin1')
    return entry.body
  } catch (error) {
    entry.failure = error
    return new Promise(() => {})
  }
}

function textResponse(status: number, body: string): GatewayResponse {
  return { status, headers: ['content-type', 'text/plain'], body: Buffer.from(body, 'latin1') }
}

/** Returns the Host header that the handler received. */
export function hostOf(entry: SeenRequest | undefined): string | undefined {
  return entry === undefined ? undefined : headerOf(entry.request.headers, 'host')
}
