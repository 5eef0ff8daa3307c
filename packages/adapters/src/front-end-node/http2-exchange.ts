/** One HTTP/2 request and its response on the Node front end. */
import { constants, type ServerHttp2Stream } from 'node:http2'
import {
  BodyTooLarge,
  type GatewayRequest,
  type GatewayResponse,
  type HeaderPairs,
  maxTrailerLines,
  passedTrailerNames,
  passedTrailers,
} from '@turnpike/core'
import { DisconnectListener } from '../front-end-common/disconnect-listener.ts'
import { type ErrorResponse, errorHeadersOf, errorResponses } from '../front-end-common/error-responses.ts'
import { ClientDisconnected, type PausableSource, RequestBodyStream } from '../front-end-common/request-body-stream.ts'
import type { RequestTarget } from '../front-end-common/request-target.ts'
import { contentLengthOfOmittedBody, discardBody, isStream, omitsBody } from '../front-end-common/response-head.ts'
import type { StallCandidate } from '../front-end-common/stall-detector.ts'
import { writeHttp2Head } from './http2-headers.ts'
import { Http2ResponseBody } from './http2-response-body.ts'
import type { NodeConnection } from './node-connection.ts'
import { toHeaderPairs, writableHeaders } from './node-headers.ts'
import type { NodeServerState } from './node-server-state.ts'

export interface Http2Message {
  readonly method: string
  readonly target: RequestTarget
  readonly headers: HeaderPairs
  readonly bodyLength: number | undefined
}

export class Http2Exchange implements GatewayRequest, PausableSource, StallCandidate {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: HeaderPairs
  readonly bodyLength: number | undefined
  readonly body: RequestBodyStream | undefined
  idleTicks = 0
  private readonly stream: ServerHttp2Stream
  private readonly connection: NodeConnection
  private readonly state: NodeServerState
  private readonly disconnectListener = new DisconnectListener()
  private responseBody: Http2ResponseBody | undefined = undefined
  /** A response was written, or the client disconnected. No further response can be sent. */
  private responded = false
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
    this.body = message.bodyLength === 0 ? undefined : new RequestBodyStream(this, passedTrailerNames(message.headers))
    state.inFlight.begin()
    stream.on('finish', () => {
      this.complete = true
    })
    stream.on('close', () => this.closed())
    // `close` follows and handles the failure. Without a listener the error would end the process.
    stream.on('error', () => {})
  }

  get remoteAddress(): string {
    return this.connection.remoteAddress
  }

  get remotePort(): number | undefined {
    return this.connection.remotePort
  }

  get httpVersion(): string {
    return '2.0'
  }

  get secure(): boolean {
    return this.connection.secure
  }

  get clientCertificate(): Uint8Array | undefined {
    return this.connection.clientCertificate
  }

  onAbort(listener: (() => void) | undefined): void {
    this.disconnectListener.listen(listener)
  }

  sendInterim(status: number, headers: HeaderPairs): void {
    const { stream } = this
    if (this.responded || stream.destroyed || stream.closed) return
    stream.additionalHeaders(writeHttp2Head(status, writableHeaders(headers, false, this.state.options.log).head))
  }

  /** Begins to read the body. */
  readBody(): void {
    const { body, stream } = this
    if (body === undefined) {
      stream.resume()
      return
    }
    const limit = this.state.options.maxBodyBytes
    this.state.stallDetector.add(this)
    stream.on('data', (chunk: Uint8Array) => {
      if (limit > 0 && body.received + chunk.length > limit) this.overLimit(limit)
      else body.push(chunk)
    })
    // Emitted before `end`. The last argument, missing in the types, has the names and values in their original order.
    stream.on('trailers', (_fields: unknown, _flags: unknown, raw?: readonly string[]) => {
      this.trailers = toHeaderPairs(raw ?? [])
    })
    // A stream that was reset also emits `end`; `close` follows and fails the body.
    stream.on('end', () => {
      if (!stream.closed) this.bodyEnded(body)
    })
  }

  private bodyEnded(body: RequestBodyStream): void {
    const { trailers } = this
    if (trailers === undefined) body.finish()
    else if (trailers.length <= 2 * maxTrailerLines) body.finish(passedTrailers(trailers))
    else {
      body.abort(new Error(errorResponses.tooManyHeaders.text.trim()))
      this.reject(errorResponses.tooManyHeaders)
    }
  }

  pauseReading(): void {
    this.stream.pause()
  }

  resumeReading(): void {
    this.stream.resume()
  }

  /** Writes the handler's response, unless the request was rejected or the client disconnected. */
  send(response: GatewayResponse): void {
    const { stream, state } = this
    if (this.responded || stream.destroyed || stream.closed) {
      discardBody(response)
      return
    }
    this.responded = true
    const { head: pairs, length: given } = writableHeaders(response.headers, false, state.options.log)
    const head = writeHttp2Head(response.status, pairs)
    const { body } = response
    if (omitsBody(this.method, response.status)) {
      discardBody(response)
      const length = contentLengthOfOmittedBody(response, given)
      if (length !== undefined) head['content-length'] = length
      stream.respond(head, { endStream: true })
    } else if (isStream(body)) {
      if (response.bodyLength !== undefined) head['content-length'] = response.bodyLength
      else if (body.trailerNames !== undefined) head['trailer'] = body.trailerNames
      stream.respond(head, { waitForTrailers: response.bodyLength === undefined })
      state.stallDetector.add(this)
      this.responseBody = new Http2ResponseBody(stream, body, response.bodyLength)
      this.responseBody.start()
    } else {
      const bytes = typeof body === 'string' ? Buffer.from(body) : (body ?? Buffer.alloc(0))
      head['content-length'] = bytes.length
      // A gRPC client takes the status of a response without messages from its header fields only if they end the stream.
      stream.respond(head, { endStream: bytes.length === 0 })
      if (bytes.length > 0) stream.end(bytes)
    }
  }

  /** Sends an error response of the front end. The handler's response is then discarded. */
  reject(errorResponse: ErrorResponse): void {
    const { stream } = this
    if (this.responded || stream.destroyed) {
      stream.close(constants.NGHTTP2_CANCEL)
      return
    }
    this.responded = true
    this.disconnectListener.notify()
    const bytes = Buffer.from(errorResponse.text)
    const head = [...errorHeadersOf(errorResponse), 'content-length', String(bytes.length)]
    stream.respond(writeHttp2Head(errorResponse.status, head))
    stream.end(bytes)
    // Discards the rest of the body. Its end closes the stream.
    stream.resume()
  }

  private overLimit(limit: number): void {
    if (this.body?.ended === true) return
    this.body?.abort(new BodyTooLarge(limit))
    this.reject(errorResponses.unannouncedBodyTooLarge)
  }

  progressed(): boolean {
    if (this.responseBody?.blocked) return this.responseBody.progressed()
    const { body } = this
    if (body === undefined || body.ended || body.sourcePaused) return true
    const before = this.bytesSeen
    this.bytesSeen = body.received
    return this.bytesSeen !== before
  }

  stalled(): void {
    this.state.options.log.debug('aborted a body without progress', { path: this.path })
    if (this.responded) {
      this.stream.close(constants.NGHTTP2_CANCEL)
      return
    }
    this.body?.abort(new Error(errorResponses.bodyStalled.text.trim()))
    this.reject(errorResponses.bodyStalled)
  }

  /** The stream closed: complete, reset, or together with its connection. */
  private closed(): void {
    this.state.stallDetector.remove(this)
    this.state.inFlight.end()
    const { body } = this
    if (this.complete && this.stream.rstCode === constants.NGHTTP2_NO_ERROR) {
      body?.responseCompleted()
      return
    }
    this.responded = true
    body?.abort(new ClientDisconnected())
    this.responseBody?.cancel()
    this.disconnectListener.notify()
  }
}
