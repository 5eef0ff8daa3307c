/**
 * One request of a client and its response, without what depends on the library that reads and writes the bytes. It
 * notices that the client disconnected (`lostClient`). The listener of `onAbort`, set by the stage `forward` of core, then
 * cancels the call to the upstream; once the response has begun, this class cancels its body.
 */
import { BodyTooLarge, type GatewayRequest, type HeaderPairs } from '@turnpike/core/http'
import { type ErrorResponse, errorResponses } from './error-responses.ts'
import { type PausableSource, RequestBodyStream } from './request-body-stream.ts'
import type { RequestTarget } from './request-target.ts'
import type { ResponseBody } from './response-body.ts'
import type { ServerState } from './server-state.ts'
import type { StallCandidate } from './stall-detector.ts'

export abstract class ClientExchange<State extends ServerState>
  implements GatewayRequest, PausableSource, StallCandidate
{
  readonly method: string
  readonly path: string
  readonly query: string
  readonly hasEmptyQuery: boolean | undefined
  readonly headers: HeaderPairs
  readonly bodyLength: number | undefined
  readonly body: RequestBodyStream | undefined
  idleTicks = 0
  protected readonly state: State
  private abortListener: (() => void) | undefined = undefined
  protected responseBody: ResponseBody | undefined = undefined
  /** A response was written, or the client disconnected. No further response can be sent. */
  protected responded = false
  private bytesSeen = 0

  constructor(
    method: string,
    { path, query, hasEmptyQuery }: Pick<RequestTarget, 'path' | 'query' | 'hasEmptyQuery'>,
    headers: HeaderPairs,
    bodyLength: number | undefined,
    trailerNames: string | undefined,
    state: State,
  ) {
    this.method = method
    this.path = path
    this.query = query
    this.hasEmptyQuery = hasEmptyQuery
    this.headers = headers
    this.bodyLength = bodyLength
    this.state = state
    this.body = bodyLength === 0 ? undefined : new RequestBodyStream(this, trailerNames)
    state.inFlight.begin()
  }

  abstract get remoteAddress(): string
  abstract get secure(): boolean
  abstract pauseReading(): void
  abstract resumeReading(): void
  /** Sends an error response of the front end. The handler's response is then discarded. */
  abstract reject(errorResponse: ErrorResponse): void
  /** Ends an incomplete response so that the client notices it. */
  protected abstract closeConnection(): void
  /** Returns true if bytes of the request arrived since the last call, or if the client is not the cause of the delay. */
  protected abstract requestProgressed(): boolean

  onAbort(listener: (() => void) | undefined): void {
    this.abortListener = listener
  }

  /** Calls the listener of `onAbort`. Later calls do nothing until another listener is set. */
  protected notifyAbort(): void {
    const listener = this.abortListener
    this.abortListener = undefined
    listener?.()
  }

  /** Fails the body and sends an error response. */
  abort(errorResponse: ErrorResponse, error = new Error(errorResponse.text.trim())): void {
    this.body?.abort(error)
    this.reject(errorResponse)
  }

  protected overLimit(limit: number): void {
    this.abort(errorResponses.unannouncedBodyTooLarge, new BodyTooLarge(limit))
  }

  get stallKind(): 'body' | 'write' {
    return this.responseBody?.blocked ? 'write' : 'body'
  }

  progressed(): boolean {
    return this.responseBody?.blocked ? this.responseBody.progressed() : this.requestProgressed()
  }

  /** Returns true if the number of received bytes has changed since the last call. */
  protected hasReceived(bytes: number): boolean {
    const before = this.bytesSeen
    this.bytesSeen = bytes
    return bytes !== before
  }

  stalled(): void {
    this.state.options.log.debug('aborted a body without progress', { path: this.path })
    if (this.responded) this.closeConnection()
    else this.abort(errorResponses.bodyStalled)
  }

  /** The client disconnected before the response was complete. */
  protected lostClient(): void {
    this.responded = true
    this.body?.abort(new Error('the client closed the connection'))
    this.responseBody?.cancel()
    this.notifyAbort()
  }

  /** Ends the exchange. */
  protected release(): void {
    this.state.stallDetector.remove(this)
    this.state.inFlight.end()
  }
}
