/** One request and its answer on a stream of HTTP/2. */
import { constants, type ServerHttp2Stream } from 'node:http2'
import {
  type Answer,
  BodyTooLarge,
  type GatewayRequest,
  type HeaderPairs,
  maxTrailerLines,
  passedTrailerNames,
  passedTrailers,
} from '@turnpike/core'
import { dropBody, isStream, reportedLength, sendsNoBody } from '../front-end-common/answer-head.ts'
import { BodyInflow, ClientGone, type InflowSource } from '../front-end-common/body-inflow.ts'
import { Departure } from '../front-end-common/departure.ts'
import { type Refusal, refusals } from '../front-end-common/refusal.ts'
import type { Watched } from '../front-end-common/stall-watch.ts'
import type { Target } from '../front-end-common/target.ts'
import { Http2AnswerStream } from './http2-answer-stream.ts'
import { writeHttp2Head } from './http2-head.ts'
import type { NodeConnection } from './node-connection.ts'
import { headOf, pairsOf } from './node-head.ts'
import type { NodeServerState } from './node-server-state.ts'

export interface Http2Message {
  readonly method: string
  readonly target: Target
  readonly headers: HeaderPairs
  readonly bodyLength: number | undefined
}

export class Http2Exchange implements GatewayRequest, InflowSource, Watched {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: HeaderPairs
  readonly bodyLength: number | undefined
  readonly body: BodyInflow | undefined
  quietLooks = 0
  private readonly stream: ServerHttp2Stream
  private readonly connection: NodeConnection
  private readonly state: NodeServerState
  private readonly departure = new Departure()
  private answer: Http2AnswerStream | undefined = undefined
  /** The head of an answer was written, or the client is gone: no other answer can be given. */
  private answered = false
  private complete = false
  private bytesSeen = 0
  private trailers: HeaderPairs | undefined = undefined

  constructor(stream: ServerHttp2Stream, message: Http2Message, connection: NodeConnection, state: NodeServerState) {
    this.stream = stream
    this.method = message.method
    this.path = message.target.path
    this.query = message.target.query
    this.headers = message.headers
    this.bodyLength = message.bodyLength
    this.connection = connection
    this.state = state
    this.body = message.bodyLength === 0 ? undefined : new BodyInflow(this, passedTrailerNames(message.headers))
    state.inFlight.begin()
    stream.on('finish', () => {
      this.complete = true
    })
    stream.on('close', () => this.closed())
    // `close` follows, and is what counts.
    stream.on('error', () => {})
  }

  get remoteAddress(): string {
    return this.connection.remoteAddress
  }

  get secure(): boolean {
    return this.connection.secure
  }

  get clientCertificate(): Uint8Array | undefined {
    return this.connection.clientCertificate
  }

  onAbort(listener: (() => void) | undefined): void {
    this.departure.listen(listener)
  }

  /** Begins to read the body. */
  readBody(): void {
    const { body, stream } = this
    if (body === undefined) {
      stream.resume()
      return
    }
    const limit = this.state.rules.maxBodyBytes
    this.state.watch.add(this)
    stream.on('data', (chunk: Uint8Array) => {
      if (limit > 0 && body.received + chunk.length > limit) this.overLimit(limit)
      else body.push(chunk)
    })
    // Always before the end; the types do not know the last argument: names and values as they came.
    stream.on('trailers', (_fields: unknown, _flags: unknown, raw?: readonly string[]) => {
      this.trailers = pairsOf(raw ?? [])
    })
    // A stream that was reset ends as well, and `close` follows.
    stream.on('end', () => {
      if (!stream.closed) this.bodyEnded(body)
    })
  }

  private bodyEnded(body: BodyInflow): void {
    const { trailers } = this
    if (trailers === undefined) body.finish()
    else if (trailers.length <= 2 * maxTrailerLines) body.finish(passedTrailers(trailers))
    else {
      body.breakOff(new Error(refusals.tooManyHeaders.text.trim()))
      this.refuse(refusals.tooManyHeaders)
    }
  }

  hold(): void {
    this.stream.pause()
  }

  release(): void {
    this.stream.resume()
  }

  /** Writes the engine's answer, unless another was given or nobody is there to take it. */
  send(answer: Answer): void {
    const { stream, state } = this
    if (this.answered || stream.destroyed || stream.closed) {
      dropBody(answer)
      return
    }
    this.answered = true
    const { head: pairs, length: told } = headOf(answer.headers, false, state.rules.log)
    const head = writeHttp2Head(answer.status, pairs)
    const { body } = answer
    if (sendsNoBody(this.method, answer.status)) {
      dropBody(answer)
      const length = reportedLength(answer, told)
      if (length !== undefined) head['content-length'] = length
      stream.respond(head, { endStream: true })
    } else if (isStream(body)) {
      if (answer.bodyLength !== undefined) head['content-length'] = answer.bodyLength
      else if (body.trailerNames !== undefined) head['trailer'] = body.trailerNames
      stream.respond(head, { waitForTrailers: answer.bodyLength === undefined })
      state.watch.add(this)
      this.answer = new Http2AnswerStream(stream, body, answer.bodyLength)
      this.answer.start()
    } else {
      const bytes = typeof body === 'string' ? Buffer.from(body) : (body ?? Buffer.alloc(0))
      head['content-length'] = bytes.length
      stream.respond(head)
      stream.end(bytes)
    }
  }

  /** Answers for the front end itself; what the engine says later is dropped. */
  refuse(refusal: Refusal): void {
    const { stream } = this
    if (this.answered || stream.destroyed) {
      stream.close(constants.NGHTTP2_CANCEL)
      return
    }
    this.answered = true
    this.departure.tell()
    const bytes = Buffer.from(refusal.text)
    const head = ['content-type', 'text/plain; charset=utf-8', 'content-length', String(bytes.length)]
    stream.respond(writeHttp2Head(refusal.status, head))
    stream.end(bytes)
    // What is still sent is thrown away; its end ends the stream.
    stream.resume()
  }

  private overLimit(limit: number): void {
    if (this.body?.ended === true) return
    this.body?.breakOff(new BodyTooLarge(limit))
    this.refuse(refusals.bodyTooLong)
  }

  moved(): boolean {
    if (this.answer?.blocked) return this.answer.moved()
    const { body } = this
    if (body === undefined || body.ended || body.held) return true
    const before = this.bytesSeen
    this.bytesSeen = body.received
    return this.bytesSeen !== before
  }

  stalled(): void {
    this.state.rules.log.debug('cut a body that stood still', { path: this.path })
    if (this.answered) {
      this.stream.close(constants.NGHTTP2_CANCEL)
      return
    }
    this.body?.breakOff(new Error(refusals.bodyStalled.text.trim()))
    this.refuse(refusals.bodyStalled)
  }

  /** The stream is over, be it whole, reset, or gone with its connection. */
  private closed(): void {
    this.state.watch.remove(this)
    this.state.inFlight.end()
    const { body } = this
    if (this.complete && this.stream.rstCode === constants.NGHTTP2_NO_ERROR) {
      body?.answered()
      return
    }
    this.answered = true
    body?.breakOff(new ClientGone())
    this.answer?.cancel()
    this.departure.tell()
  }
}
