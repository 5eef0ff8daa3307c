/** The other side of the seam in the front end suite: a handler with one behaviour a path, and a memory. */
import {
  type ByteStream,
  collect,
  type GatewayRequest,
  type GatewayResponse,
  type Handle,
  headerOf,
  type Maybe,
} from '@turnpike/core'
import { makePatternStream, type PatternStream } from './pattern-stream.ts'

/** A request that reached the handler. */
export interface SeenRequest {
  readonly request: GatewayRequest
  /** The body's text once it was read to its end. */
  body: string | undefined
  aborted: boolean
  /** Why the body broke off. */
  failure: unknown
}

export interface Fixture {
  readonly handle: Handle
  readonly seen: SeenRequest[]
  /** Streams that were given as answers, in order. */
  readonly streams: PatternStream[]
  /** Bodies that nobody reads until the test does. */
  readonly bodies: ByteStream[]
  /** Answers of `/held`, to be given by the test. */
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
      return answerTo(request, entry)
    },
  }

  function answerTo(request: GatewayRequest, entry: SeenRequest): Maybe<GatewayResponse> {
    const ask = (name: string) => new URLSearchParams(request.query).get(name)
    switch (request.path) {
      case '/echo':
        return readBody(request, entry).then((body) => whole(200, body))
      case '/through':
        return { status: 200, headers: [], body: request.body, bodyLength: request.bodyLength }
      case '/now':
        return whole(200, 'now')
      case '/fails':
        throw new Error('the handler broke')
      case '/rejects':
        return Promise.reject(new Error('the handler broke'))
      case '/empty':
        return { status: Number(ask('status') ?? 204), headers: ['x-kept', 'yes'], body: undefined }
      case '/headers':
        return { status: 200, headers: JSON.parse(ask('pairs') ?? '[]') as string[], body: 'headers' }
      case '/large':
        return whole(200, 'x'.repeat(Number(ask('bytes'))))
      case '/bytes':
        return streamed(Number(ask('bytes')), ask('known') !== null, ask('failAfter'))
      case '/lies':
        return { ...streamed(Number(ask('bytes')), false, null), bodyLength: Number(ask('told')) }
      case '/events':
        return { status: 200, headers: ['content-type', 'text/event-stream'], body: silentStream() }
      case '/unread':
        if (request.body !== undefined) bodies.push(request.body)
        return new Promise<GatewayResponse>(() => {})
      case '/held':
        return new Promise((resolve) => held.push(() => resolve(whole(200, 'held'))))
      case '/early':
        return Promise.resolve(whole(401, 'early'))
      default:
        return readBody(request, entry).then(() => whole(200, `${request.method} ${request.path}`))
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

/** Reads the body and remembers it; one that breaks off leaves the answer open for ever, as an upstream would. */
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

function whole(status: number, body: string): GatewayResponse {
  return { status, headers: ['content-type', 'text/plain'], body: Buffer.from(body, 'latin1') }
}

/** The Host that the handler saw. */
export function hostOf(entry: SeenRequest | undefined): string | undefined {
  return entry === undefined ? undefined : headerOf(entry.request.headers, 'host')
}
