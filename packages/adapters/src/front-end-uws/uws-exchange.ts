/** One request and its response on the uWS front end. It tracks whether uWS's response object is still valid. */
import {
  type ByteStream,
  type GatewayResponse,
  type GatewayResponseBody,
  type HeaderPairs,
  headerOf,
  streamOf,
  type Tunnel,
} from '@turnpike/core/http'
import { ClientExchange } from '../front-end-common/client-exchange.ts'
import type { ErrorResponse } from '../front-end-common/error-responses.ts'
import { contentLengthOfOmittedBody, discardBody, isStream, omitsBody } from '../front-end-common/response-head.ts'
import { addressText } from './remote-address.ts'
import type { UwsResponse } from './uws-binding.ts'
import { endSlowErrorResponse, writeErrorResponse, writeErrorResponseSlowly } from './uws-error-response.ts'
import type { RequestHead } from './uws-request-lifetime.ts'
import { type ResponseBodyOwner, UwsResponseBody } from './uws-response-body.ts'
import { writeHead } from './uws-response-head.ts'
import type { UwsServerState } from './uws-server-state.ts'
import { WebSocketTunnel } from './web-socket-tunnel.ts'
import { type WebSocketUpgrade, withoutHandshake } from './web-socket-upgrade.ts'

/** Maximum bytes of a body that is written in one call. Longer bodies are streamed, so that their end is known. */
const maxSingleWriteBytes = 65_536

export class UwsExchange extends ClientExchange<UwsServerState> implements ResponseBodyOwner {
  readonly secure = false
  /** Set before the handler is called if the client requests a WebSocket. */
  webSocketUpgrade: WebSocketUpgrade | undefined = undefined
  private readonly res: UwsResponse
  /** The end of this request is uncertain, so later bytes of the connection must not be read as a request. */
  private readonly last: boolean
  private readonly closesConnection: boolean
  private address: string | undefined = undefined
  /** The response object is invalid: the response has ended, or the client disconnected. */
  private invalid = false
  private bodyTooLarge = false
  private onRejectedBodyEnd: (() => void) | undefined = undefined

  constructor(
    res: UwsResponse,
    head: RequestHead,
    bodyLength: number | undefined,
    last: boolean,
    closesConnection: boolean,
    state: UwsServerState,
  ) {
    super(head.method, head, head.headers, bodyLength, undefined, state)
    this.res = res
    this.last = last
    this.closesConnection = closesConnection || last || state.options.closeConnections
  }

  get upgrade(): string | undefined {
    return this.webSocketUpgrade === undefined ? undefined : 'websocket'
  }

  get remoteAddress(): string {
    if (this.address === undefined) {
      const known = this.state.clientAddress.current
      this.address = known ?? (this.invalid ? '' : addressText(new Uint8Array(this.res.getRemoteAddress())))
    }
    return this.address
  }

  /** Starts reading the body. Must be called before the handler returns. */
  readBody(): void {
    const body = this.body
    if (body === undefined) return
    const limit = this.bodyLength === undefined ? this.state.options.maxBodyBytes : 0
    this.state.stallDetector.add(this)
    this.res.onData((chunk, isLast) => {
      if (limit > 0 && body.received + chunk.byteLength > limit) this.overLimit(limit)
      else if (chunk.byteLength > 0) body.push(new Uint8Array(chunk.slice(0)))
      if (!isLast) return
      if (this.responseBody === undefined) this.state.stallDetector.remove(this)
      this.onRejectedBodyEnd?.()
      body.finish()
    })
  }

  /** Prepares an asynchronous response: reads the address while the connection is open, and listens for its end. */
  goAsync(): void {
    void this.remoteAddress
    this.res.onAborted(() => this.disconnected())
  }

  pauseReading(): void {
    if (!this.invalid) this.res.pause()
  }

  resumeReading(): void {
    if (!this.invalid) this.res.resume()
  }

  /** Writes the response before the handler returns. */
  sendNow(response: GatewayResponse): void {
    if (this.last || needsStreaming(response.body)) {
      this.goAsync()
      this.sendLater(response)
    } else this.write(response)
  }

  /** Writes the response, unless the request was rejected or the client disconnected. */
  sendLater(response: GatewayResponse): void {
    if (this.responded || this.invalid) discardBody(response)
    // Not inside `cork`: uWS can allocate the WebSocket at the address of the response, and then mistakes it for the
    // response at the end of the cork and sometimes closes it.
    else if (response.tunnel !== undefined) this.write(response)
    else if (this.last) {
      // Not in the iteration of the event loop in which the end of the body arrived: while this request has no response,
      // uWS closes the connection if more bytes follow in the packet, instead of parsing them as another request.
      this.responded = true
      setImmediate(() => {
        if (this.invalid) discardBody(response)
        else this.res.cork(() => this.write(response))
      })
    } else this.res.cork(() => this.write(response))
  }

  private write(response: GatewayResponse): void {
    this.responded = true
    if (response.tunnel !== undefined) {
      this.upgradeToWebSocket(response, response.tunnel)
      return
    }
    const { res } = this
    const { status, body, headers } = response
    const head = writeHead(res, status, headers, this.state.options.log)
    const close = this.closesConnection || this.state.draining || head.close
    if (omitsBody(this.method, status)) {
      discardBody(response)
      this.writeWithoutBody(contentLengthOfOmittedBody(response, head.length), close)
    } else if (isStream(body)) this.writeStream(body, response.bodyLength, headers, close)
    else if (needsStreaming(body)) {
      const bytes = typeof body === 'string' ? Buffer.from(body) : body
      this.writeStream(streamOf(bytes), bytes.length, headers, close)
    } else {
      if (close) res.end(body ?? '', true)
      else res.end(body ?? '')
      this.finished()
    }
  }

  /** Upgrades the connection to a WebSocket, which ends this exchange. */
  private upgradeToWebSocket({ status, headers }: GatewayResponse, tunnel: Tunnel): void {
    const { res, webSocketUpgrade, state } = this
    if (
      webSocketUpgrade === undefined ||
      state.draining ||
      headerOf(headers, 'sec-websocket-extensions') !== undefined
    ) {
      tunnel.incoming.cancel()
      this.closeConnection()
      return
    }
    const protocol = headerOf(headers, 'sec-websocket-protocol') ?? ''
    writeHead(res, status, withoutHandshake(headers), state.options.log)
    const webSocket: WebSocketTunnel = new WebSocketTunnel(
      tunnel,
      state.options.log,
      state.options.tunnelBudget,
      () => {
        state.webSockets.delete(webSocket)
      },
    )
    state.webSockets.add(webSocket)
    this.finished()
    res.upgrade({ webSocket }, webSocketUpgrade.key, protocol, '', webSocketUpgrade.context)
  }

  private writeStream(body: ByteStream, length: number | undefined, headers: HeaderPairs, close: boolean): void {
    if (close) this.res.writeHeader('connection', 'close')
    const responseBody = new UwsResponseBody(this.res, body, length, close, this)
    this.responseBody = responseBody
    this.state.stallDetector.add(this)
    responseBody.start(headerOf(headers, 'content-type')?.startsWith('text/event-stream') ?? false)
  }

  /** Writes Content-Length itself, because `endWithoutBody(length)` of the installed uWS does not end the response. */
  private writeWithoutBody(length: string | undefined, close: boolean): void {
    if (length !== undefined) this.res.writeHeader('content-length', length)
    if (close) {
      this.res.writeHeader('connection', 'close')
      // Nothing more is read. The connection closes when the client closes it, or by uWS's timeout.
      this.res.pause()
    }
    this.res.endWithoutBody()
    this.finished()
  }

  reject(errorResponse: ErrorResponse): void {
    if (this.responded) {
      this.closeConnection()
      return
    }
    this.responded = true
    this.notifyAbort()
    const { res } = this
    const isHead = this.method === 'HEAD'
    if (errorResponse.linger && this.body?.ended === false && !isHead) {
      this.onRejectedBodyEnd = writeErrorResponseSlowly(res, errorResponse, () =>
        this.finishIfValid(() => endSlowErrorResponse(res)),
      )
      return
    }
    setImmediate(() =>
      this.finishIfValid(() => res.cork(() => writeErrorResponse(res, errorResponse, { isHead, close: true }))),
    )
  }

  private finishIfValid(write: () => void): void {
    if (this.invalid) return
    write()
    this.finished()
  }

  /** Rejects first: `reject` looks at whether the body has ended. */
  override abort(errorResponse: ErrorResponse, error = new Error(errorResponse.text.trim())): void {
    this.reject(errorResponse)
    this.body?.abort(error)
  }

  protected override overLimit(limit: number): void {
    if (this.bodyTooLarge) return
    this.bodyTooLarge = true
    super.overLimit(limit)
  }

  protected requestProgressed(): boolean {
    if (this.invalid || this.body === undefined || this.body.ended || this.body.sourcePaused) return true
    // Restarts uWS's connection timeout, which would abort a slow upload after 10 s.
    this.res.pause()
    this.res.resume()
    return this.hasReceived(this.body.received)
  }

  /** The response is complete, so the response object is invalid. */
  finished(): void {
    if (this.invalid) return
    this.release()
    this.body?.responseCompleted()
  }

  /** Closes the connection, so that the client notices an incomplete response. */
  closeConnection(): void {
    if (this.invalid) return
    this.onAbort(undefined)
    this.res.close()
  }

  private disconnected(): void {
    if (this.invalid) return
    this.release()
    this.lostClient()
  }

  protected override release(): void {
    this.invalid = true
    this.responded = true
    super.release()
  }
}

/** Returns true if the body is not written completely by one call. */
function needsStreaming(body: GatewayResponseBody): body is string | Uint8Array | ByteStream {
  return body !== undefined && (isStream(body) || body.length > maxSingleWriteBytes)
}
