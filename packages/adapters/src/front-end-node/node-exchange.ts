/** One request and its answer on the Node front end. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type Answer,
  BodyTooLarge,
  type GatewayRequest,
  type HeaderPairs,
  maxTrailerLines,
  passedTrailerNames,
  passedTrailers,
  type Tunnel,
} from '@turnpike/core'
import { dropBody, isStream, reportedLength, sendsNoBody } from '../front-end-common/answer-head.ts'
import { BodyInflow, ClientGone, type InflowSource } from '../front-end-common/body-inflow.ts'
import { Departure } from '../front-end-common/departure.ts'
import { type Refusal, refusals } from '../front-end-common/refusal.ts'
import type { Watched } from '../front-end-common/stall-watch.ts'
import type { Target } from '../front-end-common/target.ts'
import { NodeAnswerStream } from './node-answer-stream.ts'
import type { NodeConnection } from './node-connection.ts'
import { headOf, pairsOf } from './node-head.ts'
import type { NodeServerState } from './node-server-state.ts'
import { openTunnel } from './node-tunnel.ts'
import type { UpgradeWish } from './upgrade-aware-message.ts'

/** How long a refused upload is still read, so that the refusal is not lost with a reset of the connection. */
const lingerMs = 2_000

export class NodeExchange implements GatewayRequest, InflowSource, Watched {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: HeaderPairs
  readonly bodyLength: number | undefined
  readonly body: BodyInflow | undefined
  readonly upgrade: string | undefined
  quietLooks = 0
  private readonly req: IncomingMessage
  private readonly res: ServerResponse
  private readonly connection: NodeConnection
  private readonly state: NodeServerState
  private readonly wish: UpgradeWish | undefined
  private readonly departure = new Departure()
  private stream: NodeAnswerStream | undefined = undefined
  /** The head of an answer was written, or the client is gone: no other answer can be given. */
  private answered = false
  private over = false
  private closing = false
  private bytesSeen = 0

  constructor(
    req: IncomingMessage,
    res: ServerResponse,
    target: Target,
    headers: HeaderPairs,
    bodyLength: number | undefined,
    connection: NodeConnection,
    state: NodeServerState,
    wish?: UpgradeWish,
  ) {
    this.req = req
    this.res = res
    this.method = req.method as string
    this.path = target.path
    this.query = target.query
    this.headers = headers
    this.bodyLength = bodyLength
    this.connection = connection
    this.state = state
    this.wish = wish
    this.upgrade = wish?.protocol
    this.closing = state.rules.closesConnections
    this.body =
      bodyLength === 0
        ? undefined
        : new BodyInflow(this, bodyLength === undefined ? passedTrailerNames(headers) : undefined)
    state.inFlight.begin()
    connection.open.add(this)
    res.on('finish', () => this.finish())
    res.on('error', () => connection.socket.destroy())
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
    const body = this.body
    if (body === undefined) return
    const limit = this.state.rules.maxBodyBytes
    this.bytesSeen = this.connection.socket.bytesRead
    this.state.watch.add(this)
    this.req.on('data', (chunk: Uint8Array) => {
      if (limit > 0 && body.received + chunk.length > limit) this.overLimit(limit)
      else body.push(chunk)
    })
    this.req.on('end', () => this.bodyEnded(body))
  }

  private bodyEnded(body: BodyInflow): void {
    const { rawTrailers } = this.req
    if (rawTrailers.length === 0) body.finish()
    else if (rawTrailers.length > 2 * maxTrailerLines) this.broken(refusals.tooManyHeaders)
    else body.finish(passedTrailers(pairsOf(rawTrailers)))
  }

  hold(): void {
    this.req.pause()
  }

  release(): void {
    this.req.resume()
  }

  /** Writes the engine's answer, unless another was given or nobody is there to take it. */
  send(answer: Answer): void {
    if (this.answered || this.over) {
      dropBody(answer)
      return
    }
    this.answered = true
    if (answer.tunnel !== undefined) {
      this.change(answer, answer.tunnel)
      return
    }
    const { head, length: told } = headOf(answer.headers, this.state.draining || this.closing, this.state.rules.log)
    const body = answer.body
    if (sendsNoBody(this.method, answer.status)) {
      dropBody(answer)
      const length = reportedLength(answer, told)
      if (length !== undefined) head.push('content-length', length)
      this.res.writeHead(answer.status, head)
      this.res.end()
    } else if (isStream(body)) {
      if (answer.bodyLength !== undefined) head.push('content-length', String(answer.bodyLength))
      // Node refuses to announce what it could not send: nothing is chunked to HTTP/1.0.
      else if (body.trailerNames !== undefined && this.req.httpVersionMinor === 1)
        head.push('trailer', body.trailerNames)
      this.res.writeHead(answer.status, head)
      this.state.watch.add(this)
      this.stream = new NodeAnswerStream(this.res, body, answer.bodyLength)
      this.stream.start()
    } else {
      // Always bytes: Node would write head and text together as UTF-8, and headers are one byte a character.
      const bytes = typeof body === 'string' ? Buffer.from(body) : body
      head.push('content-length', String(bytes?.length ?? 0))
      this.res.writeHead(answer.status, head)
      this.res.end(bytes)
    }
  }

  /** The protocol changes: from here on bytes go both ways, and this exchange is over. */
  private change(answer: Answer, tunnel: Tunnel): void {
    const { res, wish, connection, state } = this
    const { socket } = connection
    if (wish === undefined || state.draining) {
      tunnel.incoming.cancel()
      socket.destroy()
      return
    }
    const { head } = headOf(answer.headers, false, state.rules.log)
    res.removeAllListeners('finish')
    res.detachSocket(socket)
    openTunnel(socket, { ...answer, headers: head }, wish, tunnel)
    state.tunnels.add(socket)
    socket.once('close', () => state.tunnels.delete(socket))
    connection.open.delete(this)
    this.end()
  }

  /** Answers for the front end itself; what the engine says later is dropped. */
  refuse(refusal: Refusal): void {
    if (this.over) return
    if (this.answered) {
      this.connection.socket.destroy()
      return
    }
    this.answered = true
    this.departure.tell()
    const head = [
      'content-type',
      'text/plain; charset=utf-8',
      'content-length',
      String(Buffer.byteLength(refusal.text)),
    ]
    if (refusal.keep && !this.state.draining && !this.closing) {
      this.res.writeHead(refusal.status, head)
      this.res.end(refusal.text)
      return
    }
    this.connection.ending = true
    this.res.writeHead(refusal.status, [...head, 'connection', 'close'])
    if (this.req.complete || !refusal.linger) {
      this.res.end(refusal.text)
      return
    }
    this.res.write(refusal.text)
    const end = () => this.res.end()
    setTimeout(end, lingerMs).unref()
    this.req.once('end', end)
    this.req.resume()
  }

  /** The whole request has come in. */
  get received(): boolean {
    return this.req.complete
  }

  /** Answers as usual, and ends the connection then. */
  closeAfterwards(): void {
    this.closing = true
    this.connection.ending = true
  }

  private overLimit(limit: number): void {
    this.body?.breakOff(new BodyTooLarge(limit))
    this.refuse(refusals.bodyTooLong)
  }

  /** The bytes that came cannot be read on. */
  broken(refusal: Refusal): void {
    this.body?.breakOff(new Error(refusal.text.trim()))
    this.refuse(refusal)
  }

  moved(): boolean {
    if (this.stream?.blocked) return this.stream.moved()
    if (this.body === undefined || this.req.complete || (this.body.held && !this.over)) return true
    const before = this.bytesSeen
    this.bytesSeen = this.connection.socket.bytesRead
    return this.bytesSeen !== before
  }

  stalled(): void {
    this.state.rules.log.debug('cut a body that stood still', { path: this.path })
    if (this.answered) this.connection.socket.destroy()
    else this.broken(refusals.bodyStalled)
  }

  /** The connection is gone before the answer was complete. */
  gone(): void {
    if (this.over) return
    this.end()
    this.answered = true
    this.body?.breakOff(new ClientGone())
    this.stream?.cancel()
    this.departure.tell()
  }

  private finish(): void {
    if (this.over) return
    this.connection.open.delete(this)
    this.end()
    this.body?.answered()
    if ((this.closing || this.state.draining) && this.connection.open.size === 0) this.connection.socket.end()
    this.watchTheRest()
  }

  /** A body that nobody read goes on being thrown away; a client that stops sending is found by the watch. */
  private watchTheRest(): void {
    const { socket } = this.connection
    if (this.req.complete || socket.destroyed) return
    this.state.watch.add(this)
    socket.once('close', () => this.state.watch.remove(this))
  }

  private end(): void {
    this.over = true
    this.state.watch.remove(this)
    this.state.inFlight.end()
  }
}
