/**
 * One request to an upstream and its answer. The object is handed to undici as the raw dispatch handler: the form
 * whose headers come as bytes. Measured on 60,000 small answers, CPU of the client per call: 15.2 µs as it is here and in
 * `origin-pool.ts`, 17.0 µs with undici's pool, 18.4 µs with its pool and the documented handler, which builds an
 * object of the headers first, 23.0 µs with its `request`.
 *
 * A short answer whose bytes came in at once is given whole; any other as a stream. Whatever goes wrong before the
 * head is a fault, whatever goes wrong after it fails the stream: half an answer is never given as a whole one.
 */
import type { Socket } from 'node:net'
import {
  type HeaderPairs,
  passedTrailerNames,
  passedTrailers,
  type UpstreamAnswer,
  type UpstreamFault,
  type UpstreamRequest,
} from '@turnpike/core'
import { tunnelOfSocket } from '../socket-stream/socket-stream.ts'
import { AnswerStream, type BodySource } from '../upstream-common/answer-stream.ts'
import { type DeadlineQueue, rewatch, type Timed, unwatch } from '../upstream-common/deadlines.ts'
import { isEventStream } from '../upstream-common/event-stream.ts'
import { cancelledFault, faultOf, isUnsendable, timeoutFault, UpstreamTimeout } from '../upstream-common/faults.ts'
import { isRepeatable } from '../upstream-common/repeatable.ts'
import { encodeForWire, sendableHeaders } from '../upstream-common/sendable.ts'
import { unpackGzip, unpackWhole } from '../upstream-common/unpack.ts'
import { type AnswerHead, readHead, readPairs } from './answer-head.ts'
import type { CallHost } from './call-host.ts'
import type { Connection } from './origin-pool.ts'
import { RequestBody } from './request-body.ts'

/** Longest body that is gathered, in bytes. */
const gatherLimit = 65_536
/** How long the rest of a short body may lag behind its head before it is given as a stream. */
const gatherMs = 20

export class Call implements Timed, BodySource {
  timedQueue: DeadlineQueue | undefined = undefined
  timedBefore: Timed | undefined = undefined
  timedAfter: Timed | undefined = undefined
  timedSince = 0

  /** What undici is to send. */
  path: string
  method: string
  headers: string[]
  body: Uint8Array | RequestBody | null

  private readonly request: UpstreamRequest
  private readonly host: CallHost
  private readonly settle: (result: UpstreamAnswer | UpstreamFault) => void
  private state: 'waiting' | 'gathering' | 'streaming' | 'over' = 'waiting'
  private connection: Connection | undefined = undefined
  private abort: ((error?: Error) => void) | undefined = undefined
  private resumeParser: (() => void) | undefined = undefined
  /** The first byte of an answer was seen on this connection. */
  begun = false
  private reused = false
  private attempts = 0
  private reworded = false
  private head: AnswerHead | undefined = undefined
  private chunks: Buffer[] = []
  private gathered = 0
  private stream: AnswerStream | undefined = undefined

  constructor(request: UpstreamRequest, host: CallHost, settle: (result: UpstreamAnswer | UpstreamFault) => void) {
    this.request = request
    this.host = host
    this.settle = settle
    this.path = request.path
    this.method = request.method
    const { body } = request
    if (body === undefined || body instanceof Uint8Array) {
      this.body = body ?? null
      this.headers = sendableHeaders(request.headers, undefined)
    } else {
      this.body = new RequestBody(body, () => rewatch(this))
      this.headers = sendableHeaders(request.headers, request.bodyLength)
    }
    host.deadlines.watch(this, request.timeoutMs)
  }

  get isOver(): boolean {
    return this.state === 'over'
  }

  /** Goes out over this connection; called by the pool, a second time only for what `repeatable.ts` lets go out again. */
  goOver(connection: Connection): void {
    this.connection = connection
    this.reused = connection.used
    this.attempts++
    this.begun = false
    this.abort = undefined
    connection.dispatch(this)
  }

  /** The client went away. */
  cancel(): void {
    this.giveUp(cancelledFault(undefined), new Error('the call was cancelled'))
  }

  /** The protocol to change to, as undici takes it. */
  get upgrade(): string | null {
    return this.request.upgrade ?? null
  }

  // The way of undici's raw handler, in the order of its calls.

  onConnect(abort: (error?: Error) => void): void {
    this.abort = abort
    if (this.state === 'over') abort()
  }

  onResponseStarted(): void {
    this.begun = true
  }

  onHeaders(status: number, raw: Buffer[], resume: () => void): boolean {
    // Interim answers: none of them is the answer (RFC 9110, 15.2).
    if (status < 200 || this.state !== 'waiting') return true
    const head = readHead(status, raw)
    this.head = head
    this.resumeParser = resume
    if (head.length === undefined && this.mayHaveBody(status)) {
      // Nobody told how long it is. What is there when the parser returns is all that may be given whole.
      this.state = 'gathering'
      queueMicrotask(() => this.openStream())
    } else if (head.length !== undefined && head.length > gatherLimit && this.mayHaveBody(status)) {
      this.openStream()
    } else {
      this.state = 'gathering'
      this.host.deadlines.watch(this, gatherMs)
    }
    return true
  }

  /** The upstream changed the protocol: the connection is the caller's now. */
  onUpgrade(status: number, raw: Buffer[] | null, socket: Socket): void {
    if (this.state !== 'waiting') {
      socket.destroy()
      this.letGo(false)
      return
    }
    unwatch(this)
    this.state = 'over'
    const { headers } = readHead(status, raw ?? [])
    const tunnel = tunnelOfSocket(socket)
    this.settle({ kind: 'answer', status, headers, body: undefined, bodyLength: undefined, tunnel })
    this.letGo(false)
  }

  onData(chunk: Buffer): boolean {
    if (this.state === 'gathering') {
      this.chunks.push(chunk)
      this.gathered += chunk.length
      if (this.gathered > gatherLimit) this.openStream()
      return true
    }
    if (this.stream === undefined || this.state !== 'streaming') return true
    rewatch(this)
    return this.stream.push(chunk)
  }

  onComplete(raw: Buffer[] | null): void {
    // Trailers stand at the end of a stream, and nowhere else.
    const trailers = raw === null || raw.length === 0 ? undefined : this.trailersOf(raw)
    if (trailers !== undefined) this.openStream()
    unwatch(this)
    const { state } = this
    this.state = 'over'
    if (state === 'gathering') this.settleWhole()
    else if (state === 'streaming') this.stream?.finish(trailers)
    this.letGo(this.head?.closes !== true)
  }

  onError(error: unknown): void {
    if (this.state === 'over') {
      this.letGo(false)
      return
    }
    if (this.state === 'waiting') {
      const isFirstByteLost = this.attempts === 1 && this.reused && !this.begun
      if (isFirstByteLost && this.body === null && isRepeatable(this.method, error)) {
        this.letGo(false)
        this.host.runFresh(this)
        return
      }
      if (isUnsendable(error) && !this.reworded) {
        this.reword()
        return
      }
    }
    unwatch(this)
    this.openStream()
    const { state } = this
    this.state = 'over'
    if (state === 'streaming') this.stream?.breakOff(error)
    else this.settle(this.faultBefore(error))
    this.letGo(isUnsendable(error))
  }

  /** The deadline: for the head, for the rest of a short body, or for the next bytes of a long one. */
  expire(): void {
    const { timeoutMs } = this.request
    if (this.state === 'gathering') {
      this.openStream()
      return
    }
    const { stream, body } = this
    // Silence is only the upstream's fault when it is the upstream's turn.
    if (stream?.holdsBack || (this.state === 'waiting' && body instanceof RequestBody && body.waitsForClient)) {
      this.host.deadlines.watch(this, timeoutMs)
      return
    }
    this.giveUp(timeoutFault(timeoutMs), new UpstreamTimeout(timeoutMs))
  }

  resumeReading(): void {
    // Never from within the parser, which may be under way for another call.
    queueMicrotask(() => {
      if (this.state === 'streaming') this.resumeParser?.()
    })
  }

  abandon(): void {
    this.giveUp(cancelledFault(undefined), new Error('the rest of the answer is not wanted'))
  }

  private giveUp(fault: UpstreamFault, error: Error): void {
    const { state } = this
    if (state === 'over') return
    unwatch(this)
    this.state = 'over'
    if (state === 'streaming') this.stream?.breakOff(error)
    else this.settle(fault)
    if (this.connection === undefined) this.host.forget(this)
    else if (this.abort === undefined) this.letGo(false)
    else this.abort(error)
  }

  private mayHaveBody(status: number): boolean {
    return this.method !== 'HEAD' && status !== 204 && status !== 304
  }

  private settleWhole(): void {
    const head = this.head as AnswerHead
    const body = this.mayHaveBody(head.status) ? joined(this.chunks, this.gathered) : undefined
    const bodyLength = body === undefined ? head.length : body.length
    const answer: UpstreamAnswer = { kind: 'answer', status: head.status, headers: head.headers, body, bodyLength }
    this.settle(this.request.unpack && head.gzipped && this.gathered > 0 ? unpackWhole(answer) : answer)
  }

  private trailersOf(raw: Buffer[]): HeaderPairs | undefined {
    return this.mayHaveBody(this.head?.status ?? 0) ? passedTrailers(readPairs(raw)) : undefined
  }

  // Does nothing unless the head is there and the body not yet given.
  private openStream(): void {
    if (this.head === undefined || (this.state !== 'gathering' && this.state !== 'waiting')) return
    const { status, headers, length, gzipped } = this.head
    this.state = 'streaming'
    this.host.deadlines.watch(this, isEventStream(headers) ? 0 : this.request.timeoutMs)
    this.stream = new AnswerStream(this, this.chunks, length === undefined ? passedTrailerNames(headers) : undefined)
    const answer: UpstreamAnswer = { kind: 'answer', status, headers, body: this.stream, bodyLength: length }
    this.settle(this.request.unpack && gzipped ? unpackGzip(answer, this.stream) : answer)
  }

  private reword(): void {
    this.reworded = true
    const { path, headers } = encodeForWire(this.path, this.headers)
    this.path = path
    this.headers = headers
    this.connection?.dispatch(this)
  }

  private faultBefore(error: unknown): UpstreamFault {
    const { body } = this
    return body instanceof RequestBody && body.failure !== undefined ? cancelledFault(body.failure) : faultOf(error)
  }

  private letGo(reusable: boolean): void {
    const { connection } = this
    this.connection = undefined
    if (connection !== undefined) this.host.release(connection, reusable)
  }
}

function joined(chunks: Buffer[], size: number): Uint8Array {
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size)
}
