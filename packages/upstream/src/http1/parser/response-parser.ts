/**
 * Parses the responses of one connection incrementally, from pieces of any size. A head that lies in one piece, the usual
 * case, is parsed in place; otherwise pieces are buffered until the head is complete. Bodies are passed on as they arrive.
 *
 * After an error the state is `malformed` and nothing more is parsed, because the start of the next response is unknown.
 */
import type { HeaderPairs } from '@turnpike/core/http'
import { ChunkReader } from './chunk-reader.ts'
import { HeadReader, type Http1ResponseHead } from './head-reader.ts'
import { incomplete } from './header-lines.ts'

/** Receives the parts of a response. */
export interface ResponseReceiver {
  /** Receives the head of an interim response (RFC 9110 section 15.2). */
  onInterim(head: Http1ResponseHead): void
  /** Receives the head of the final response. */
  onHead(head: Http1ResponseHead): void
  /** Receives bytes of the body, which are valid only during the call. Returns false to pause the connection. */
  onBody(bytes: Buffer, start: number, end: number): boolean
  /** Receives the trailers of a chunked body, unfiltered. */
  onTrailers(trailers: HeaderPairs): void
}

const cr = 0x0d
const lf = 0x0a

/** An upstream that sends more interim responses before the final one only wants to keep the gateway busy. */
const maxInterimHeads = 32

export type ParserState = 'idle' | 'head' | 'length' | 'chunked' | 'until-close' | 'done' | 'malformed'

export class ResponseParser {
  state: ParserState = 'idle'
  /** The receiver requested a pause. */
  paused = false
  private readonly maxHeadBytes: number
  private interimHeads = 0
  private readonly heads = new HeadReader()
  private readonly chunks: ChunkReader
  private receiver: ResponseReceiver | undefined = undefined
  private isHeadRequest = false
  private remaining = 0
  /** Buffer for a head that arrives in pieces; the first `partialLength` bytes are used. */
  private partial: Buffer | undefined = undefined
  private partialLength = 0

  /** `maxHeadBytes` limits each head, each chunk header line, and the trailers. */
  constructor(maxHeadBytes: number) {
    this.maxHeadBytes = maxHeadBytes
    this.chunks = new ChunkReader(maxHeadBytes)
  }

  /** Starts the next response. */
  begin(receiver: ResponseReceiver, isHeadRequest: boolean): void {
    this.receiver = receiver
    this.isHeadRequest = isHeadRequest
    this.interimHeads = 0
    this.state = 'head'
    this.paused = false
    this.partial = undefined
    this.partialLength = 0
  }

  /** Discards the receiver. Nothing more is parsed. */
  stop(): void {
    this.receiver = undefined
    this.state = 'malformed'
  }

  /**
   * Parses bytes, and may change those that it has parsed. Returns the end position, which is less than `end` if the
   * response ended earlier or is malformed.
   */
  feed(bytes: Buffer, start: number, end: number): number {
    let at = start
    while (at < end) {
      switch (this.state) {
        case 'head':
          at = this.readHead(bytes, at, end)
          break
        case 'length':
          at = this.readBody(bytes, at, Math.min(end, at + this.remaining))
          break
        case 'chunked':
          at = this.readChunks(bytes, at, end)
          break
        case 'until-close':
          this.deliver(bytes, at, end)
          at = end
          break
        default:
          return at
      }
    }
    return at
  }

  /** The upstream closed the connection. Returns true if that completes the response. */
  finish(): boolean {
    if (this.state !== 'until-close') return false
    this.state = 'done'
    return true
  }

  private readHead(bytes: Buffer, start: number, end: number): number {
    if (this.partial !== undefined) return this.continueHead(bytes, start, end)
    const at = this.heads.read(bytes, start, end)
    if (at === incomplete && end - start <= this.maxHeadBytes) {
      this.bufferHead(bytes, start, end)
      return end
    }
    if (at < 0 || at - start > this.maxHeadBytes) return this.fail(start)
    this.startBody()
    return at
  }

  /** Adds to a buffered head and parses it once it is complete. */
  private continueHead(bytes: Buffer, start: number, end: number): number {
    const before = this.partialLength
    const room = Math.min(end - start, this.maxHeadBytes + 1 - before)
    this.bufferHead(bytes, start, start + room)
    const partial = this.partial as Buffer
    // The end of the head can span two pieces.
    const headEnd = endOfHead(partial, Math.max(0, before - 2), this.partialLength)
    if (headEnd < 0) return this.partialLength > this.maxHeadBytes ? this.fail(start) : end
    const at = this.heads.read(partial, 0, headEnd)
    if (at !== headEnd || at > this.maxHeadBytes) return this.fail(start)
    this.partial = undefined
    this.partialLength = 0
    this.startBody()
    return start + headEnd - before
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

  /** Determines the body length of the parsed head (RFC 9112 section 6.3). */
  private startBody(): void {
    const head = this.heads.head as Http1ResponseHead
    const { status, length } = head
    if (status < 200) {
      // This client never requests an upgrade, and an interim response must not close the connection.
      this.interimHeads++
      if (status === 101 || head.closes || this.interimHeads > maxInterimHeads) this.state = 'malformed'
      else this.receiver?.onInterim(head)
      return
    }
    if (this.isHeadRequest || status === 204 || status === 304 || length === 0) this.state = 'done'
    else if (head.chunked) {
      this.state = 'chunked'
      this.chunks.begin()
    } else if (length === undefined) this.state = 'until-close'
    else {
      this.state = 'length'
      this.remaining = length
    }
    this.receiver?.onHead(head)
  }

  private readBody(bytes: Buffer, start: number, end: number): number {
    this.remaining -= end - start
    if (this.remaining === 0) this.state = 'done'
    this.deliver(bytes, start, end)
    return end
  }

  private readChunks(bytes: Buffer, start: number, end: number): number {
    const { chunks } = this
    const at = chunks.read(bytes, start, end)
    if (chunks.dataEnd > chunks.dataStart) this.deliver(bytes, chunks.dataStart, chunks.dataEnd)
    if (at < 0) return this.fail(start)
    if (chunks.ended) {
      this.state = 'done'
      if (chunks.trailers !== undefined) this.receiver?.onTrailers(chunks.trailers)
    }
    return at
  }

  private deliver(bytes: Buffer, start: number, end: number): void {
    if (this.receiver?.onBody(bytes, start, end) === false) this.paused = true
  }

  private fail(at: number): number {
    this.state = 'malformed'
    return at
  }
}

/** Returns the end of the first empty line after a line end at or after `from`; -1 if there is none. */
function endOfHead(bytes: Buffer, from: number, end: number): number {
  for (let at = bytes.indexOf(lf, from); at >= 0 && at < end; at = bytes.indexOf(lf, at + 1)) {
    if (at + 1 < end && bytes[at + 1] === lf) return at + 2
    if (at + 2 < end && bytes[at + 1] === cr && bytes[at + 2] === lf) return at + 3
  }
  return -1
}
