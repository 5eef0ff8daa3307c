/** One HTTP/2 request and its response on the Node front end. */
import { constants, type ServerHttp2Stream } from 'node:http2'
import { type GatewayResponse, type HeaderPairs, passedTrailerNames } from '@turnpike/core/http'
import { type ErrorResponse, errorHeadersOf } from '../front-end-common/error-responses.ts'
import type { RequestTarget } from '../front-end-common/request-target.ts'
import { contentLengthOfOmittedBody, discardBody, isStream, omitsBody } from '../front-end-common/response-head.ts'
import { writeHttp2Head } from './http2-headers.ts'
import { Http2ResponseBody } from './http2-response-body.ts'
import type { NodeConnection } from './node-connection.ts'
import { writableHeaders } from './node-headers.ts'
import { NodeServerExchange } from './node-server-exchange.ts'
import type { NodeServerState } from './node-server-state.ts'

export interface Http2Message {
  readonly method: string
  readonly target: RequestTarget
  readonly headers: HeaderPairs
  readonly bodyLength: number | undefined
}

const noTrailers: readonly string[] = []

export class Http2Exchange extends NodeServerExchange {
  private readonly stream: ServerHttp2Stream
  private complete = false
  private rawTrailers = noTrailers

  constructor(stream: ServerHttp2Stream, message: Http2Message, connection: NodeConnection, state: NodeServerState) {
    const { method, target, headers, bodyLength } = message
    const trailerNames = bodyLength === 0 ? undefined : passedTrailerNames(headers)
    super(method, target, headers, bodyLength, trailerNames, connection, state)
    this.stream = stream
    stream.on('finish', () => {
      this.complete = true
    })
    stream.on('close', () => this.closed())
    // `close` follows and handles the failure. Without a listener the error would end the process.
    stream.on('error', () => {})
  }

  get httpVersion(): string {
    return '2.0'
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
      this.rawTrailers = raw ?? noTrailers
    })
    // A stream that was reset also emits `end`; `close` follows and fails the body.
    stream.on('end', () => {
      if (!stream.closed) this.bodyEnded(this.rawTrailers)
    })
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
      const responseBody = new Http2ResponseBody(stream, body, response.bodyLength)
      this.responseBody = responseBody
      responseBody.start()
    } else {
      const bytes = typeof body === 'string' ? Buffer.from(body) : (body ?? Buffer.alloc(0))
      head['content-length'] = bytes.length
      // A gRPC client takes the status of a response without messages from its header fields only if they end the stream.
      stream.respond(head, { endStream: bytes.length === 0 })
      if (bytes.length > 0) stream.end(bytes)
    }
  }

  reject(errorResponse: ErrorResponse): void {
    const { stream } = this
    if (this.responded || stream.destroyed) {
      this.closeConnection()
      return
    }
    this.responded = true
    this.notifyAbort()
    const bytes = Buffer.from(errorResponse.text)
    const head = [...errorHeadersOf(errorResponse), 'content-length', String(bytes.length)]
    stream.respond(writeHttp2Head(errorResponse.status, head))
    if (this.method === 'HEAD') stream.end()
    else stream.end(bytes)
    // Discards the rest of the body. Its end closes the stream.
    stream.resume()
  }

  /** Resets this stream; other streams of the connection continue. */
  protected closeConnection(): void {
    this.stream.close(constants.NGHTTP2_CANCEL)
  }

  protected override overLimit(limit: number): void {
    if (this.body?.ended !== true) super.overLimit(limit)
  }

  protected requestProgressed(): boolean {
    const { body } = this
    return body === undefined || body.ended || body.sourcePaused || this.hasReceived(body.received)
  }

  /** The stream closed: complete, reset, or together with its connection. */
  private closed(): void {
    this.release()
    if (this.complete && this.stream.rstCode === constants.NGHTTP2_NO_ERROR) this.body?.responseCompleted()
    else this.lostClient()
  }
}
