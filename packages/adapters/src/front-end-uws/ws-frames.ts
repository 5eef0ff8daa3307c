/**
 * WebSocket frames as bytes (RFC 6455, 5), for the upstream's side of a tunnel. uWS speaks WebSocket only in messages,
 * so the frames towards the upstream are made here, and those from it are read. A long message is handed on in the
 * pieces in which it comes: nothing of a client's or an upstream's choosing has to fit into memory.
 */
import { randomFillSync } from 'node:crypto'

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

/** A frame as a client sends it: masked, with a mask that nobody can foretell (RFC 6455, 5.3). */
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

/** The payload of a close frame. */
export function closePayload(code: number, reason: Uint8Array): Uint8Array {
  const payload = new Uint8Array(2 + reason.length)
  payload[0] = code >> 8
  payload[1] = code & 0xff
  payload.set(reason, 2)
  return payload
}

/** What a reader finds. */
export interface FrameSink {
  /** A piece of a message; `kind` is that of the whole message. `first` and `last` may both hold. */
  piece(kind: 'text' | 'binary', bytes: Uint8Array, first: boolean, last: boolean): void
  control(opcode: number, payload: Uint8Array): void
}

/** Longest head of a frame without mask. */
const longestHead = 10
const nothing = new Uint8Array(0)

/** Reads frames as a server sends them, from bytes in any pieces. */
export class FrameReader {
  private readonly sink: FrameSink
  private head: Buffer = Buffer.alloc(0)
  private opcode = 0
  private fin = false
  /** Bytes of the frame's payload still to come; -1 while its head is read. */
  private left = -1
  private control: Uint8Array[] = []
  private kind: 'text' | 'binary' | undefined = undefined
  private messageBegun = false

  constructor(sink: FrameSink) {
    this.sink = sink
  }

  /** Takes bytes; tells what is wrong with them, or `undefined`. Nothing is to be read after a fault. */
  read(chunk: Uint8Array): string | undefined {
    let at = 0
    while (at < chunk.length) {
      if (this.left < 0) {
        const before = this.head.length
        this.head = Buffer.concat([this.head, chunk.subarray(at, at + longestHead - before)])
        const headLength = this.readHead()
        if (typeof headLength === 'string') return headLength
        if (headLength === 0) return undefined
        at += headLength - before
        this.head = Buffer.alloc(0)
        if (this.left === 0) this.payload(nothing)
        continue
      }
      const piece = chunk.subarray(at, at + this.left)
      at += piece.length
      this.left -= piece.length
      this.payload(piece)
    }
    return undefined
  }

  /** Length of the head that was read, 0 when it is not complete yet. */
  private readHead(): number | string {
    const { head } = this
    if (head.length < 2) return 0
    const [first, second] = head as unknown as [number, number]
    if ((first & 0x70) !== 0) return 'an extension that was not agreed on'
    if ((second & 0x80) !== 0) return 'a masked frame from a server'
    const short = second & 0x7f
    const headLength = short < 126 ? 2 : short === 126 ? 4 : longestHead
    if (head.length < headLength) return 0
    const length = short < 126 ? short : short === 126 ? head.readUInt16BE(2) : Number(head.readBigUInt64BE(2))
    this.opcode = first & 0x0f
    this.fin = (first & 0x80) !== 0
    const fault = this.faultOf(length)
    if (fault !== undefined) return fault
    this.left = length
    return headLength
  }

  private faultOf(length: number): string | undefined {
    const { opcode, fin, kind } = this
    if (!Number.isSafeInteger(length)) return 'a frame of no possible length'
    if (opcode >= opcodes.close) {
      if (opcode > opcodes.pong) return 'an unknown kind of frame'
      return !fin || length > 125 ? 'a control frame that is too long or in pieces' : undefined
    }
    if (opcode > opcodes.binary) return 'an unknown kind of frame'
    if ((opcode === opcodes.continuation) !== (kind !== undefined)) return 'pieces of messages in the wrong order'
    if (kind === undefined) {
      this.kind = opcode === opcodes.text ? 'text' : 'binary'
      this.messageBegun = false
    }
    return undefined
  }

  private payload(piece: Uint8Array): void {
    const isFrameEnd = this.left === 0
    if (isFrameEnd) this.left = -1
    if (this.opcode >= opcodes.close) {
      this.control.push(piece)
      if (isFrameEnd) this.sink.control(this.opcode, Buffer.concat(this.control.splice(0)))
      return
    }
    const { kind } = this
    if (kind === undefined) return
    const first = !this.messageBegun
    const last = isFrameEnd && this.fin
    this.messageBegun = true
    if (last) this.kind = undefined
    this.sink.piece(kind, piece, first, last)
  }
}
