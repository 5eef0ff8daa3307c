/** One HTTP/1 request and its response. */
import { type GatewayResponse, type HeaderPairs, passedTrailerNames, passedTrailers } from '@turnpike/core/http'
import type { ReadMemory } from '@turnpike/upstream/read-memory'
import { ConnectionExchange } from '../front-end-common/connection-exchange.ts'
import { type ErrorResponse, errorHeadersOf } from '../front-end-common/error-responses.ts'
import { contentLengthOfOmittedBody, discardBody, isStream, omitsBody } from '../front-end-common/response-head.ts'
import type { ExchangeConnection, Http1Message } from './http1-message.ts'
import { type BodyEnd, Http1ResponseBody, piecesOf } from './http1-response-body.ts'
import { interimHeadText, responseHeadText } from './http1-response-head.ts'
import type { Http1ServerState } from './http1-server-state.ts'

/** Bodies up to this number of bytes are written together with the head in one call. */
const maxJoinedBytes = 16_384
/** Longer bodies are written in pieces. */
const maxWholeBytes = 65_536

export class Http1Exchange extends ConnectionExchange<ExchangeConnection, Http1ServerState> {
  readonly upgrade: string | undefined
  private readonly minor: number
  private readonly persists: boolean
  private awaitsContinue: boolean
  private streamedBody: Http1ResponseBody | undefined = undefined
  /** The response was written, or the client disconnected. The rest of the body is read and dropped. */
  over = false

  constructor(message: Http1Message, connection: ExchangeConnection, state: Http1ServerState) {
    const { method, target, headers, bodyLength } = message
    const trailerNames = bodyLength === undefined ? passedTrailerNames(headers) : undefined
    super(method, target, headers, bodyLength, trailerNames, connection, state)
    this.minor = message.minor
    this.persists = message.persists
    this.awaitsContinue = message.expectsContinue && bodyLength !== 0
    this.upgrade = message.upgrade
    if (this.body === undefined) return
    // Bytes of the head are not progress of the body.
    this.hasReceived(connection.socket.bytesRead)
    state.stallDetector.add(this)
  }

  get httpVersion(): string {
    return this.minor === 1 ? '1.1' : '1.0'
  }

  // Callbacks of the body

  bodyWanted(): void {
    if (!this.awaitsContinue || this.responded) return
    this.awaitsContinue = false
    if (this.body?.received === 0) this.connection.socket.write('HTTP/1.1 100 Continue\r\n\r\n', 'latin1')
  }

  pauseReading(): void {
    this.connection.pauseBody(true)
  }

  resumeReading(): void {
    this.connection.pauseBody(false)
  }

  // Callbacks of the connection

  /** Bytes of the body have arrived. `memory`: they are valid only during the call. */
  received(chunk: Buffer, memory: ReadMemory | undefined): void {
    const { body } = this
    // The rest of a body that is too large is read and dropped: closing the connection now could lose the response.
    if (body === undefined || body.ended) return
    const limit = this.state.options.maxBodyBytes
    if (limit > 0 && body.received + chunk.length > limit) this.overLimit(limit)
    else if (memory === undefined) body.push(chunk)
    else body.pushRead(chunk, memory.lendable)
  }

  /** The body is complete. `trailers` are unfiltered. */
  bodyEnded(trailers: HeaderPairs | undefined): void {
    this.body?.finish(trailers === undefined ? undefined : passedTrailers(trailers))
    if (this.over) this.state.stallDetector.remove(this)
  }

  /** The socket accepts more bytes. */
  drained(): void {
    this.streamedBody?.drained()
  }

  /** The client disconnected before the response was complete. */
  disconnected(): void {
    this.state.stallDetector.remove(this)
    if (this.over) return
    this.release()
    this.lostClient()
  }

  sendInterim(status: number, headers: HeaderPairs): void {
    if (this.responded || this.over || this.minor === 0) return
    this.connection.socket.write(interimHeadText(status, headers), 'latin1')
  }

  /** Writes the handler's response, unless the request was rejected or the client disconnected. */
  send(response: GatewayResponse): void {
    if (this.responded || this.over) {
      discardBody(response)
      return
    }
    this.responded = true
    if (response.tunnel !== undefined) {
      this.release()
      this.connection.switchProtocol(response, response.tunnel, this.upgrade)
      return
    }
    const { body } = response
    const head = responseHeadText(response.status, response.headers, this.state.options.log)
    const closes = head.closes || this.mustClose()
    if (omitsBody(this.method, response.status)) {
      discardBody(response)
      const length = contentLengthOfOmittedBody(response, head.length)
      const lengthLine = length === undefined ? '' : `Content-Length: ${length}\r\n`
      this.write(`${head.text}${lengthLine}${this.connectionLine(closes)}\r\n`, undefined)
      this.complete(closes)
    } else if (isStream(body)) this.stream(head.text, body, response.bodyLength, closes)
    else this.sendBytes(head.text, typeof body === 'string' ? Buffer.from(body) : body, closes)
  }

  reject(errorResponse: ErrorResponse): void {
    if (this.over) return
    if (this.responded) {
      this.closeConnection()
      return
    }
    this.responded = true
    this.notifyAbort()
    const { text } = responseHeadText(errorResponse.status, errorHeadersOf(errorResponse), this.state.options.log)
    const bytes = Buffer.from(errorResponse.text)
    const closes = errorResponse.keepAlive !== true || this.mustClose()
    const head = `${text}Content-Length: ${bytes.length}\r\n${this.connectionLine(closes)}\r\n`
    this.write(head, this.method === 'HEAD' ? undefined : bytes)
    this.complete(closes)
  }

  protected closeConnection(): void {
    this.connection.socket.destroy()
  }

  protected requestProgressed(): boolean {
    const { body } = this
    // A client that waits for status 100 is not the cause of the delay.
    if (body === undefined || this.awaitsContinue || this.connection.isRequestComplete) return true
    return (body.sourcePaused && !this.over) || this.hasReceived(this.connection.socket.bytesRead)
  }

  private mustClose(): boolean {
    const { draining, options } = this.state
    // A client that got no status 100 may leave out the body, so the start of its next request is unknown.
    const hasUnsentBody = this.awaitsContinue && this.body?.received === 0
    return !this.persists || draining || options.closeConnections || hasUnsentBody
  }

  /** The Connection header. HTTP/1.1 connections persist without one. */
  private connectionLine(closes: boolean): string {
    return closes ? 'Connection: close\r\n' : this.minor === 0 ? 'Connection: keep-alive\r\n' : ''
  }

  private sendBytes(text: string, body: Uint8Array | undefined, closes: boolean): void {
    const length = body?.length ?? 0
    if (body !== undefined && length > maxWholeBytes) {
      this.stream(text, piecesOf(body), length, closes)
      return
    }
    this.write(`${text}Content-Length: ${length}\r\n${this.connectionLine(closes)}\r\n`, body)
    this.complete(closes)
  }

  private write(head: string, body: Uint8Array | undefined): void {
    const { socket } = this.connection
    if (body === undefined || body.length === 0) socket.write(head, 'latin1')
    else if (body.length <= maxJoinedBytes) {
      const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')
      socket.write(head + text, 'latin1')
    } else {
      socket.cork()
      socket.write(head, 'latin1')
      socket.write(body)
      socket.uncork()
    }
  }

  private stream(
    text: string,
    body: ReturnType<typeof piecesOf>,
    length: number | undefined,
    closesAfterwards: boolean,
  ): void {
    const end: BodyEnd = length !== undefined ? 'length' : this.minor === 1 ? 'chunked' : 'close'
    const closes = closesAfterwards || end === 'close'
    let lines = end === 'length' ? `Content-Length: ${length}\r\n` : ''
    if (end === 'chunked') {
      const trailer = body.trailerNames === undefined ? '' : `Trailer: ${body.trailerNames}\r\n`
      lines = `Transfer-Encoding: chunked\r\n${trailer}`
    }
    this.state.stallDetector.add(this)
    const { socket } = this.connection
    this.streamedBody = new Http1ResponseBody(socket, body, end, length, () => this.complete(closes))
    this.responseBody = this.streamedBody
    this.streamedBody.start(`${text}${lines}${this.connectionLine(closes)}\r\n`)
  }

  /** The response was written completely. */
  private complete(closes: boolean): void {
    if (this.over) return
    this.release()
    this.body?.responseCompleted()
    this.streamedBody = undefined
    this.responseBody = undefined
    // The rest of the request is dropped. The stall detector closes the connection if it stops arriving.
    if (!closes && !this.connection.isRequestComplete) this.state.stallDetector.add(this)
    this.connection.responded(closes)
  }

  protected override release(): void {
    this.over = true
    super.release()
  }
}
