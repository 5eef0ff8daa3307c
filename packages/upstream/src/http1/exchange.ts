/**
 * One request to an upstream and its response. `shared/upstream-call.ts` is the life cycle that it shares with the other
 * HTTP clients.
 */
import { type ByteStream, cancelBody, type HeaderPairs, passedTrailers } from '@turnpike/core/http'
import type { UpstreamRequest } from '@turnpike/core/ports'
import { type CallPool, PooledCall } from '../shared/call-pool.ts'
import { rewatch } from '../shared/deadlines.ts'
import { maxBufferMs, type Settle } from '../shared/upstream-call.ts'
import { cancelledError, upstreamErrorOf } from '../shared/upstream-errors.ts'
import type { Connection, ConnectionUser } from './connection.ts'
import type { Http1ResponseHead } from './parser/head-reader.ts'
import { type RequestBodyOwner, RequestBodyWriter } from './request-body-writer.ts'
import { type BodyFraming, expectsBody, requestHead } from './request-head.ts'

/** Request bodies up to this number of bytes are written together with the head in one call. */
const maxJoinedBytes = 4096

/** What an exchange uses of the pool it runs in. */
type ExchangePool = Pick<CallPool<Connection, Exchange>, 'deadlines' | 'runFresh' | 'forget'> & {
  /** Host and port in the form of a Host header. */
  readonly authority: string
}

export class Exchange extends PooledCall<Connection> implements ConnectionUser, RequestBodyOwner {
  /** The request to send. */
  readonly method: string
  head = ''
  body: Uint8Array | undefined = undefined
  bodyWriter: RequestBodyWriter | undefined = undefined
  private readonly pool: ExchangePool
  /** The connection closes after the response, because the request or the response says so. */
  private closes = false
  private trailers: HeaderPairs | undefined = undefined

  constructor(request: UpstreamRequest, pool: ExchangePool, settle: Settle) {
    super(request, pool.deadlines, settle)
    this.pool = pool
    this.method = request.method
    const { body, bodyLength } = request
    let framing: BodyFraming = 'none'
    if (body instanceof Uint8Array) {
      if (body.length > 0) framing = body.length
    } else if (body !== undefined) framing = bodyLength ?? 'chunked'
    const head = requestHead(request, framing, pool.authority, trailerNamesOf(body))
    if (head === undefined) {
      const error = new Error('the request cannot be sent: its method, path or headers are not valid')
      this.failWith(error, upstreamErrorOf(error))
      cancelBody(body)
      return
    }
    this.head = head.text
    this.closes = head.closes || (body !== undefined && !expectsBody(request.method))
    if (body instanceof Uint8Array) {
      if (body.length > maxJoinedBytes) this.body = body
      else if (body.length > 0) this.head += latin1Of(body)
    } else if (body !== undefined) this.sendStream(body, request)
    pool.deadlines.watch(this, request.timeoutMs)
  }

  private sendStream(body: ByteStream, { bodyLength, headers }: UpstreamRequest): void {
    // A complete body that came chunked stays chunked, in one write with the head.
    const whole = bodyLength === undefined ? body.takeBytes?.() : undefined
    if (whole === undefined) this.bodyWriter = new RequestBodyWriter(body, bodyLength, headers, this)
    else this.head += `${whole.length.toString(16)}\r\n${latin1Of(whole)}\r\n0\r\n\r\n`
  }

  get isUpload(): boolean {
    return this.bodyWriter !== undefined
  }

  protected get waitsForClient(): boolean {
    return this.bodyWriter?.waitsForClient === true
  }

  /** Returns true if request and response permit another use of the connection. */
  get leavesReusable(): boolean {
    return !this.closes && (this.bodyWriter === undefined || this.bodyWriter.complete)
  }

  protected dispatch(connection: Connection): void {
    connection.begin(this)
  }

  // Callbacks of the connection

  onInterim({ status, headers }: Http1ResponseHead): void {
    this.receiveInterim(status, headers)
  }

  onHead(head: Http1ResponseHead): void {
    if (head.closes) this.closes = true
    if (head.upstreamKeepAliveMs !== undefined && this.connection !== undefined)
      this.connection.upstreamKeepAliveMs = head.upstreamKeepAliveMs
    if (this.state === 'waiting') this.receiveHead(head)
  }

  onBody(bytes: Buffer, start: number, end: number): boolean {
    const memory = this.connection?.memory.lendable
    const lent = memory && this.lendBody(bytes.subarray(start, end), memory)
    if (lent !== undefined) return lent
    const chunk = Buffer.allocUnsafe(end - start)
    bytes.copy(chunk, 0, start, end)
    return this.receiveBody(chunk)
  }

  onTrailers(trailers: HeaderPairs): void {
    this.trailers = passedTrailers(trailers)
  }

  onPause(): void {
    if (this.state !== 'buffering') return
    // The length is unknown, so waiting for the rest could delay the response indefinitely.
    if (this.responseHead?.length === undefined) this.openStream()
    else this.deadlines.watch(this, maxBufferMs)
  }

  finish(): void {
    this.connection = undefined
    this.complete(this.trailers)
    // The error is created only if needed, because capturing its stack costs as much as serving a request.
    if (this.bodyWriter?.complete === false)
      this.bodyWriter.cancel(new Error('the upstream responded before the request body was complete'))
  }

  onError(error: unknown): void {
    this.connection = undefined
    if (this.state === 'over') return
    if (this.mayRetry(error)) {
      this.pool.runFresh(this)
      return
    }
    this.openStream()
    this.failWith(error, upstreamErrorOf(error))
    this.bodyWriter?.cancel(error)
  }

  // Callbacks of the request body

  bodyProgressed(): void {
    rewatch(this)
  }

  bodyFailed(error: unknown): void {
    const cause = error instanceof Error ? error : new Error('the request body is incomplete', { cause: error })
    this.abortCall(cancelledError(error), cause)
  }

  resumeReading(): void {
    this.connection?.resume()
  }

  protected stopTransfer(error: Error): void {
    const { connection } = this
    this.connection = undefined
    if (connection === undefined) this.pool.forget(this)
    else connection.abandon()
    this.bodyWriter?.cancel(error)
  }
}

function trailerNamesOf(body: UpstreamRequest['body']): string | undefined {
  return body === undefined || body instanceof Uint8Array ? undefined : body.trailerNames
}

function latin1Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}
