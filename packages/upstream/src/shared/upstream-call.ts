/**
 * The life cycle of one request to an upstream and its response, which all HTTP clients share.
 *
 * A short response whose bytes arrive together has a body of bytes, all others have a stream. An error before the head
 * gives an `UpstreamError`; a later error fails the stream, so that a truncated body never looks complete.
 */
import { type HeaderPairs, headerOf, passedTrailerNames } from '@turnpike/core/http'
import { isPromise } from '@turnpike/core/lib'
import type { UpstreamError, UpstreamRequest, UpstreamResponse } from '@turnpike/core/ports'
import type { ChunkJoiner } from './chunk-joiner.ts'
import { type DeadlineQueue, type Deadlines, rewatch, type Timed, unwatch } from './deadlines.ts'
import { gunzipStreamed, gunzipWhole } from './gunzip-response.ts'
import type { LentMemory } from './read-memory.ts'
import { type BodySource, ResponseBodyStream } from './response-body-stream.ts'
import type { ResponseHead } from './response-head.ts'
import { cancelledError, timeoutError, UpstreamTimeout } from './upstream-errors.ts'

/** Maximum bytes of a body that is buffered. */
export const maxBufferedBytes = 65_536
/** Milliseconds to wait for the rest of a short body before it becomes a stream. */
export const maxBufferMs = 20

export type Settle = (result: UpstreamResponse | UpstreamError) => void

export abstract class UpstreamCall implements Timed, BodySource {
  timedQueue: DeadlineQueue | undefined = undefined
  timedBefore: Timed | undefined = undefined
  timedAfter: Timed | undefined = undefined
  timedSince = 0

  protected readonly request: UpstreamRequest
  protected readonly deadlines: Deadlines
  protected state: 'waiting' | 'buffering' | 'streaming' | 'over' = 'waiting'
  protected stream: ResponseBodyStream | undefined = undefined
  /** Pieces of a streamed body that are passed on together; `undefined` if the client joins them itself. */
  protected readonly joiner: ChunkJoiner | undefined = undefined
  private readonly settle: Settle
  protected responseHead: ResponseHead | undefined = undefined
  private chunks: Uint8Array[] | undefined = undefined
  private bufferedBytes = 0

  constructor(request: UpstreamRequest, deadlines: Deadlines, settle: Settle) {
    this.request = request
    this.deadlines = deadlines
    this.settle = settle
  }

  /** Returns true if the upstream waits for bytes of the client, so that its timeout does not apply. */
  protected abstract get waitsForClient(): boolean
  /** Stops the transfer of a call that was aborted. */
  protected abstract stopTransfer(error: Error): void
  abstract resumeReading(): void

  get isOver(): boolean {
    return this.state === 'over'
  }

  /** The client disconnected. */
  cancel(): void {
    this.abortCall(cancelledError(undefined), new Error('the call was cancelled'))
  }

  abandon(): void {
    this.abortCall(cancelledError(undefined), new Error('the response body was cancelled'))
  }

  /** The deadline for the head, for the rest of a short body, or for the next bytes of a long one has passed. */
  expire(): void {
    const { timeoutMs } = this.request
    if (this.state === 'buffering') this.openStream()
    else if (this.stream?.pausesUpstream || (this.state === 'waiting' && this.waitsForClient)) {
      this.deadlines.watch(this, timeoutMs)
    } else this.abortCall(timeoutError(timeoutMs), new UpstreamTimeout(timeoutMs))
  }

  /**
   * Passes an interim response to the client if its status is 102 or 103. 100 concerns one connection only, 101 ends HTTP
   * on it, and others have no meaning yet.
   */
  protected receiveInterim(status: number, headers: HeaderPairs): void {
    if (status === 102 || status === 103) this.request.onInterim?.(status, headers)
  }

  /** The head has arrived. A body that is too long to be buffered becomes a stream. */
  protected receiveHead(head: ResponseHead): void {
    this.responseHead = head
    this.state = 'buffering'
    if (head.length !== undefined && head.length > maxBufferedBytes && this.mayHaveBody(head.status)) this.openStream()
  }

  /** Buffers a piece of the body or passes it on. Returns false to pause the upstream. */
  protected receiveBody(chunk: Uint8Array): boolean {
    const { state, stream } = this
    if (state === 'buffering') {
      if (this.chunks === undefined) this.chunks = [chunk]
      else this.chunks.push(chunk)
      this.bufferedBytes += chunk.length
      if (this.bufferedBytes > maxBufferedBytes) this.openStream()
      return true
    }
    if (stream === undefined || state !== 'streaming') return true
    rewatch(this)
    if (this.joiner === undefined) return stream.push(chunk)
    this.joiner.add(chunk)
    return !stream.pausesUpstream
  }

  /** Lends a piece of the body to its receiver. Returns false to pause the upstream; `undefined`: it takes only copies. */
  protected lendBody(chunk: Uint8Array, memory: LentMemory): boolean | undefined {
    const { stream } = this
    if (this.state !== 'streaming' || stream?.borrows !== true) return undefined
    rewatch(this)
    return stream.lend(chunk, memory)
  }

  /** The response is complete. `trailers` contains only those that may be forwarded. */
  protected complete(trailers: HeaderPairs | undefined): void {
    // Only streams have trailers.
    if (trailers !== undefined) this.openStream()
    unwatch(this)
    this.joiner?.flush()
    const { state } = this
    this.state = 'over'
    if (state === 'buffering') this.settleComplete(this.responseHead as ResponseHead)
    else if (state === 'streaming') this.stream?.finish(trailers)
  }

  /** Fails the stream of the response, or settles the call with the result if there is no stream. */
  protected failWith(error: unknown, result: UpstreamError): void {
    unwatch(this)
    this.joiner?.flush()
    const { state } = this
    this.state = 'over'
    if (state === 'streaming') this.stream?.abort(error)
    else if (state !== 'over') this.settle(result)
  }

  protected abortCall(result: UpstreamError, error: Error): void {
    if (this.state === 'over') return
    this.failWith(error, result)
    this.stopTransfer(error)
  }

  /** The call ends with a response that has no body, or without one: another client sends the request. */
  protected endWith(result: UpstreamResponse | Promise<UpstreamResponse | UpstreamError>): void {
    unwatch(this)
    this.state = 'over'
    if (isPromise(result)) void result.then(this.settle)
    else this.settle(result)
  }

  protected mayHaveBody(status: number): boolean {
    return this.request.method !== 'HEAD' && status !== 204 && status !== 304
  }

  /** Event streams (HTML standard, section 9.2) may be silent, so the timeout does not apply to them. */
  protected mayBeSilent(headers: HeaderPairs): boolean {
    return headerOf(headers, 'content-type')?.trimStart().toLowerCase().startsWith('text/event-stream') ?? false
  }

  private settleComplete({ status, headers, length, gzipped }: ResponseHead): void {
    const body = this.mayHaveBody(status) ? this.bufferedBody() : undefined
    const bodyLength = body === undefined ? length : body.length
    const response: UpstreamResponse = { kind: 'response', status, headers, body, bodyLength }
    this.settle(gzipped && this.request.unpack && this.bufferedBytes > 0 ? gunzipWhole(response) : response)
  }

  private bufferedBody(): Uint8Array {
    const { chunks } = this
    if (chunks === undefined) return new Uint8Array(0)
    return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks, this.bufferedBytes)
  }

  /** Settles the call with a stream. Does nothing before the head has arrived, or if the call is already settled. */
  protected openStream(): void {
    const { responseHead: head, request } = this
    if (head === undefined || this.state !== 'buffering') return
    const { status, headers, length, gzipped, chunked } = head
    this.state = 'streaming'
    this.deadlines.watch(this, this.mayBeSilent(headers) ? 0 : request.timeoutMs)
    const buffered = this.bufferedBytes === 0 ? [] : [this.bufferedBody()]
    const stream = new ResponseBodyStream(this, buffered, chunked ? passedTrailerNames(headers) : undefined)
    this.stream = stream
    const response: UpstreamResponse = { kind: 'response', status, headers, body: stream, bodyLength: length }
    this.settle(gzipped && request.unpack ? gunzipStreamed(response, stream) : response)
  }
}
