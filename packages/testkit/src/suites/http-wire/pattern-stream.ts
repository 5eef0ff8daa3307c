/** A stream of many bytes that counts the bytes it could push, so that tests can distinguish backpressure from buffering. */
import type { ByteSink, ByteStream } from '@turnpike/core/http'

export interface PatternStream extends ByteStream {
  /** Number of bytes that the sink has received. */
  readonly pushed: number
  readonly cancelled: boolean
}

export interface PatternOptions {
  /** Length of the stream in bytes. */
  readonly total: number
  /** Fails after so many bytes instead of ending. */
  readonly failAfter?: number
}

const chunkBytes = 65_536

/** Returns the byte at an offset. The period is prime, so that a lost or repeated chunk is noticed. */
export function patternByte(at: number): number {
  return at % 251
}

/** Makes a stream that pushes one chunk per turn of the event loop and stops while it is paused. */
export function makePatternStream({ total, failAfter }: PatternOptions): PatternStream {
  let pushed = 0
  let paused = false
  let ended = false
  let cancelled = false
  let sink: ByteSink | undefined
  let scheduled = false
  const limit = failAfter ?? total
  function schedule(): void {
    if (scheduled || paused || ended || sink === undefined) return
    scheduled = true
    setImmediate(step)
  }
  function step(): void {
    scheduled = false
    if (paused || ended || sink === undefined) return
    if (pushed >= limit) {
      ended = true
      if (failAfter === undefined) sink.end()
      else sink.fail(new Error('the stream failed'))
      return
    }
    const size = Math.min(chunkBytes, limit - pushed)
    const chunk = new Uint8Array(size)
    for (let i = 0; i < size; i++) chunk[i] = patternByte(pushed + i)
    pushed += size
    if (!sink.data(chunk)) paused = true
    schedule()
  }
  return {
    get pushed() {
      return pushed
    },
    get cancelled() {
      return cancelled
    },
    pipe(to) {
      sink = to
      schedule()
    },
    pause() {
      paused = true
    },
    resume() {
      paused = false
      schedule()
    },
    cancel() {
      cancelled = true
      ended = true
    },
  }
}
