/** Writes a streamed response body to the socket. */
import type { Socket } from 'node:net'
import type { ByteSink, ByteStream, HeaderPairs } from '@turnpike/core/http'
import { breakConnection } from '../front-end-common/break-connection.ts'
import { ResponseBody } from '../front-end-common/response-body.ts'
import { fieldLines } from './http1-response-head.ts'

/** How the client finds the end of the body. */
export type BodyEnd = 'length' | 'chunked' | 'close'

export class Http1ResponseBody extends ResponseBody {
  private readonly socket: Socket
  private readonly bodyEnd: BodyEnd
  private readonly onFinish: () => void

  /** `length` is the announced Content-Length. `onFinish` is called when the complete body was written. */
  constructor(socket: Socket, source: ByteStream, bodyEnd: BodyEnd, length: number | undefined, onFinish: () => void) {
    super(source, length)
    this.socket = socket
    this.bodyEnd = bodyEnd
    this.onFinish = onFinish
  }

  /** Writes the head, together with the first bytes of the body if they are available. */
  start(head: string): void {
    const { socket } = this
    socket.cork()
    socket.write(head, 'latin1')
    this.source.pipe(this)
    socket.uncork()
  }

  /** The socket accepts more bytes. */
  drained(): void {
    this.clientHasRead = true
    if (!this.blocked) return
    this.blocked = false
    this.source.resume()
  }

  lend(chunk: Uint8Array): boolean {
    if (!this.accepts(chunk)) return true
    this.writePiece(chunk, this.onWritten)
    // The kernel has all bytes, or the memory is in use until they are written.
    this.blocked = this.socket.writableLength > 0
    return !this.blocked
  }

  protected write(chunk: Uint8Array): boolean {
    this.writePiece(chunk)
    this.blocked = this.socket.writableNeedDrain
    return !this.blocked
  }

  private writePiece(chunk: Uint8Array, onWritten?: () => void): void {
    const { socket } = this
    if (this.bodyEnd !== 'chunked') {
      socket.write(chunk, onWritten)
      return
    }
    socket.cork()
    socket.write(`${chunk.length.toString(16)}\r\n`, 'latin1')
    socket.write(chunk)
    socket.write('\r\n', 'latin1', onWritten)
    socket.uncork()
  }

  private readonly onWritten = (): void => {
    if (this.socket.writableLength === 0 && !this.socket.destroyed) this.drained()
  }

  protected finish(trailers: HeaderPairs | undefined): void {
    this.done = true
    if (this.bodyEnd === 'chunked') {
      this.socket.write(`0\r\n${trailers === undefined ? '' : fieldLines(trailers)}\r\n`, 'latin1')
    }
    this.onFinish()
  }

  protected abort(): void {
    breakConnection(this.socket)
  }
}

/** Bytes of one piece of `piecesOf`. */
const pieceBytes = 65_536

/** A stream of long bytes in pieces, so that the time limit of a client that reads nothing sees its progress. */
export function piecesOf(bytes: Uint8Array): ByteStream {
  let at = 0
  let sink: ByteSink | undefined
  let sending = false
  const send = () => {
    if (sending) return
    sending = true
    let wantsMore = true
    while (sink !== undefined && wantsMore && at < bytes.length) {
      const piece = bytes.subarray(at, at + pieceBytes)
      at += piece.length
      wantsMore = sink.data(piece)
    }
    sending = false
    if (!wantsMore || sink === undefined) return
    const ended = sink
    sink = undefined
    ended.end()
  }
  return {
    pipe(to) {
      sink = to
      send()
    },
    pause() {},
    resume: send,
    cancel() {
      sink = undefined
    },
  }
}
