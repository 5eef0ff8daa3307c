/**
 * Limits how long one connection may keep the event loop busy with the frames that it received. node:http2 calls back for
 * each frame, and libuv reads up to 2 MiB before other work gets a turn: that is 200,000 frames of one byte.
 */
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

/** Bytes that are parsed between two looks at the time: at most 3,640 frames, which take up to 20 ms. */
const sliceBytes = 32768
/** Milliseconds of one turn of the event loop. */
const maxTurnMs = 5
const nothing = Buffer.alloc(0)

export class PacedSocket extends Duplex {
  private readonly socket: Socket
  private readonly now: () => number
  /** Received bytes that were not passed on yet. */
  private pending: Buffer = nothing
  private readerWaits = false
  private inTurn = false
  private spentMs = 0
  /** The socket delivers no more bytes, after this error if there was one. */
  private finished: { readonly error: Error | undefined } | undefined = undefined

  /** `now` returns milliseconds of a clock that is never set back. Default: `performance.now`. */
  constructor(socket: Socket, now: () => number = () => performance.now()) {
    super()
    this.socket = socket
    this.now = now
    socket.pause()
    socket.on('data', (chunk: Buffer) => {
      this.pending = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk])
      this.deliver()
    })
    socket.on('end', () => this.ended(undefined))
    socket.on('error', (error) => this.ended(error))
    socket.on('close', () => this.ended(undefined))
  }

  /** Passes on received bytes until the reader has enough or the time of the turn is over. */
  private deliver(): void {
    this.beginTurn()
    while (this.pending.length > 0 && this.readerWaits && this.spentMs < maxTurnMs) {
      const slice = this.pending.subarray(0, sliceBytes)
      this.pending = this.pending.subarray(slice.length)
      const startedAt = this.now()
      this.readerWaits = this.push(slice)
      this.spentMs += this.now() - startedAt
    }
    if (this.pending.length > 0) this.socket.pause()
    else if (this.finished === undefined) this.socket.resume()
    else if (this.finished.error === undefined) this.push(null)
    else this.destroy(this.finished.error)
  }

  /** All deliveries up to the next `setImmediate` share the time of one turn. */
  private beginTurn(): void {
    if (this.inTurn) return
    this.inTurn = true
    this.spentMs = 0
    setImmediate(() => {
      this.inTurn = false
      if (this.pending.length > 0 && this.readerWaits && !this.destroyed) this.deliver()
    })
  }

  /** Bytes that arrived before the end are passed on first. */
  private ended(error: Error | undefined): void {
    if (this.finished !== undefined) return
    this.finished = { error }
    if (this.pending.length === 0) this.deliver()
  }

  override _read(): void {
    this.readerWaits = true
    if (this.pending.length > 0) this.beginTurn()
    else if (this.finished === undefined) this.socket.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.socket.write(chunk, callback)
  }

  override _writev(chunks: { chunk: Buffer }[], callback: (error?: Error | null) => void): void {
    this.socket.cork()
    for (const [i, { chunk }] of chunks.entries())
      this.socket.write(chunk, i === chunks.length - 1 ? callback : undefined)
    this.socket.uncork()
  }

  override _final(callback: () => void): void {
    this.socket.end(callback)
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.pending = nothing
    this.socket.destroy()
    callback(error)
  }
}
