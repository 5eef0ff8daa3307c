/** One HTTP/1 request and its response on the Node front end. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type GatewayResponse, type HeaderPairs, passedTrailerNames, type Tunnel } from '@turnpike/core/http'
import { type ErrorResponse, errorHeadersOf } from '../front-end-common/error-responses.ts'
import { openTunnel } from '../front-end-common/open-tunnel.ts'
import type { RequestTarget } from '../front-end-common/request-target.ts'
import { contentLengthOfOmittedBody, discardBody, isStream, omitsBody } from '../front-end-common/response-head.ts'
import { statusText } from '../front-end-common/status-text.ts'
import type { UpgradeRequest } from '../front-end-common/upgrade-request.ts'
import type { NodeConnection } from './node-connection.ts'
import { writableHeaders } from './node-headers.ts'
import { NodeResponseBody } from './node-response-body.ts'
import { NodeServerExchange } from './node-server-exchange.ts'
import type { NodeServerState } from './node-server-state.ts'

/** Milliseconds that a rejected upload is still read. Closing earlier resets the connection and can lose the response. */
const lingerMs = 2_000

export class NodeExchange extends NodeServerExchange {
  readonly upgrade: string | undefined
  private readonly req: IncomingMessage
  private readonly res: ServerResponse
  private readonly upgradeRequest: UpgradeRequest | undefined
  private over = false
  private closing = false

  constructor(
    req: IncomingMessage,
    res: ServerResponse,
    target: RequestTarget,
    headers: HeaderPairs,
    bodyLength: number | undefined,
    connection: NodeConnection,
    state: NodeServerState,
    upgradeRequest?: UpgradeRequest,
  ) {
    const trailerNames = bodyLength === undefined ? passedTrailerNames(headers) : undefined
    super(req.method as string, target, headers, bodyLength, trailerNames, connection, state)
    this.req = req
    this.res = res
    this.upgradeRequest = upgradeRequest
    this.upgrade = upgradeRequest?.protocol
    this.closing = state.options.closeConnections
    connection.open.add(this)
    res.on('finish', () => this.finish())
    res.on('error', () => connection.socket.destroy())
  }

  get httpVersion(): string {
    return this.req.httpVersion
  }

  sendInterim(status: number, headers: HeaderPairs): void {
    const { req, res } = this
    // Without a socket the responses to earlier requests of the connection are not complete.
    if (this.responded || this.over || req.httpVersionMinor === 0 || res.socket === null) return
    const { head } = writableHeaders(headers, false, this.state.options.log)
    let text = `HTTP/1.1 ${statusText(status)}\r\n`
    for (let i = 0; i < head.length; i += 2) text += `${head[i]}: ${head[i + 1]}\r\n`
    res.socket.write(`${text}\r\n`, 'latin1')
  }

  /** Begins to read the body. */
  readBody(): void {
    const body = this.body
    if (body === undefined) return
    const limit = this.state.options.maxBodyBytes
    // Bytes of the head are not progress of the body.
    this.hasReceived(this.connection.socket.bytesRead)
    this.state.stallDetector.add(this)
    let exceeded = false
    this.req.on('data', (chunk: Uint8Array) => {
      // The rest of a body that is too large is read and dropped: closing the connection now could lose the response.
      if (exceeded) return
      exceeded = limit > 0 && body.received + chunk.length > limit
      if (exceeded) this.overLimit(limit)
      else body.push(chunk)
    })
    this.req.on('end', () => this.bodyEnded(this.req.rawTrailers))
  }

  pauseReading(): void {
    this.req.pause()
  }

  resumeReading(): void {
    this.req.resume()
  }

  /** Writes the handler's response, unless the request was rejected or the client disconnected. */
  send(response: GatewayResponse): void {
    if (this.responded || this.over) {
      discardBody(response)
      return
    }
    this.responded = true
    if (response.tunnel !== undefined) {
      this.switchProtocol(response, response.tunnel)
      return
    }
    const { head, length: given } = writableHeaders(
      response.headers,
      this.state.draining || this.closing,
      this.state.options.log,
    )
    const body = response.body
    if (omitsBody(this.method, response.status)) {
      discardBody(response)
      const length = contentLengthOfOmittedBody(response, given)
      if (length !== undefined) head.push('content-length', length)
      this.res.writeHead(response.status, head)
      this.res.end()
    } else if (isStream(body)) {
      if (response.bodyLength !== undefined) head.push('content-length', String(response.bodyLength))
      // Node throws if trailers are announced to an HTTP/1.0 client, which does not support chunked bodies.
      else if (body.trailerNames !== undefined && this.req.httpVersionMinor === 1)
        head.push('trailer', body.trailerNames)
      this.res.writeHead(response.status, head)
      this.state.stallDetector.add(this)
      const responseBody = new NodeResponseBody(this.res, body, response.bodyLength)
      this.responseBody = responseBody
      responseBody.start()
    } else {
      // Bytes, because Node would encode headers and a text together as UTF-8, but headers are latin1.
      const bytes = typeof body === 'string' ? Buffer.from(body) : body
      head.push('content-length', String(bytes?.length ?? 0))
      this.res.writeHead(response.status, head)
      this.res.end(bytes)
    }
  }

  /** Switches the connection to a tunnel, which ends this exchange. */
  private switchProtocol(response: GatewayResponse, tunnel: Tunnel): void {
    const { res, upgradeRequest, connection, state } = this
    const { socket } = connection
    if (upgradeRequest === undefined || state.draining) {
      tunnel.incoming.cancel()
      socket.destroy()
      return
    }
    const { head } = writableHeaders(response.headers, false, state.options.log)
    res.removeAllListeners('finish')
    res.detachSocket(socket)
    openTunnel(socket, { ...response, headers: head }, upgradeRequest, tunnel, state.options)
    state.tunnels.add(socket)
    socket.once('close', () => state.tunnels.delete(socket))
    connection.open.delete(this)
    this.release()
  }

  reject(errorResponse: ErrorResponse): void {
    if (this.over) return
    if (this.responded) {
      this.closeConnection()
      return
    }
    this.responded = true
    this.notifyAbort()
    const head = [...errorHeadersOf(errorResponse), 'content-length', String(Buffer.byteLength(errorResponse.text))]
    if (errorResponse.keepAlive && !this.state.draining && !this.closing) {
      this.res.writeHead(errorResponse.status, head)
      this.res.end(errorResponse.text)
      return
    }
    this.connection.ending = true
    this.res.writeHead(errorResponse.status, [...head, 'connection', 'close'])
    if (this.req.complete || !errorResponse.linger) {
      this.res.end(errorResponse.text)
      return
    }
    this.res.write(errorResponse.text)
    const end = () => this.res.end()
    setTimeout(end, lingerMs).unref()
    this.req.once('end', end)
    this.req.resume()
  }

  /** The request was received completely. */
  get received(): boolean {
    return this.req.complete
  }

  /** Closes the connection after the response. */
  closeAfterwards(): void {
    this.closing = true
    this.connection.ending = true
  }

  protected closeConnection(): void {
    this.connection.socket.destroy()
  }

  protected requestProgressed(): boolean {
    if (this.body === undefined || this.req.complete || (this.body.sourcePaused && !this.over)) return true
    return this.hasReceived(this.connection.socket.bytesRead)
  }

  /** The client disconnected before the response was complete. */
  disconnected(): void {
    if (this.over) return
    this.release()
    this.lostClient()
  }

  private finish(): void {
    if (this.over) return
    this.connection.open.delete(this)
    this.release()
    this.body?.responseCompleted()
    if ((this.closing || this.state.draining) && this.connection.open.size === 0) this.connection.socket.end()
    this.watchRemainingBody()
  }

  /** Node discards the rest of the request body. The stall detector closes the connection if it stops arriving. */
  private watchRemainingBody(): void {
    const { socket } = this.connection
    if (this.req.complete || socket.destroyed) return
    this.state.stallDetector.add(this)
    socket.once('close', () => this.state.stallDetector.remove(this))
  }

  protected override release(): void {
    this.over = true
    super.release()
  }
}
