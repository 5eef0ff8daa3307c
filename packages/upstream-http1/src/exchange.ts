/**
 * One request to an upstream and its response. The life cycle is the same as in `upstream-undici/call.ts`.
 *
 * A short response whose bytes arrive together has a body of bytes, all others have a stream. An error before the head
 * gives an `UpstreamError`; a later error fails the stream, so that a truncated body never looks complete.
 */
import {
  cancelBody,
  type HeaderPairs,
  passedTrailerNames,
  passedTrailers,
  type UpstreamError,
  type UpstreamRequest,
  type UpstreamResponse,
} from '@turnpike/core'
import type { Connection, ConnectionUser } from './connection.ts'
import { UnsendableRequest } from './connection-errors.ts'
import type { ResponseHead } from './head-reader.ts'
import { type RequestBodyOwner, RequestBodyWriter } from './request-body-writer.ts'
import { type BodyFraming, expectsBody, requestHead } from './request-head.ts'
import { type DeadlineQueue, type Deadlines, rewatch, type Timed, unwatch } from './shared/deadlines.ts'
import { isEventStream } from './shared/event-stream.ts'
import { gunzipStreamed, gunzipWhole } from './shared/gunzip-response.ts'
import { isForwardedInterim } from './shared/interim-status.ts'
import { type BodySource, ResponseBodyStream } from './shared/response-body-stream.ts'
import { isRetryable } from './shared/retryable.ts'
import { cancelledError, timeoutError, UpstreamTimeout, upstreamErrorOf } from './shared/upstream-errors.ts'

/** Maximum bytes of a body that is buffered. */
const maxBufferedBytes = 65_536
/** Milliseconds to wait for the rest of a short body before it becomes a stream. */
const maxBufferMs = 20
/** Request bodies up to this number of bytes are written together with the head in one call. */
const maxJoinedBytes = 4096

/** What an exchange uses of the pool it runs in. */
export interface ExchangePool {
  readonly deadlines: Deadlines
  /** Host and port in the form of a Host header. */
  readonly authority: string
  /** Sends the exchange over an idle or a new connection, or queues it. */
  run(exchange: Exchange): void
  /** Sends the exchange over a new connection. */
  runFresh(exchange: Exchange): void
  /** Removes an exchange from the queue. */
  forget(exchange: Exchange): void
}

export class Exchange implements Timed, BodySource, ConnectionUser, RequestBodyOwner {
  timedQueue: DeadlineQueue | undefined = undefined
  timedBefore: Timed | undefined = undefined
  timedAfter: Timed | undefined = undefined
  timedSince = 0

  /** The request to send. */
  readonly method: string
  head = ''
  body: Uint8Array | undefined = undefined
  bodyWriter: RequestBodyWriter | undefined = undefined
  /** The connection has received bytes for this call. */
  receivedBytes = false

  private readonly request: UpstreamRequest
  private readonly pool: ExchangePool
  private readonly settle: (result: UpstreamResponse | UpstreamError) => void
  private state: 'waiting' | 'buffering' | 'streaming' | 'over' = 'waiting'
  private connection: Connection | undefined = undefined
  private reused = false
  private attempts = 0
  private closes = false
  private responseHead: ResponseHead | undefined = undefined
  private chunks: Uint8Array[] | undefined = undefined
  private first: Uint8Array | undefined = undefined
  private bufferedBytes = 0
  private trailers: HeaderPairs | undefined = undefined
  private stream: ResponseBodyStream | undefined = undefined

  constructor(
    request: UpstreamRequest,
    pool: ExchangePool,
    settle: (result: UpstreamResponse | UpstreamError) => void,
  ) {
    this.request = request
    this.pool = pool
    this.settle = settle
    this.method = request.method
    const { body, bodyLength } = request
    let framing: BodyFraming = 'none'
    if (body instanceof Uint8Array) {
      if (body.length > 0) framing = body.length
    } else if (body !== undefined) framing = bodyLength ?? 'chunked'
    const head = requestHead(request, framing, pool.authority, trailerNamesOf(body))
    if (head === undefined) {
      this.state = 'over'
      cancelBody(body)
      settle(upstreamErrorOf(new UnsendableRequest()))
      return
    }
    this.head = head.text
    this.closes = head.closes || (body !== undefined && !expectsBody(request.method))
    if (body instanceof Uint8Array) {
      if (body.length > maxJoinedBytes) this.body = body
      else if (body.length > 0) this.head += latin1Of(body)
    } else if (body !== undefined) this.bodyWriter = new RequestBodyWriter(body, bodyLength, request.headers, this)
    pool.deadlines.watch(this, request.timeoutMs)
  }

  /** The body is a stream, whose end the client decides. */
  get isUpload(): boolean {
    return this.bodyWriter !== undefined
  }

  /** Returns true if the connection can be reused after the response. */
  get leavesReusable(): boolean {
    return (
      !this.closes && this.responseHead?.closes === false && (this.bodyWriter === undefined || this.bodyWriter.complete)
    )
  }

  /** Requests a connection, unless the call was cancelled before. */
  start(): void {
    if (this.state !== 'over') this.pool.run(this)
  }

  /** Sends the request over a connection. The pool calls it again only for a retry that `retryable.ts` allows. */
  sendOver(connection: Connection): void {
    this.connection = connection
    this.reused = connection.used
    this.attempts++
    this.receivedBytes = false
    connection.begin(this)
  }

  /** The client disconnected. */
  cancel(): void {
    this.abortCall(cancelledError(undefined), new Error('the call was cancelled'))
  }

  // Callbacks of the connection

  onInterim({ status, headers }: ResponseHead): void {
    if (isForwardedInterim(status)) this.request.onInterim?.(status, headers)
  }

  onHead(head: ResponseHead): void {
    this.responseHead = head
    if (head.upstreamKeepAliveMs !== undefined && this.connection !== undefined)
      this.connection.upstreamKeepAliveMs = head.upstreamKeepAliveMs
    if (this.state !== 'waiting') return
    this.state = 'buffering'
    if (head.length !== undefined && head.length > maxBufferedBytes && this.mayHaveBody(head.status)) this.openStream()
  }

  onBody(bytes: Buffer, start: number, end: number): boolean {
    const chunk = Buffer.allocUnsafe(end - start)
    bytes.copy(chunk, 0, start, end)
    if (this.state === 'buffering') {
      if (this.first === undefined) this.first = chunk
      else if (this.chunks === undefined) this.chunks = [this.first, chunk]
      else this.chunks.push(chunk)
      this.bufferedBytes += chunk.length
      if (this.bufferedBytes > maxBufferedBytes) this.openStream()
      return true
    }
    if (this.stream === undefined || this.state !== 'streaming') return true
    rewatch(this)
    return this.stream.push(chunk)
  }

  onTrailers(trailers: HeaderPairs): void {
    this.trailers = passedTrailers(trailers)
  }

  /** All received bytes were parsed, and the response is incomplete. */
  onPause(): void {
    if (this.state !== 'buffering') return
    // The length is unknown, so waiting for the rest could delay the response indefinitely.
    if (this.responseHead?.length === undefined) this.openStream()
    else this.pool.deadlines.watch(this, maxBufferMs)
  }

  /** The response is complete. The connection no longer belongs to this call. */
  finish(): void {
    unwatch(this)
    const { state } = this
    this.state = 'over'
    this.connection = undefined
    if (state === 'buffering') this.settleComplete()
    else if (state === 'streaming') this.stream?.finish(this.trailers)
    // The error is created only if needed, because capturing its stack costs as much as serving a request.
    if (this.bodyWriter?.complete === false)
      this.bodyWriter.cancel(new Error('the upstream responded before the request body was complete'))
  }

  /** The connection failed and is closed. */
  fail(error: unknown): void {
    this.connection = undefined
    if (this.state === 'over') return
    if (this.state === 'waiting' && this.mayRetry(error)) {
      this.pool.runFresh(this)
      return
    }
    unwatch(this)
    this.openStream()
    const { state } = this
    this.state = 'over'
    if (state === 'streaming') this.stream?.abort(error)
    else this.settle(upstreamErrorOf(error))
    this.bodyWriter?.cancel(error)
  }

  /** Settles the call with a complete response. */
  private settleComplete(): void {
    if (this.trailers !== undefined) {
      this.settleWithTrailers()
      return
    }
    const { status, headers, length, gzipped } = this.responseHead as ResponseHead
    const body = this.mayHaveBody(status) ? this.bufferedBody() : undefined
    const bodyLength = body === undefined ? length : body.length
    const responseHead: UpstreamResponse = { kind: 'response', status, headers, body, bodyLength }
    this.settle(gzipped && this.request.unpack && this.bufferedBytes > 0 ? gunzipWhole(responseHead) : responseHead)
  }

  /** Settles with a stream, because only streams have trailers. */
  private settleWithTrailers(): void {
    this.state = 'buffering'
    this.openStream()
    unwatch(this)
    this.state = 'over'
    this.stream?.finish(this.trailers)
  }

  // Callbacks of the request body

  bodyProgressed(): void {
    rewatch(this)
  }

  bodyFailed(error: unknown): void {
    const cause = error instanceof Error ? error : new Error('the request body is incomplete', { cause: error })
    this.abortCall(cancelledError(error), cause)
  }

  /** The deadline for the head, for the rest of a short body, or for the next bytes of a long one has passed. */
  expire(): void {
    const { timeoutMs } = this.request
    if (this.state === 'buffering') {
      this.openStream()
      return
    }
    // No timeout while the upstream waits for the client.
    if (this.stream?.pausesUpstream || (this.state === 'waiting' && this.bodyWriter?.waitsForClient)) {
      this.pool.deadlines.watch(this, timeoutMs)
      return
    }
    this.abortCall(timeoutError(timeoutMs), new UpstreamTimeout(timeoutMs))
  }

  resumeReading(): void {
    this.connection?.resume()
  }

  abandon(): void {
    this.abortCall(cancelledError(undefined), new Error('the response body was cancelled'))
  }

  private mayRetry(error: unknown): boolean {
    const isFirstByteLost = this.attempts === 1 && this.reused && !this.receivedBytes
    return isFirstByteLost && this.request.body === undefined && isRetryable(this.method, error)
  }

  private abortCall(result: UpstreamError, error: Error): void {
    const { state, connection } = this
    if (state === 'over') return
    unwatch(this)
    this.state = 'over'
    this.connection = undefined
    if (connection === undefined) this.pool.forget(this)
    else connection.abandon()
    if (state === 'streaming') this.stream?.abort(error)
    else this.settle(result)
    this.bodyWriter?.cancel(error)
  }

  private mayHaveBody(status: number): boolean {
    return this.method !== 'HEAD' && status !== 204 && status !== 304
  }

  private bufferedBody(): Uint8Array {
    if (this.chunks !== undefined) return Buffer.concat(this.chunks, this.bufferedBytes)
    return this.first ?? new Uint8Array(0)
  }

  // Does nothing before the head has arrived, or if the call is already settled.
  private openStream(): void {
    if (this.responseHead === undefined || this.state !== 'buffering') return
    const { status, headers, length, gzipped, chunked } = this.responseHead
    this.state = 'streaming'
    this.pool.deadlines.watch(this, isEventStream(headers) ? 0 : this.request.timeoutMs)
    this.stream = new ResponseBodyStream(
      this,
      this.bufferedBytes === 0 ? [] : [this.bufferedBody()],
      chunked ? passedTrailerNames(headers) : undefined,
    )
    const responseHead: UpstreamResponse = { kind: 'response', status, headers, body: this.stream, bodyLength: length }
    this.settle(gzipped && this.request.unpack ? gunzipStreamed(responseHead, this.stream) : responseHead)
  }
}

function trailerNamesOf(body: UpstreamRequest['body']): string | undefined {
  return body === undefined || body instanceof Uint8Array ? undefined : body.trailerNames
}

function latin1Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}
