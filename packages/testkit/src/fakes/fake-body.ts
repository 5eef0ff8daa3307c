/** Bodies of scripted responses: complete, or in chunks with backpressure, delays and an optional failure at the end. */
import type { ByteSink, ByteStream } from '@turnpike/core/http'
import type { Cancel, Clock } from '@turnpike/core/ports'

const encoder = new TextEncoder()

/** The body of a scripted response. */
export interface ScriptedBody {
  /** Text, bytes, or the chunks of a stream. Default: no body. */
  readonly body?: string | Uint8Array | readonly (string | Uint8Array)[]
  /** Milliseconds between two chunks. Default 0. */
  readonly chunkDelayMs?: number
  /** If true, the body fails after its last chunk instead of ending. */
  readonly breakOff?: boolean
}

/** Returns the body as an upstream adapter would: complete bodies as bytes, all others as a stream. */
export function fakeBody(
  scripted: ScriptedBody,
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

/** Makes a stream that emits one chunk every `chunkDelayMs` milliseconds of the clock and stops while it is paused. */
export function makeChunkStream(
  chunks: readonly Uint8Array[],
  clock: Clock,
  chunkDelayMs: number,
  failsAtEnd: boolean,
): ByteStream {
  let sink: ByteSink | undefined
  let next = 0
  let flow: 'flowing' | 'paused' | 'done' = 'flowing'
  let scheduled = false
  let cancelTimer: Cancel | undefined

  const step = () => {
    scheduled = false
    if (flow !== 'flowing' || sink === undefined) return
    const chunk = chunks[next]
    if (chunk === undefined) {
      flow = 'done'
      if (failsAtEnd) sink.fail(new Error('the script says: the response breaks off'))
      else sink.end()
      return
    }
    next += 1
    if (!sink.data(chunk) && flow === 'flowing') flow = 'paused'
    schedule()
  }
  const schedule = () => {
    if (flow !== 'flowing' || scheduled) return
    scheduled = true
    // Without a delay the stream flows even if nobody advances the clock.
    if (chunkDelayMs > 0) cancelTimer = clock.after(chunkDelayMs, step)
    else void Promise.resolve().then(step)
  }

  return {
    pipe(to) {
      sink = to
      schedule()
    },
    pause() {
      if (flow === 'flowing') flow = 'paused'
    },
    resume() {
      if (flow === 'paused') flow = 'flowing'
      schedule()
    },
    cancel() {
      flow = 'done'
      cancelTimer?.()
    },
  }
}
