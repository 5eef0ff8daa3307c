/**
 * Connects the WebSocket of a client on uWS to a tunnel to the upstream. uWS replies to the client's pings and detects
 * dead clients. Pings of the upstream are forwarded to the client, and the client's pongs to the upstream.
 *
 * uWS cannot pause a client, so its messages are buffered up to the limits of `tunnel-budget.ts` while the upstream does not
 * accept them. A single message may be longer than the limit of a connection.
 */
import type { ByteSink, ByteStream, Tunnel } from '@turnpike/core/http'
import type { Log } from '@turnpike/core/ports'
import type { TunnelBudget } from '../front-end-common/tunnel-budget.ts'
import type { UwsWebSocket } from './uws-binding.ts'
import { clientFrame, closePayload, FrameReader, type FrameSink, opcodes } from './web-socket-frames.ts'

/** Bytes buffered for the client above which the upstream is paused. */
const clientBufferBytes = 1024 * 1024
/** Memory of a buffered frame besides its bytes. Without it, millions of empty messages would fit into the buffer. */
const frameCostBytes = 256
/** Maximum bytes of a client's message, which uWS assembles in memory. */
export const maxMessageBytes = 16 * 1024 * 1024

/** Close codes (RFC 6455 section 7.4.1; 1013 is in the IANA registry). */
const codes = { noCode: 1005, abnormal: 1006, protocolError: 1002, tryLater: 1013, goingAway: 1001 } as const

export class WebSocketTunnel implements ByteStream, ByteSink, FrameSink {
  private readonly tunnel: Tunnel
  private readonly log: Log
  private readonly budget: TunnelBudget
  private readonly onClose: () => void
  private readonly reader = new FrameReader(this)
  private ws: UwsWebSocket | undefined = undefined
  private sink: ByteSink | undefined = undefined
  private buffered: Uint8Array[] = []
  private bufferedBytes = 0
  private upstreamBlocked = false
  private clientBlocked = false
  private closing = false
  /** The stream to the upstream ends once the buffered frames are sent. */
  private ended = false

  /** `onClose` is called once, when the client's WebSocket has closed. */
  constructor(tunnel: Tunnel, log: Log, budget: TunnelBudget, onClose: () => void) {
    this.tunnel = tunnel
    this.log = log
    this.budget = budget
    this.onClose = onClose
  }

  // Callbacks of uWS

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
    if (!this.clientBlocked) return
    this.clientBlocked = false
    this.tunnel.incoming.resume()
  }

  /** The client's WebSocket closed, initiated by either side. */
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

  /** Closes the WebSocket because the server closes. */
  closeGoingAway(): void {
    this.ws?.end(codes.goingAway)
  }

  // `ByteStream` of frames to the upstream

  pipe(sink: ByteSink): void {
    this.sink = sink
  }

  pause(): void {
    this.upstreamBlocked = true
  }

  resume(): void {
    this.upstreamBlocked = false
    let sent = 0
    while (sent < this.buffered.length && !this.upstreamBlocked) {
      const frame = this.buffered[sent++] as Uint8Array
      this.release(frame.length + frameCostBytes)
      if (this.sink?.data(frame) === false) this.upstreamBlocked = true
    }
    // Once for all frames: `shift` moves every frame of a long list.
    this.buffered = this.buffered.slice(sent)
    if (this.ended && this.buffered.length === 0) this.sink?.end()
  }

  /** The connection to the upstream closed. */
  cancel(): void {
    this.discard()
    this.fail(undefined)
  }

  private endUpstream(): void {
    this.ended = true
    if (this.buffered.length === 0) this.sink?.end()
  }

  private toUpstream(frame: Uint8Array): void {
    if (!this.upstreamBlocked) {
      if (this.sink?.data(frame) === false) this.upstreamBlocked = true
      return
    }
    const cost = frame.length + frameCostBytes
    const isFirst = this.buffered.length === 0
    if ((!isFirst && this.bufferedBytes + cost > this.budget.maxEach) || !this.budget.tryReserve(cost)) {
      this.abort(codes.tryLater, 'the upstream reads too slowly')
      return
    }
    this.bufferedBytes += cost
    this.buffered.push(frame)
  }

  private release(bytes: number): void {
    this.bufferedBytes -= bytes
    this.budget.release(bytes)
  }

  private discard(): void {
    this.buffered = []
    this.release(this.bufferedBytes)
  }

  // `ByteSink` of bytes from the upstream, and `FrameSink` of their frames

  data(chunk: Uint8Array): boolean {
    const { ws } = this
    if (ws === undefined || this.closing) return true
    let error: string | undefined
    ws.cork(() => {
      error = this.reader.read(chunk)
    })
    if (error !== undefined) this.abort(codes.protocolError, error)
    if (this.ws === undefined || ws.getBufferedAmount() <= clientBufferBytes) return true
    this.clientBlocked = true
    return false
  }

  /** The upstream ended without a close frame, so the client's connection is closed without one too. */
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

  /** Forwards the upstream's close frame to the client and echoes it to the upstream (RFC 6455 section 5.5.1). */
  private closeByUpstream(payload: Uint8Array): void {
    const code = payload.length < 2 ? codes.noCode : ((payload[0] as number) << 8) | (payload[1] as number)
    this.toUpstream(clientFrame(opcodes.close, payload.subarray(0, 125)))
    this.closing = true
    const { ws } = this
    // `data` calls this inside uWS's `cork`, where a WebSocket must not be closed.
    setImmediate(() => {
      if (this.ws === undefined) return
      if (code === codes.noCode) ws?.end()
      else ws?.end(code, payload.subarray(2))
    })
  }

  private abort(code: number, reason: string): void {
    if (this.closing) return
    this.log.debug('aborted a WebSocket', { reason })
    this.closing = true
    this.discard()
    this.tunnel.incoming.cancel()
    this.ws?.end(code, Buffer.from(reason))
  }
}
