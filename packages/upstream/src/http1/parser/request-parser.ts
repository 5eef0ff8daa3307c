/**
 * Parses the requests of one connection incrementally, from pieces of any size. A head that lies in one piece, the usual
 * case, is parsed in place; otherwise pieces are buffered until the head is complete.
 *
 * The parser stops after each head, so that the caller can reject it and say how long the body is (RFC 9112 section 6.3),
 * and after each request. After an error the state is `failed` and nothing more is parsed, because the start of the next
 * request is unknown.
 */
import type { HeaderPairs } from '@turnpike/core/http'
import { ChunkReader } from './chunk-reader.ts'
import { incomplete } from './header-lines.ts'
import { type HeadProblem, type RequestHead, RequestHeadReader } from './request-head-reader.ts'

export type { RequestHead } from './request-head-reader.ts'

/** Receives the body of a request. */
export interface RequestBodyReceiver {
  onBody(chunk: Buffer): void
  /** The request is complete. `trailers` are unfiltered. */
  onEnd(trailers: HeaderPairs | undefined): void
}

/** Why a request is rejected. The last three exceed a limit of bytes: before its headers, in its headers, in its trailers. */
export type RequestProblem = HeadProblem | 'chunks' | 'long-line' | 'large-head' | 'large-trailers'

export class RequestParser {
  /** `head-read`: the caller must call `startBody`. */
  state: 'head' | 'head-read' | 'length' | 'chunked' | 'done' | 'failed' = 'head'
  /** Why the state is `failed`. */
  problem: RequestProblem = 'message'
  /** The rejected head is that of a HEAD request, whose response has no body. */
  failedHead = false
  private readonly maxHeadBytes: number
  private readonly heads = new RequestHeadReader()
  private readonly chunks: ChunkReader
  private readonly receiver: RequestBodyReceiver
  private remaining = 0
  /** Buffer for a head that arrives in pieces; the first `partialLength` bytes are used. */
  private partial: Buffer | undefined = undefined
  private partialLength = 0

  /** `maxHeadBytes` limits each head, each chunk header line, and the trailers. */
  constructor(maxHeadBytes: number, receiver: RequestBodyReceiver) {
    this.maxHeadBytes = maxHeadBytes
    this.receiver = receiver
    this.chunks = new ChunkReader(maxHeadBytes)
  }

  /** The head that was read last. */
  get head(): RequestHead {
    return this.heads.head as RequestHead
  }

  /** A byte of the request line has arrived. Empty lines before it do not count. */
  get hasBegun(): boolean {
    return this.heads.hasBegun
  }

  /** Starts the next request. */
  begin(): void {
    this.state = 'head'
    this.heads.begin()
  }

  /** Sets the length of the body in bytes; `undefined`: it is chunked. */
  startBody(length: number | undefined): void {
    this.remaining = length ?? 0
    if (length === undefined) this.chunks.begin()
    this.state = length === undefined ? 'chunked' : length === 0 ? 'done' : 'length'
  }

  /**
   * Parses bytes, and may change those of a chunked body. Receivers get parts of them, so the caller must not reuse them.
   * Returns the position up to which they were parsed, which is less than `end` after a head or a request.
   */
  feed(bytes: Buffer, start: number, end: number): number {
    switch (this.state) {
      case 'head':
        return this.partial === undefined ? this.readHead(bytes, start, end) : this.continueHead(bytes, start, end)
      case 'length':
        return this.readBody(bytes, start, Math.min(end, start + this.remaining))
      case 'chunked':
        return this.readChunks(bytes, start, end)
      default:
        return start
    }
  }

  private readHead(bytes: Buffer, start: number, end: number): number {
    const at = this.heads.read(bytes, start, end)
    if (at === incomplete && end - start <= this.maxHeadBytes) {
      this.bufferHead(bytes, start, end)
      return end
    }
    return this.headRead(bytes, start, at) ? at : start
  }

  /** Adds to a buffered head, and reads on where the reader stopped. */
  private continueHead(bytes: Buffer, start: number, end: number): number {
    const before = this.partialLength
    const room = Math.min(end - start, this.maxHeadBytes + 1 - before)
    this.bufferHead(bytes, start, start + room)
    const partial = this.partial as Buffer
    const at = this.heads.read(partial, 0, this.partialLength)
    if (at === incomplete && this.partialLength <= this.maxHeadBytes) return end
    this.partial = undefined
    this.partialLength = 0
    return this.headRead(partial, 0, at) ? start + at - before : start
  }

  /** `at`: the result of the reader for the head at `start`. Returns false if the head is rejected. */
  private headRead(bytes: Buffer, start: number, at: number): boolean {
    const isTooLong = at === incomplete || at - start > this.maxHeadBytes
    if (at >= 0 && !isTooLong) {
      this.state = 'head-read'
      return true
    }
    this.state = 'failed'
    this.failedHead = this.heads.isHead(bytes, start)
    if (!isTooLong) this.problem = this.heads.problem
    else this.problem = this.heads.hasRequestLine(this.maxHeadBytes) ? 'large-head' : 'long-line'
    return false
  }

  private bufferHead(bytes: Buffer, start: number, end: number): void {
    const length = this.partialLength + end - start
    if (this.partial === undefined || this.partial.length < length) {
      const wider = Buffer.allocUnsafe(Math.max(1024, length * 2))
      this.partial?.copy(wider, 0, 0, this.partialLength)
      this.partial = wider
    }
    bytes.copy(this.partial, this.partialLength, start, end)
    this.partialLength = length
  }

  private readBody(bytes: Buffer, start: number, end: number): number {
    this.remaining -= end - start
    this.receiver.onBody(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end))
    if (this.remaining === 0) this.complete(undefined)
    return end
  }

  private readChunks(bytes: Buffer, start: number, end: number): number {
    const { chunks } = this
    const at = chunks.read(bytes, start, end)
    if (chunks.dataEnd > chunks.dataStart) this.receiver.onBody(bytes.subarray(chunks.dataStart, chunks.dataEnd))
    if (at < 0) {
      this.state = 'failed'
      this.failedHead = false
      this.problem = chunks.exceedsLimit ? 'large-trailers' : 'chunks'
      return start
    }
    if (chunks.ended) this.complete(chunks.trailers)
    return at
  }

  private complete(trailers: HeaderPairs | undefined): void {
    this.state = 'done'
    this.receiver.onEnd(trailers)
  }
}
