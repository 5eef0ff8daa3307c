/** One request and its answer on the uWS front end. */
import {
  type Answer,
  type AnswerBody,
  BodyTooLarge,
  type ByteStream,
  type GatewayRequest,
  type HeaderPairs,
  headerOf,
  streamOf,
  type Tunnel,
} from '@turnpike/core'
import { dropBody, isStream, reportedLength, sendsNoBody } from '../front-end-common/answer-head.ts'
import { BodyInflow, ClientGone, type InflowSource } from '../front-end-common/body-inflow.ts'
import { Departure } from '../front-end-common/departure.ts'
import { type Refusal, refusals } from '../front-end-common/refusal.ts'
import type { Watched } from '../front-end-common/stall-watch.ts'
import { addressText } from './remote-address.ts'
import { type StreamOwner, UwsAnswerStream } from './uws-answer-stream.ts'
import type { UwsResponse } from './uws-binding.ts'
import { writeHead } from './uws-head.ts'
import { endSlowRefusal, refuseSlowly, writeRefusal } from './uws-refusal.ts'
import type { UwsServerState } from './uws-server-state.ts'
import { UwsTunnelSocket } from './uws-web-socket.ts'
import { type WebSocketWish, withoutHandshake } from './web-socket-wish.ts'

/** Whole answers up to this size go out in one call; longer ones are streamed, so that the last byte's leaving is known. */
const oneCallBytes = 65_536

export class UwsExchange implements GatewayRequest, InflowSource, Watched, StreamOwner {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: HeaderPairs
  readonly bodyLength: number | undefined
  readonly body: BodyInflow | undefined
  readonly secure = false
  quietLooks = 0
  /** Set before the request is handed over, where the client asks for a WebSocket. */
  wish: WebSocketWish | undefined = undefined
  private readonly res: UwsResponse
  private readonly state: UwsServerState
  /** The end of this request is not beyond doubt, so nothing behind it may be taken for a request. */
  private readonly last: boolean
  private closes: boolean
  private address: string | undefined = undefined
  private readonly departure = new Departure()
  private stream: UwsAnswerStream | undefined = undefined
  private answered = false
  private dead = false
  private failed = false
  private endRefusal: (() => void) | undefined = undefined
  private bytesSeen = 0

  constructor(
    res: UwsResponse,
    method: string,
    path: string,
    query: string,
    headers: HeaderPairs,
    bodyLength: number | undefined,
    last: boolean,
    closes: boolean,
    state: UwsServerState,
  ) {
    this.res = res
    this.method = method
    this.path = path
    this.query = query
    this.headers = headers
    this.bodyLength = bodyLength
    this.last = last
    this.closes = closes || last || state.rules.closesConnections
    this.state = state
    this.body = bodyLength === 0 ? undefined : new BodyInflow(this)
    state.inFlight.begin()
  }

  get upgrade(): string | undefined {
    return this.wish === undefined ? undefined : 'websocket'
  }

  get remoteAddress(): string {
    if (this.address === undefined) {
      const known = this.state.peers.only
      this.address = known ?? (this.dead ? '' : addressText(new Uint8Array(this.res.getRemoteAddress())))
    }
    return this.address
  }

  onAbort(listener: (() => void) | undefined): void {
    this.departure.listen(listener)
  }

  /** Begins to read the body, within the handler. */
  readBody(): void {
    const body = this.body
    if (body === undefined) return
    const limit = this.bodyLength === undefined ? this.state.rules.maxBodyBytes : 0
    this.state.watch.add(this)
    this.res.onData((chunk, isLast) => {
      if (limit > 0 && body.received + chunk.byteLength > limit) this.overLimit(limit)
      else if (chunk.byteLength > 0) body.push(new Uint8Array(chunk.slice(0)))
      if (!isLast) return
      if (this.stream === undefined) this.state.watch.remove(this)
      this.endRefusal?.()
      body.finish()
    })
  }

  /** The answer comes later: the address is read while the connection surely lives, and its end is listened for. */
  goAsync(): void {
    void this.remoteAddress
    this.res.onAborted(() => this.gone())
  }

  hold(): void {
    if (!this.dead) this.res.pause()
  }

  release(): void {
    if (!this.dead) this.res.resume()
  }

  /** Writes the engine's answer within the handler. */
  sendNow(answer: Answer): void {
    if (this.last || mayOutlast(answer.body)) {
      this.goAsync()
      this.sendLater(answer)
    } else this.write(answer)
  }

  /** Writes the engine's answer, unless another was given or nobody is there to take it. */
  sendLater(answer: Answer): void {
    if (this.answered || this.dead) dropBody(answer)
    // Never corked: where the WebSocket comes to lie at the response's address, uWS mistakes it for the response when the
    // cork ends, and now and then closes it.
    else if (answer.tunnel !== undefined) this.write(answer)
    else if (this.last) {
      // Never in the turn in which the body's last bytes came: what follows them in the same packet must find this
      // request unanswered, so that uWS closes the connection instead of taking it for another request.
      this.answered = true
      setImmediate(() => {
        if (this.dead) dropBody(answer)
        else this.res.cork(() => this.write(answer))
      })
    } else this.res.cork(() => this.write(answer))
  }

  private write(answer: Answer): void {
    this.answered = true
    if (answer.tunnel !== undefined) {
      this.change(answer, answer.tunnel)
      return
    }
    const { res } = this
    const { status, body, headers } = answer
    const head = writeHead(res, status, headers, this.state.rules.log)
    const close = this.closes || this.state.draining || head.close
    if (sendsNoBody(this.method, status)) {
      dropBody(answer)
      this.writeBodiless(reportedLength(answer, head.length), close)
    } else if (isStream(body)) this.writeStream(body, answer.bodyLength, headers, close)
    else if (mayOutlast(body)) {
      const bytes = typeof body === 'string' ? Buffer.from(body) : body
      this.writeStream(streamOf(bytes), bytes.length, headers, close)
    } else {
      if (close) res.end(body ?? '', true)
      else res.end(body ?? '')
      this.finished()
    }
  }

  /** The connection becomes a WebSocket, and this exchange is over. */
  private change({ status, headers }: Answer, tunnel: Tunnel): void {
    const { res, wish, state } = this
    if (wish === undefined || state.draining || headerOf(headers, 'sec-websocket-extensions') !== undefined) {
      tunnel.incoming.cancel()
      this.broke()
      return
    }
    const protocol = headerOf(headers, 'sec-websocket-protocol') ?? ''
    writeHead(res, status, withoutHandshake(headers), state.rules.log)
    const webSocket: UwsTunnelSocket = new UwsTunnelSocket(tunnel, state.rules.log, () => {
      state.webSockets.delete(webSocket)
    })
    state.webSockets.add(webSocket)
    this.finished()
    res.upgrade({ webSocket }, wish.key, protocol, '', wish.context)
  }

  private writeStream(body: ByteStream, length: number | undefined, headers: HeaderPairs, close: boolean): void {
    if (close) this.res.writeHeader('connection', 'close')
    this.stream = new UwsAnswerStream(this.res, body, length, close, this)
    this.state.watch.add(this)
    this.stream.start(headerOf(headers, 'content-type')?.startsWith('text/event-stream') ?? false)
  }

  /** By hand, since `endWithoutBody(length)` of this uWS leaves the response unfinished. */
  private writeBodiless(length: string | undefined, close: boolean): void {
    if (length !== undefined) this.res.writeHeader('content-length', length)
    if (close) {
      this.res.writeHeader('connection', 'close')
      // Nothing more is read; the connection ends with the client's close or by time.
      this.res.pause()
    }
    this.res.endWithoutBody()
    this.finished()
  }

  /** Answers for the front end itself; what the engine says later is dropped. The rest of the body is thrown away. */
  private refuse(refusal: Refusal): void {
    if (this.answered) {
      this.broke()
      return
    }
    this.answered = true
    this.departure.tell()
    const { res } = this
    if (refusal.linger && this.body?.ended === false) {
      this.endRefusal = refuseSlowly(res, refusal, () => this.finishIfAlive(() => endSlowRefusal(res)))
      return
    }
    setImmediate(() => this.finishIfAlive(() => res.cork(() => writeRefusal(res, refusal, true))))
  }

  private finishIfAlive(write: () => void): void {
    if (this.dead) return
    write()
    this.finished()
  }

  private overLimit(limit: number): void {
    if (this.failed) return
    this.failed = true
    this.refuse(refusals.bodyTooLong)
    this.body?.breakOff(new BodyTooLarge(limit))
  }

  moved(): boolean {
    if (this.stream?.blocked) return this.stream.moved()
    if (this.dead || this.body === undefined || this.body.ended || this.body.held) return true
    // Starts uWS's own time-out anew, which would cut a slow upload after 10 s.
    this.res.pause()
    this.res.resume()
    const before = this.bytesSeen
    this.bytesSeen = this.body.received
    return this.bytesSeen !== before
  }

  stalled(): void {
    this.state.rules.log.debug('cut a body that stood still', { path: this.path })
    if (this.answered) this.broke()
    else {
      this.refuse(refusals.bodyStalled)
      this.body?.breakOff(new Error(refusals.bodyStalled.text.trim()))
    }
  }

  /** The response is complete, and must not be touched again. */
  finished(): void {
    if (this.dead) return
    this.die()
    this.body?.answered()
  }

  /** Ends the connection with the answer visibly incomplete. */
  broke(): void {
    if (this.dead) return
    this.departure.listen(undefined)
    this.res.close()
  }

  private gone(): void {
    if (this.dead) return
    this.die()
    this.body?.breakOff(new ClientGone())
    this.stream?.cancel()
    this.departure.tell()
  }

  private die(): void {
    this.dead = true
    this.answered = true
    this.state.watch.remove(this)
    this.state.inFlight.end()
  }
}

/** Whether an answer may take longer to leave than the call that writes it. */
function mayOutlast(body: AnswerBody): body is string | Uint8Array | ByteStream {
  return body !== undefined && (isStream(body) || body.length > oneCallBytes)
}
