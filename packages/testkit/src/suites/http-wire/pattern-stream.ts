/** A source of many bytes that counts what it was allowed to push: how backpressure is told from buffering. */
import type { ByteSink, ByteStream } from '@turnpike/core'

export interface PatternStream extends ByteStream {
  /** Bytes given to the sink so far. */
  readonly pushed: number
  readonly cancelled: boolean
}

export interface PatternOptions {
  /** Bytes to give. */
  readonly total: number
  /** Bytes of a chunk; 65,536 by default. */
  readonly chunkSize?: number
  /** Break off after so many bytes instead of ending. */
  readonly failAfter?: number
}

/** The byte at a place of the pattern: a prime period, so that a lost or doubled chunk shows. */
export function patternByte(at: number): number {
  return at % 251
}

/** Makes a stream of the pattern; it gives a chunk a turn and stops while paused. */
export function makePatternStream({ total, chunkSize = 65_536, failAfter }: PatternOptions): PatternStream {
  let pushed = 0
  let paused = false
  let over = false
  let cancelled = false
  let sink: ByteSink | undefined
  let planned = false
  const limit = failAfter ?? total
  function plan(): void {
    if (planned || paused || over || sink === undefined) return
    planned = true
    setImmediate(step)
  }
  function step(): void {
    planned = false
    if (paused || over || sink === undefined) return
    if (pushed >= limit) {
      over = true
      if (failAfter === undefined) sink.end()
      else sink.fail(new Error('the source broke off'))
      return
    }
    const size = Math.min(chunkSize, limit - pushed)
    const chunk = new Uint8Array(size)
    for (let i = 0; i < size; i++) chunk[i] = patternByte(pushed + i)
    pushed += size
    if (!sink.data(chunk)) paused = true
    plan()
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
      plan()
    },
    pause() {
      paused = true
    },
    resume() {
      paused = false
      plan()
    },
    cancel() {
      cancelled = true
      over = true
    },
  }
}
