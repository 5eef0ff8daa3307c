/**
 * Reads answers from the bytes of one connection, whatever pieces they come in. Heads are read where they lie when a
 * piece holds them whole, which is the rule; else the pieces are put together until the head's end is seen. Bodies
 * are handed on as they come.
 *
 * What may go wrong is told as `malformed`, after which nothing more is read: where the next answer begins is unknown.
 */
import type { HeaderPairs } from '@turnpike/core'
import { ChunkReader } from './chunk-reader.ts'
import { type AnswerHead, HeadReader, incomplete } from './head-reader.ts'

/** Takes what an answer consists of. */
export interface AnswerReceiver {
  /** The head of the answer itself; interim ones are passed over. */
  onHead(head: AnswerHead): void
  /** Bytes of the body, to be copied before the call returns; `false` asks to hold back what follows. */
  onBody(bytes: Buffer, start: number, end: number): boolean
  /** What followed a chunked body, as it came. */
  onTrailers(trailers: HeaderPairs): void
}

export type ParserState = 'idle' | 'head' | 'length' | 'chunked' | 'until-close' | 'done' | 'malformed'

export class AnswerParser {
  state: ParserState = 'idle'
  /** The receiver asked to hold back. */
  held = false
  private readonly maxHeadBytes: number
  private readonly heads = new HeadReader()
  private readonly chunks: ChunkReader
  private receiver: AnswerReceiver | undefined = undefined
  private isHeadRequest = false
  private left = 0
  /** The beginning of a head that came in pieces, in its first `partialLength` bytes. */
  private partial: Buffer | undefined = undefined
  private partialLength = 0

  /** `maxHeadBytes` bounds each head, and what is no data in a chunked body. */
  constructor(maxHeadBytes: number) {
    this.maxHeadBytes = maxHeadBytes
    this.chunks = new ChunkReader(maxHeadBytes)
  }

  /** The next answer goes to this receiver. */
  begin(receiver: AnswerReceiver, isHeadRequest: boolean): void {
    this.receiver = receiver
    this.isHeadRequest = isHeadRequest
    this.state = 'head'
    this.held = false
    this.partial = undefined
    this.partialLength = 0
  }

  /** Nobody wants the rest: nothing more is read or told. */
  stop(): void {
    this.receiver = undefined
    this.state = 'malformed'
  }

  /** Reads bytes. Returns how far it got: short of `end` when the answer ended before, or was malformed. */
  feed(bytes: Buffer, start: number, end: number): number {
    let at = start
    while (at < end) {
      switch (this.state) {
        case 'head':
          at = this.readHead(bytes, at, end)
          break
        case 'length':
          at = this.readBody(bytes, at, Math.min(end, at + this.left))
          break
        case 'chunked':
          at = this.readChunks(bytes, at, end)
          break
        case 'until-close':
          this.give(bytes, at, end)
          at = end
          break
        default:
          return at
      }
    }
    return at
  }

  /** The upstream closed the connection: whether that is how this answer ends. */
  finish(): boolean {
    if (this.state !== 'until-close') return false
    this.state = 'done'
    return true
  }

  private readHead(bytes: Buffer, start: number, end: number): number {
    if (this.partial !== undefined) return this.readOn(bytes, start, end)
    const at = this.heads.read(bytes, start, end)
    if (at === incomplete && end - start <= this.maxHeadBytes) {
      this.keep(bytes, start, end)
      return end
    }
    if (at < 0 || at - start > this.maxHeadBytes) return this.fail(start)
    this.take()
    return at
  }

  /** More of a head whose beginning was kept. It is read once, when its end is there. */
  private readOn(bytes: Buffer, start: number, end: number): number {
    const before = this.partialLength
    const room = Math.min(end - start, this.maxHeadBytes + 1 - before)
    this.keep(bytes, start, start + room)
    const partial = this.partial as Buffer
    // Its end may lie across the seam.
    const headEnd = endOfHead(partial, Math.max(0, before - 3), this.partialLength)
    if (headEnd < 0) return this.partialLength > this.maxHeadBytes ? this.fail(start) : end
    const at = this.heads.read(partial, 0, headEnd)
    if (at !== headEnd || at > this.maxHeadBytes) return this.fail(start)
    this.partial = undefined
    this.partialLength = 0
    this.take()
    return start + headEnd - before
  }

  private keep(bytes: Buffer, start: number, end: number): void {
    const length = this.partialLength + end - start
    if (this.partial === undefined || this.partial.length < length) {
      const wider = Buffer.allocUnsafe(Math.max(1024, length * 2))
      this.partial?.copy(wider, 0, 0, this.partialLength)
      this.partial = wider
    }
    bytes.copy(this.partial, this.partialLength, start, end)
    this.partialLength = length
  }

  /** Acts on the head that was read: how its body is framed (RFC 9112, 6.3). */
  private take(): void {
    const head = this.heads.head as AnswerHead
    const { status, length } = head
    if (status < 200) {
      // Nobody asked for another protocol here, and what says that nothing follows cannot be followed by the answer.
      if (status === 101 || head.closes) this.state = 'malformed'
      return
    }
    if (this.isHeadRequest || status === 204 || status === 304 || length === 0) this.state = 'done'
    else if (head.chunked) {
      this.state = 'chunked'
      this.chunks.begin()
    } else if (length === undefined) this.state = 'until-close'
    else {
      this.state = 'length'
      this.left = length
    }
    this.receiver?.onHead(head)
  }

  private readBody(bytes: Buffer, start: number, end: number): number {
    this.left -= end - start
    if (this.left === 0) this.state = 'done'
    this.give(bytes, start, end)
    return end
  }

  private readChunks(bytes: Buffer, start: number, end: number): number {
    const at = this.chunks.skip(bytes, start, end)
    if (at < 0) return this.fail(start)
    if (this.chunks.ended) {
      this.state = 'done'
      if (this.chunks.trailers !== undefined) this.receiver?.onTrailers(this.chunks.trailers)
      return at
    }
    const taken = Math.min(end - at, this.chunks.left)
    if (at === end || taken === 0) return at
    this.chunks.took(taken)
    this.give(bytes, at, at + taken)
    return at + taken
  }

  private give(bytes: Buffer, start: number, end: number): void {
    if (this.receiver?.onBody(bytes, start, end) === false) this.held = true
  }

  private fail(at: number): number {
    this.state = 'malformed'
    return at
  }
}

/** Where the first empty line ends; -1: not there yet. */
function endOfHead(bytes: Buffer, start: number, end: number): number {
  for (let at = start; at + 3 < end; at++) {
    if (bytes[at] === 13 && bytes[at + 1] === 10 && bytes[at + 2] === 13 && bytes[at + 3] === 10) return at + 4
  }
  return -1
}
