/** Bodies of scripted answers: whole, or chunk by chunk with backpressure, pauses and a break at the end. */
import type { ByteSink, ByteStream, Cancel, Clock } from '@turnpike/core'
import type { Scripted } from './fake-upstream.ts'

const encoder = new TextEncoder()

/** The body as an upstream adapter would hand it over: short and complete as bytes, else as a stream. */
export function fakeBody(
  scripted: Pick<Scripted, 'body' | 'breakOff' | 'chunkDelayMs'>,
  clock: Clock,
): { body: ByteStream | Uint8Array | undefined; bodyLength: number | undefined } {
  const { body } = scripted
  if (body === undefined && scripted.breakOff !== true) return { body: undefined, bodyLength: 0 }
  const isWhole = (typeof body === 'string' || body instanceof Uint8Array) && scripted.breakOff !== true
  if (isWhole) return { body: toBytes(body), bodyLength: toBytes(body).length }
  const parts = body === undefined ? [] : typeof body === 'string' || body instanceof Uint8Array ? [body] : body
  const stream = makeChunkStream(parts.map(toBytes), clock, scripted.chunkDelayMs ?? 0, scripted.breakOff === true)
  return { body: stream, bodyLength: undefined }
}

function toBytes(part: string | Uint8Array): Uint8Array {
  return typeof part === 'string' ? encoder.encode(part) : part
}

/** A stream that hands out chunks on the clock's time, and holds back while it is paused. */
export function makeChunkStream(
  chunks: readonly Uint8Array[],
  clock: Clock,
  chunkDelayMs: number,
  breaksOff: boolean,
): ByteStream {
  let sink: ByteSink | undefined
  let next = 0
  let flow: 'flowing' | 'paused' | 'done' = 'flowing'
  let planned = false
  let cancelTimer: Cancel | undefined

  const step = () => {
    planned = false
    if (flow !== 'flowing' || sink === undefined) return
    const chunk = chunks[next]
    if (chunk === undefined) {
      flow = 'done'
      if (breaksOff) sink.fail(new Error('the script says: the answer breaks off'))
      else sink.end()
      return
    }
    next += 1
    if (!sink.data(chunk) && flow === 'flowing') flow = 'paused'
    plan()
  }
  const plan = () => {
    if (flow !== 'flowing' || planned) return
    planned = true
    // Without a delay the stream flows by itself, also on a clock that stands.
    if (chunkDelayMs > 0) cancelTimer = clock.after(chunkDelayMs, step)
    else void Promise.resolve().then(step)
  }

  return {
    pipe(to) {
      sink = to
      plan()
    },
    pause() {
      if (flow === 'flowing') flow = 'paused'
    },
    resume() {
      if (flow === 'paused') flow = 'flowing'
      plan()
    },
    cancel() {
      flow = 'done'
      cancelTimer?.()
    },
  }
}
