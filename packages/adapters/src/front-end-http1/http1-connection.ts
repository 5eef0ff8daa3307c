/**
 * One HTTP/1 connection. It serves one request at a time: bytes that the client sends after a request are kept, up to a
 * limit, until the response was written, so responses have the order of the requests. After an error nothing more is read
 * as a request.
 */
import type { Socket } from 'node:net'
import type { GatewayResponse, HeaderPairs, Tunnel } from '@turnpike/core/http'
import { type RequestBodyReceiver, type RequestHead, RequestParser } from '@turnpike/upstream/http1/request-parser'
import type { ReadMemory } from '@turnpike/upstream/read-memory'
import { type ErrorResponse, errorResponses } from '../front-end-common/error-responses.ts'
import { openTunnel } from '../front-end-common/open-tunnel.ts'
import { Peer } from '../front-end-common/peer.ts'
import { writableHeaders } from '../front-end-node/node-headers.ts'
import type { AcceptedReads, ReadReceiver } from './accepted-reads.ts'
import { closeWhenSilent, endAndLinger } from './close-connection.ts'
import type { Waiting } from './connection-sweep.ts'
import { Http1Exchange } from './http1-exchange.ts'
import type { ExchangeConnection } from './http1-message.ts'
import { lastResponseText } from './http1-response-head.ts'
import type { Http1ServerState, ServedConnection } from './http1-server-state.ts'
import { errorResponseOf, isShortBody, readRequest } from './read-request.ts'

/** Bytes of later requests that are kept while a response is pending. More are left in the kernel. */
const maxLookAheadBytes = 65_536

export class Http1Connection
  extends Peer
  implements ExchangeConnection, RequestBodyReceiver, ReadReceiver, ServedConnection
{
  waiting: Waiting = 'idle'
  since: number
  private readonly state: Http1ServerState
  private readonly parser: RequestParser
  /** Memory that the socket reads into; `undefined`: each read has new memory. */
  private readonly memory: ReadMemory | undefined
  private exchange: Http1Exchange | undefined = undefined
  /** Received bytes that are not parsed yet. */
  private lookAhead: Buffer | undefined = undefined
  private isParsing = false
  private bodyPaused = false
  private isReading = true
  private clientEnded = false
  private isDetached = false

  constructor(socket: Socket, state: Http1ServerState, reads?: AcceptedReads) {
    super(socket)
    this.memory = reads?.memory
    this.state = state
    this.since = state.sweep.tick
    this.parser = new RequestParser(state.options.maxHeaderBytes, this)
    if (reads === undefined) socket.on('data', this.onData)
    else reads.receiver = this
    socket.on('drain', this.onDrain)
    socket.on('end', this.onEnded)
    socket.on('close', this.onClose)
    // `close` follows.
    socket.on('error', () => {})
    state.connections.add(this)
  }

  /** The request was received completely. */
  get isRequestComplete(): boolean {
    return this.parser.state === 'done'
  }

  /** The reader of the body has paused it, or continues to read. */
  pauseBody(paused: boolean): void {
    this.bodyPaused = paused
    this.updateReading()
  }

  /** The response of the current request was written. */
  responded(closes: boolean): void {
    if (closes) {
      this.end()
      return
    }
    this.bodyPaused = false
    if (this.isRequestComplete) this.finishRequest()
    this.pump()
  }

  /** Hands the connection over to a tunnel. */
  switchProtocol(response: GatewayResponse, tunnel: Tunnel, protocol: string | undefined): void {
    const { socket, state } = this
    if (protocol === undefined || state.draining) {
      tunnel.incoming.cancel()
      socket.destroy()
      return
    }
    socket.pause()
    const first = Buffer.from(this.lookAhead ?? [])
    this.detach()
    state.tunnels.add(socket)
    socket.once('close', () => state.tunnels.delete(socket))
    const { head } = writableHeaders(response.headers, false, state.options.log)
    openTunnel(socket, { ...response, headers: head }, { protocol, first }, tunnel, state.options)
  }

  /** The server closes: no further request is read. */
  drain(): void {
    if (this.waiting === 'idle') this.end()
  }

  /** Closes the connection as soon as the written bytes are sent, and then resolves. */
  closeAfterWrites(): Promise<void> {
    const { socket } = this
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    if (socket.writableLength === 0) socket.destroy()
    else socket.destroySoon()
    return closed
  }

  expire(): void {
    if (this.waiting === 'head') this.rejectBytes(errorResponses.headTimeout, false)
    else if (this.waiting === 'idle') this.end()
    else this.socket.destroy()
  }

  // Callbacks of the parser

  onBody(chunk: Buffer): void {
    this.exchange?.received(chunk, this.isReadMemory(chunk) ? this.memory : undefined)
  }

  onEnd(trailers: HeaderPairs | undefined): void {
    this.bodyPaused = false
    const { exchange } = this
    exchange?.bodyEnded(trailers)
    if (exchange?.over === true) this.finishRequest()
  }

  // Events of the socket

  get isBodyFlowing(): boolean {
    return this.exchange !== undefined && !this.isRequestComplete
  }

  read(count: number): boolean {
    const { bytes } = this.memory as ReadMemory
    const chunk = bytes.subarray(0, count)
    // A tunnel reads from the socket as a stream.
    if (this.isDetached) return this.socket.push(Buffer.from(chunk))
    this.onData(chunk)
    if (this.lookAhead !== undefined && this.isReadMemory(this.lookAhead)) this.lookAhead = Buffer.from(this.lookAhead)
    return true
  }

  /** The bytes are valid only until the read is handled. */
  private isReadMemory(bytes: Buffer): boolean {
    return this.memory?.bytes.buffer === bytes.buffer
  }

  private readonly onData = (chunk: Buffer): void => {
    if (this.waiting === 'close') return
    this.lookAhead = this.lookAhead === undefined ? chunk : Buffer.concat([this.lookAhead, chunk])
    this.pump()
  }

  private readonly onDrain = (): void => {
    this.exchange?.drained()
    this.pump()
  }

  private readonly onEnded = (): void => {
    this.clientEnded = true
    const { exchange } = this
    if (this.waiting === 'close') return
    if (exchange === undefined) this.end()
    else if (!this.isRequestComplete) this.socket.destroy()
    else closeWhenSilent(this.socket, () => this.waiting === 'close')
  }

  private readonly onClose = (): void => {
    this.state.connections.delete(this)
    this.waiting = 'close'
    this.exchange?.disconnected()
    this.exchange = undefined
  }

  /** Parses received bytes as far as requests can be served. */
  private pump(): void {
    if (this.isParsing) return
    this.isParsing = true
    while (this.lookAhead !== undefined && this.canParse()) {
      const bytes = this.lookAhead
      this.lookAhead = undefined
      const at = this.parse(bytes)
      if (at < bytes.length && this.waiting !== 'close') this.lookAhead = bytes.subarray(at)
    }
    this.isParsing = false
    if (this.clientEnded && this.exchange === undefined && this.lookAhead === undefined) this.end()
    this.updateReading()
  }

  private canParse(): boolean {
    if (this.waiting === 'close' || this.parser.state === 'failed') return false
    // A client that does not read its responses gets no further ones.
    return !this.isRequestComplete || (this.exchange === undefined && !this.socket.writableNeedDrain)
  }

  private parse(bytes: Buffer): number {
    const { parser } = this
    let at = 0
    while (at < bytes.length && this.canParse()) {
      if (parser.state === 'done') parser.begin()
      at = parser.feed(bytes, at, bytes.length)
      if (parser.state === 'failed') this.parserFailed()
      else if (parser.state === 'head-read') at = this.serve(parser.head, bytes, at)
      else if (this.waiting === 'idle' && parser.hasBegun) this.wait('head')
    }
    return at
  }

  /** Serves a request whose head ends at `at`. Returns the position of the next byte to parse. */
  private serve(head: RequestHead, bytes: Buffer, at: number): number {
    const { state } = this
    const { message, errorResponse } = readRequest(head, state)
    const exchange = new Http1Exchange(message, this, state)
    this.exchange = exchange
    this.wait('busy')
    this.parser.startBody(message.bodyLength)
    if (errorResponse !== undefined) {
      exchange.reject(errorResponse)
      return at
    }
    if (isShortBody(message.bodyLength, bytes.length - at, state.options.maxBodyBytes)) {
      const bodyEnd = this.parser.feed(bytes, at, bytes.length)
      state.respond(exchange)
      if (this.parser.state === 'failed') this.parserFailed()
      return bodyEnd
    }
    const switches = message.upgrade !== undefined && at < bytes.length
    // After a switch of protocols these bytes belong to the new one.
    if (switches) this.lookAhead = bytes.subarray(at)
    state.respond(exchange)
    return switches ? bytes.length : at
  }

  private parserFailed(): void {
    const { exchange, parser } = this
    const errorResponse = errorResponseOf(parser.problem)
    if (exchange === undefined) this.rejectBytes(errorResponse, parser.failedHead)
    else if (exchange.over) this.end()
    else exchange.abort(errorResponse)
  }

  /** Sends an error response without a request. `isHead`: without the body. */
  private rejectBytes(errorResponse: ErrorResponse, isHead: boolean): void {
    this.socket.write(lastResponseText(errorResponse, isHead, this.state.options.log), 'latin1')
    this.end()
  }

  private finishRequest(): void {
    this.exchange = undefined
    this.wait('idle')
  }

  private wait(waiting: Waiting): void {
    this.waiting = waiting
    this.since = this.state.sweep.tick
  }

  /** Closes the connection after the written bytes. Bytes that the client still sends are dropped. */
  private end(): void {
    if (this.waiting === 'close') return
    this.wait('close')
    this.lookAhead = undefined
    this.bodyPaused = false
    this.updateReading()
    endAndLinger(this.socket)
  }

  /** Stops using the socket. */
  private detach(): void {
    const { socket } = this
    socket.off('data', this.onData)
    socket.off('drain', this.onDrain)
    socket.off('end', this.onEnded)
    socket.off('close', this.onClose)
    this.state.connections.delete(this)
    this.exchange = undefined
    this.lookAhead = undefined
    this.waiting = 'close'
    this.isDetached = true
  }

  private updateReading(): void {
    if (this.isDetached) return
    const hasRoom = this.lookAhead === undefined || this.lookAhead.length < maxLookAheadBytes
    const reads = this.waiting === 'close' || (!this.bodyPaused && hasRoom)
    if (reads === this.isReading) return
    this.isReading = reads
    if (reads) this.socket.resume()
    else this.socket.pause()
  }
}
