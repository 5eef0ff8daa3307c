/**
 * A WebSocket of a client on uWS, connected to a tunnel to the upstream. uWS answers the client's pings and finds dead
 * clients by itself; pings of the upstream go to the client, and its pongs back.
 *
 * uWS cannot hold a client back: what it sends waits here while the upstream does not take it, up to a bound.
 */
import type { ByteSink, ByteStream, Log, Tunnel } from '@turnpike/core'
import type { UwsWebSocket } from './uws-binding.ts'
import { clientFrame, closePayload, FrameReader, type FrameSink, opcodes } from './ws-frames.ts'

/** Bytes that may wait for the client before the upstream is held back. */
const clientBufferBytes = 1024 * 1024
/** Bytes that may wait for the upstream before the client is cut off. */
const upstreamBufferBytes = 16 * 1024 * 1024
/** Longest message of a client, which uWS puts together before it shows it. */
export const longestMessageBytes = 16 * 1024 * 1024

/** Close codes of RFC 6455, 7.4.1. */
const codes = { noCode: 1005, abnormal: 1006, protocolError: 1002, tryLater: 1013, goingAway: 1001 } as const

export class UwsTunnelSocket implements ByteStream, ByteSink, FrameSink {
  private readonly tunnel: Tunnel
  private readonly log: Log
  private readonly onClose: () => void
  private readonly reader = new FrameReader(this)
  private ws: UwsWebSocket | undefined = undefined
  private sink: ByteSink | undefined = undefined
  private waiting: Uint8Array[] = []
  private waitingBytes = 0
  private held = false
  private heldBack = false
  private closing = false
  /** Nothing more goes to the upstream, once what waits is gone. */
  private ended = false

  /** `onClose` is called once, when the client's side is gone. */
  constructor(tunnel: Tunnel, log: Log, onClose: () => void) {
    this.tunnel = tunnel
    this.log = log
    this.onClose = onClose
  }

  // What uWS tells of the client.

  opened(ws: UwsWebSocket): void {
    this.ws = ws
    this.tunnel.sendFrom(this)
    this.tunnel.incoming.pipe(this)
  }

  message(bytes: ArrayBuffer, isBinary: boolean): void {
    this.toUpstream(clientFrame(isBinary ? opcodes.binary : opcodes.text, new Uint8Array(bytes)))
  }

  pong(bytes: ArrayBuffer): void {
    this.toUpstream(clientFrame(opcodes.pong, new Uint8Array(bytes).subarray(0, 125)))
  }

  drained(): void {
    if (!this.heldBack) return
    this.heldBack = false
    this.tunnel.incoming.resume()
  }

  /** The client's side is over, by its own word or ours. */
  closed(code: number, reason: ArrayBuffer): void {
    this.ws = undefined
    this.onClose()
    if (this.closing) {
      this.endUpstream()
      return
    }
    this.closing = true
    if (code === codes.abnormal) {
      this.tunnel.incoming.cancel()
      return
    }
    const payload = code === codes.noCode ? new Uint8Array(0) : closePayload(code, new Uint8Array(reason))
    this.toUpstream(clientFrame(opcodes.close, payload))
    this.endUpstream()
  }

  /** The server closes. */
  cut(): void {
    this.ws?.end(codes.goingAway)
  }

  // The stream of frames to the upstream.

  pipe(sink: ByteSink): void {
    this.sink = sink
  }

  pause(): void {
    this.held = true
  }

  resume(): void {
    this.held = false
    while (this.waiting.length > 0 && !this.held) {
      const frame = this.waiting.shift() as Uint8Array
      this.waitingBytes -= frame.length
      if (this.sink?.data(frame) === false) this.held = true
    }
    if (this.ended && this.waiting.length === 0) this.sink?.end()
  }

  /** The upstream's connection is gone. */
  cancel(): void {
    this.waiting = []
    this.waitingBytes = 0
    this.fail(undefined)
  }

  private endUpstream(): void {
    this.ended = true
    if (this.waiting.length === 0) this.sink?.end()
  }

  private toUpstream(frame: Uint8Array): void {
    if (!this.held) {
      if (this.sink?.data(frame) === false) this.held = true
      return
    }
    this.waiting.push(frame)
    this.waitingBytes += frame.length
    if (this.waitingBytes > upstreamBufferBytes) this.giveUp(codes.tryLater, 'the upstream does not keep up')
  }

  // The bytes from the upstream, and the frames in them.

  data(chunk: Uint8Array): boolean {
    const { ws } = this
    if (ws === undefined || this.closing) return true
    let fault: string | undefined
    ws.cork(() => {
      fault = this.reader.read(chunk)
    })
    if (fault !== undefined) this.giveUp(codes.protocolError, fault)
    if (this.ws === undefined || ws.getBufferedAmount() <= clientBufferBytes) return true
    this.heldBack = true
    return false
  }

  /** Without a close frame before it this is no proper end, and the client is told so by a missing one. */
  end(): void {
    this.fail(undefined)
  }

  fail(_error: unknown): void {
    if (this.closing) return
    this.closing = true
    this.ws?.close()
  }

  piece(kind: 'text' | 'binary', bytes: Uint8Array, first: boolean, last: boolean): void {
    const { ws } = this
    if (ws === undefined || this.closing) return
    const isBinary = kind === 'binary'
    if (first && last) ws.send(bytes, isBinary, false)
    else if (first) ws.sendFirstFragment(bytes, isBinary, false)
    else if (last) ws.sendLastFragment(bytes, false)
    else ws.sendFragment(bytes, false)
  }

  control(opcode: number, payload: Uint8Array): void {
    if (this.ws === undefined || this.closing) return
    if (opcode === opcodes.ping) this.ws.ping(payload)
    else if (opcode === opcodes.close) this.closeByUpstream(payload)
  }

  /** The client is told what the upstream said, and the upstream gets its own word back, as RFC 6455, 5.5.1 wants. */
  private closeByUpstream(payload: Uint8Array): void {
    const code = payload.length < 2 ? codes.noCode : ((payload[0] as number) << 8) | (payload[1] as number)
    this.toUpstream(clientFrame(opcodes.close, payload.subarray(0, 125)))
    this.closing = true
    const { ws } = this
    // Not from within uWS's cork, which `data` is in.
    setImmediate(() => {
      if (this.ws === undefined) return
      if (code === codes.noCode) ws?.end()
      else ws?.end(code, payload.subarray(2))
    })
  }

  private giveUp(code: number, reason: string): void {
    if (this.closing) return
    this.log.debug('gave a WebSocket up', { reason })
    this.closing = true
    this.tunnel.incoming.cancel()
    this.ws?.end(code, Buffer.from(reason))
  }
}
