/**
 * One request to an upstream and its answer: the same way, and the same rules, as in `upstream-undici/call.ts`.
 *
 * A short answer whose bytes came in at once is given whole; any other as a stream. Whatever goes wrong before the
 * head is a fault, whatever goes wrong after it fails the stream: half an answer is never given as a whole one.
 */
import {
  type HeaderPairs,
  passedTrailerNames,
  passedTrailers,
  type UpstreamAnswer,
  type UpstreamFault,
  type UpstreamRequest,
} from '@turnpike/core'
import { AnswerStream, type BodySource } from '../upstream-common/answer-stream.ts'
import { type DeadlineQueue, rewatch, type Timed, unwatch } from '../upstream-common/deadlines.ts'
import { isEventStream } from '../upstream-common/event-stream.ts'
import { cancelledFault, faultOf, timeoutFault, UpstreamTimeout } from '../upstream-common/faults.ts'
import { isRepeatable } from '../upstream-common/repeatable.ts'
import { unpackGzip, unpackWhole } from '../upstream-common/unpack.ts'
import type { AnswerReceiver } from './answer-parser.ts'
import type { CallHost } from './call-host.ts'
import type { Connection } from './connection.ts'
import { UnsendableRequest } from './errors.ts'
import type { AnswerHead } from './head-reader.ts'
import { type FlowOwner, RequestFlow } from './request-flow.ts'
import { type BodyFraming, expectsBody, requestHead } from './request-head.ts'

/** Longest body that is gathered, in bytes. */
const gatherLimit = 65_536
/** How long the rest of a short body may lag behind its head before it is given as a stream. */
const gatherMs = 20
/** Whole bodies up to this length are sent as one text with the head: one piece instead of two. */
const joinedBytes = 4096

export class Call implements Timed, BodySource, AnswerReceiver, FlowOwner {
  timedQueue: DeadlineQueue | undefined = undefined
  timedBefore: Timed | undefined = undefined
  timedAfter: Timed | undefined = undefined
  timedSince = 0

  /** What is to be sent. */
  readonly method: string
  head = ''
  body: Uint8Array | undefined = undefined
  flow: RequestFlow | undefined = undefined
  /** A byte came back over its connection. */
  begun = false

  private readonly request: UpstreamRequest
  private readonly host: CallHost
  private readonly settle: (result: UpstreamAnswer | UpstreamFault) => void
  private state: 'waiting' | 'gathering' | 'streaming' | 'over' = 'waiting'
  private connection: Connection | undefined = undefined
  private reused = false
  private attempts = 0
  private closes = false
  private answer: AnswerHead | undefined = undefined
  private chunks: Uint8Array[] | undefined = undefined
  private first: Uint8Array | undefined = undefined
  private gathered = 0
  private trailers: HeaderPairs | undefined = undefined
  private stream: AnswerStream | undefined = undefined

  constructor(request: UpstreamRequest, host: CallHost, settle: (result: UpstreamAnswer | UpstreamFault) => void) {
    this.request = request
    this.host = host
    this.settle = settle
    this.method = request.method
    const { body, bodyLength } = request
    let framing: BodyFraming = 'none'
    if (body instanceof Uint8Array) {
      if (body.length > 0) framing = body.length
    } else if (body !== undefined) framing = bodyLength ?? 'chunked'
    const head = requestHead(request, framing, host.authority, trailerNamesOf(body))
    if (head === undefined) {
      this.state = 'over'
      if (body !== undefined && !(body instanceof Uint8Array)) body.cancel()
      settle(faultOf(new UnsendableRequest()))
      return
    }
    this.head = head.text
    this.closes = head.closes || (body !== undefined && !expectsBody(request.method))
    if (body instanceof Uint8Array) {
      if (body.length > joinedBytes) this.body = body
      else if (body.length > 0) this.head += latin1Of(body)
    } else if (body !== undefined) this.flow = new RequestFlow(body, bodyLength, request.headers, this)
    host.deadlines.watch(this, request.timeoutMs)
    host.turn.asking.add(this)
  }

  /** Whether the connection is clean behind a complete answer. */
  get leavesReusable(): boolean {
    return !this.closes && this.answer?.closes === false && (this.flow === undefined || this.flow.complete)
  }

  /** Looks for a connection, unless it was given up before. */
  ask(): void {
    if (this.state !== 'over') this.host.run(this)
  }

  /** Goes out over this connection; called by the pool, a second time only for what `repeatable.ts` lets go out again. */
  goOver(connection: Connection): void {
    this.connection = connection
    this.reused = connection.used
    this.attempts++
    this.begun = false
    connection.begin(this)
  }

  /** The client went away. */
  cancel(): void {
    this.giveUp(cancelledFault(undefined), new Error('the call was cancelled'))
  }

  // What the connection tells.

  onHead(head: AnswerHead): void {
    this.answer = head
    if (head.keptMs !== undefined && this.connection !== undefined) this.connection.keptMs = head.keptMs
    if (this.state !== 'waiting') return
    this.state = 'gathering'
    if (head.length !== undefined && head.length > gatherLimit && this.mayHaveBody(head.status)) this.openStream()
  }

  onBody(bytes: Buffer, start: number, end: number): boolean {
    const chunk = Buffer.allocUnsafe(end - start)
    bytes.copy(chunk, 0, start, end)
    if (this.state === 'gathering') {
      if (this.first === undefined) this.first = chunk
      else if (this.chunks === undefined) this.chunks = [this.first, chunk]
      else this.chunks.push(chunk)
      this.gathered += chunk.length
      if (this.gathered > gatherLimit) this.openStream()
      return true
    }
    if (this.stream === undefined || this.state !== 'streaming') return true
    rewatch(this)
    return this.stream.push(chunk)
  }

  onTrailers(trailers: HeaderPairs): void {
    this.trailers = passedTrailers(trailers)
  }

  /** All that came was read, and the answer is not complete. */
  onPause(): void {
    if (this.state !== 'gathering') return
    // Nobody told how long it is: what is there is all that may be given at once.
    if (this.answer?.length === undefined) this.openStream()
    else this.host.deadlines.watch(this, gatherMs)
  }

  /** The answer is complete, and the connection let go. */
  finish(): void {
    unwatch(this)
    const { state } = this
    this.state = 'over'
    this.connection = undefined
    if (state === 'gathering') this.host.turn.answering.add(this)
    else if (state === 'streaming') this.stream?.finish(this.trailers)
    // Mostly it is complete, and an error is dear: its stack costs as much as a whole request.
    if (this.flow?.complete === false) this.flow.cancel(new Error('the upstream answered before the body was complete'))
  }

  /** The connection broke, and is gone. */
  fail(error: unknown): void {
    this.connection = undefined
    if (this.state === 'over') return
    if (this.state === 'waiting' && this.mayRepeat(error)) {
      this.host.runFresh(this)
      return
    }
    unwatch(this)
    this.openStream()
    const { state } = this
    this.state = 'over'
    if (state === 'streaming') this.stream?.breakOff(error)
    else this.settle(faultOf(error))
    this.flow?.cancel(error)
  }

  /** Gives an answer that is complete. */
  giveWhole(): void {
    if (this.trailers !== undefined) {
      this.giveWithTrailers()
      return
    }
    const { status, headers, length, gzipped } = this.answer as AnswerHead
    const body = this.mayHaveBody(status) ? this.gatheredBody() : undefined
    const bodyLength = body === undefined ? length : body.length
    const answer: UpstreamAnswer = { kind: 'answer', status, headers, body, bodyLength }
    this.settle(gzipped && this.request.unpack && this.gathered > 0 ? unpackWhole(answer) : answer)
  }

  /** Trailers stand at the end of a stream, and nowhere else. */
  private giveWithTrailers(): void {
    this.state = 'gathering'
    this.openStream()
    unwatch(this)
    this.state = 'over'
    this.stream?.finish(this.trailers)
  }

  // What the body on its way up tells.

  bodyMoved(): void {
    rewatch(this)
  }

  bodyBroke(error: unknown): void {
    const cause = error instanceof Error ? error : new Error('the body of the request broke off', { cause: error })
    this.giveUp(cancelledFault(error), cause)
  }

  /** The deadline: for the head, for the rest of a short body, or for the next bytes of a long one. */
  expire(): void {
    const { timeoutMs } = this.request
    if (this.state === 'gathering') {
      this.openStream()
      return
    }
    // Silence is only the upstream's fault when it is the upstream's turn.
    if (this.stream?.holdsBack || (this.state === 'waiting' && this.flow?.waitsForClient)) {
      this.host.deadlines.watch(this, timeoutMs)
      return
    }
    this.giveUp(timeoutFault(timeoutMs), new UpstreamTimeout(timeoutMs))
  }

  resumeReading(): void {
    this.connection?.resume()
  }

  abandon(): void {
    this.giveUp(cancelledFault(undefined), new Error('the rest of the answer is not wanted'))
  }

  private mayRepeat(error: unknown): boolean {
    const isFirstByteLost = this.attempts === 1 && this.reused && !this.begun
    return isFirstByteLost && this.request.body === undefined && isRepeatable(this.method, error)
  }

  private giveUp(fault: UpstreamFault, error: Error): void {
    const { state, connection } = this
    if (state === 'over') return
    unwatch(this)
    this.state = 'over'
    this.connection = undefined
    if (connection === undefined) this.host.forget(this)
    else connection.abandon()
    if (state === 'streaming') this.stream?.breakOff(error)
    else this.settle(fault)
    this.flow?.cancel(error)
  }

  private mayHaveBody(status: number): boolean {
    return this.method !== 'HEAD' && status !== 204 && status !== 304
  }

  private gatheredBody(): Uint8Array {
    if (this.chunks !== undefined) return Buffer.concat(this.chunks, this.gathered)
    return this.first ?? new Uint8Array(0)
  }

  // Does nothing unless the head is there and the body not yet given.
  private openStream(): void {
    if (this.answer === undefined || this.state !== 'gathering') return
    const { status, headers, length, gzipped, chunked } = this.answer
    this.state = 'streaming'
    this.host.deadlines.watch(this, isEventStream(headers) ? 0 : this.request.timeoutMs)
    this.stream = new AnswerStream(
      this,
      this.chunks ?? (this.first === undefined ? [] : [this.first]),
      chunked ? passedTrailerNames(headers) : undefined,
    )
    const answer: UpstreamAnswer = { kind: 'answer', status, headers, body: this.stream, bodyLength: length }
    this.settle(gzipped && this.request.unpack ? unpackGzip(answer, this.stream) : answer)
  }
}

function trailerNamesOf(body: UpstreamRequest['body']): string | undefined {
  return body === undefined || body instanceof Uint8Array ? undefined : body.trailerNames
}

function latin1Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}
