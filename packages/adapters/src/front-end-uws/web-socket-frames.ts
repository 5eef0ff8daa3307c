/**
 * Encoder and decoder of WebSocket frames (RFC 6455 section 5) for the connection to the upstream. uWS exposes messages
 * and no frames, so frames to the upstream are encoded here and frames from it are decoded. Long messages are passed on
 * in the pieces in which they arrive, so memory use does not depend on the length of a message.
 */
import { randomFillSync } from 'node:crypto'

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

/** Encodes a frame of a client, with an unpredictable mask (RFC 6455 section 5.3). */
export function clientFrame(opcode: number, payload: Uint8Array): Uint8Array {
  const { length } = payload
  const lengthBytes = length < 126 ? 0 : length < 65_536 ? 2 : 8
  const frame = Buffer.allocUnsafe(2 + lengthBytes + 4 + length)
  frame[0] = 0x80 | opcode
  frame[1] = 0x80 | (lengthBytes === 0 ? length : lengthBytes === 2 ? 126 : 127)
  if (lengthBytes === 2) frame.writeUInt16BE(length, 2)
  else if (lengthBytes === 8) frame.writeBigUInt64BE(BigInt(length), 2)
  const maskAt = 2 + lengthBytes
  randomFillSync(frame, maskAt, 4)
  const at = maskAt + 4
  for (let i = 0; i < length; i++) frame[at + i] = (payload[i] as number) ^ (frame[maskAt + (i & 3)] as number)
  return frame
}

/** Encodes the payload of a close frame. */
export function closePayload(code: number, reason: Uint8Array): Uint8Array {
  const payload = new Uint8Array(2 + reason.length)
  payload[0] = code >> 8
  payload[1] = code & 0xff
  payload.set(reason, 2)
  return payload
}

/** Receives decoded frames. */
export interface FrameSink {
  /** Receives a piece of a message. `kind` is the type of the whole message. `first` and `last` can both be true. */
  piece(kind: 'text' | 'binary', bytes: Uint8Array, first: boolean, last: boolean): void
  control(opcode: number, payload: Uint8Array): void
}

/** Bytes of the longest frame header without mask. */
const maxHeaderLength = 10
const emptyPayload = new Uint8Array(0)

/** Decodes frames of a server from chunks of any size. */
export class FrameReader {
  private readonly sink: FrameSink
  private head: Buffer = Buffer.alloc(0)
  private opcode = 0
  private fin = false
  /** Missing bytes of the frame's payload; -1 while its header is read. */
  private remaining = -1
  private control: Uint8Array[] = []
  private kind: 'text' | 'binary' | undefined = undefined
  private messageStarted = false

  constructor(sink: FrameSink) {
    this.sink = sink
  }

  /** Decodes a chunk. Returns a description of a protocol error, after which `read` must not be called again. */
  read(chunk: Uint8Array): string | undefined {
    let at = 0
    while (at < chunk.length) {
      if (this.remaining < 0) {
        const before = this.head.length
        this.head = Buffer.concat([this.head, chunk.subarray(at, at + maxHeaderLength - before)])
        const headLength = this.readHead()
        if (typeof headLength === 'string') return headLength
        if (headLength === 0) return undefined
        at += headLength - before
        this.head = Buffer.alloc(0)
        if (this.remaining === 0) this.payload(emptyPayload)
        continue
      }
      const piece = chunk.subarray(at, at + this.remaining)
      at += piece.length
      this.remaining -= piece.length
      this.payload(piece)
    }
    return undefined
  }

  /** Returns the length of the header, 0 if it is incomplete, or a description of a protocol error. */
  private readHead(): number | string {
    const { head } = this
    if (head.length < 2) return 0
    const [first, second] = head as unknown as [number, number]
    if ((first & 0x70) !== 0) return 'the frame uses an extension that was not negotiated'
    if ((second & 0x80) !== 0) return 'the server sent a masked frame'
    const short = second & 0x7f
    const headLength = short < 126 ? 2 : short === 126 ? 4 : maxHeaderLength
    if (head.length < headLength) return 0
    const length = short < 126 ? short : short === 126 ? head.readUInt16BE(2) : Number(head.readBigUInt64BE(2))
    this.opcode = first & 0x0f
    this.fin = (first & 0x80) !== 0
    const error = this.checkFrame(length)
    if (error !== undefined) return error
    this.remaining = length
    return headLength
  }

  private checkFrame(length: number): string | undefined {
    const { opcode, fin, kind } = this
    if (!Number.isSafeInteger(length)) return 'the frame length is not valid'
    if (opcode >= opcodes.close) {
      if (opcode > opcodes.pong) return 'the opcode is unknown'
      return !fin || length > 125 ? 'a control frame is too long or fragmented' : undefined
    }
    if (opcode > opcodes.binary) return 'the opcode is unknown'
    if ((opcode === opcodes.continuation) !== (kind !== undefined))
      return 'the fragments of messages are in the wrong order'
    if (kind === undefined) {
      this.kind = opcode === opcodes.text ? 'text' : 'binary'
      this.messageStarted = false
    }
    return undefined
  }

  private payload(piece: Uint8Array): void {
    const isFrameEnd = this.remaining === 0
    if (isFrameEnd) this.remaining = -1
    if (this.opcode >= opcodes.close) {
      this.control.push(piece)
      if (isFrameEnd) this.sink.control(this.opcode, Buffer.concat(this.control.splice(0)))
      return
    }
    const { kind } = this
    if (kind === undefined) return
    const first = !this.messageStarted
    const last = isFrameEnd && this.fin
    this.messageStarted = true
    if (last) this.kind = undefined
    this.sink.piece(kind, piece, first, last)
  }
}
