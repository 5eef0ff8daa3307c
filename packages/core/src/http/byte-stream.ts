/**
 * One stream of bytes with backpressure, used for request bodies going up and answers coming down.
 * It is push based, since both ends (front end and upstream client) push; a `Readable` or an async iterable in
 * between would cost an object and a turn of the microtask queue for every chunk.
 */
import type { HeaderPairs } from './headers.ts'

/** Where bytes come from. */
export interface ByteStream {
  /** Names of the trailers that its end may bring, as `Trailer` announced them; absent: none was announced. */
  readonly trailerNames?: string | undefined
  /**
   * Starts the flow into the sink; to be called once. Chunks belong to the sink: the source does not reuse them.
   * Exactly one of `end` and `fail` is called last, unless the stream was cancelled.
   */
  pipe(sink: ByteSink): void
  /** Asks the source to hold back; what is already under way may still arrive. */
  pause(): void
  resume(): void
  /** Gives the rest up: no further call on the sink. */
  cancel(reason?: unknown): void
}

/** Where a stream flows to. */
export interface ByteSink {
  /** Takes a chunk. The answer `false` asks the source to pause; the sink resumes it by `stream.resume()`. */
  data(chunk: Uint8Array): boolean
  /** The stream is complete. `trailers`: what followed it, fit to be passed on; a sink that has no use for them may drop them. */
  end(trailers?: HeaderPairs): void
  /** The stream broke off: what came so far is not the whole. */
  fail(error: unknown): void
}

/** Says that a body was longer than the reader was willing to hold. */
export class BodyTooLarge extends Error {
  readonly limit: number
  constructor(limit: number) {
    super(`the body is longer than ${limit} bytes`)
    this.limit = limit
  }
}

/**
 * Reads a stream to its end into one array.
 * Rejects with `BodyTooLarge` as soon as more than `limit` bytes came (the rest is cancelled), and with the
 * source's error when the stream breaks off.
 */
export function collect(stream: ByteStream, limit = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let size = 0
    stream.pipe({
      data(chunk) {
        size += chunk.length
        if (size > limit) {
          stream.cancel()
          reject(new BodyTooLarge(limit))
          return true
        }
        chunks.push(chunk)
        return true
      },
      end() {
        resolve(joinChunks(chunks, size))
      },
      fail: reject,
    })
  })
}

/** A stream of one chunk that is already there. */
export function streamOf(bytes: Uint8Array): ByteStream {
  let sink: ByteSink | undefined
  let state: 'fresh' | 'sent' | 'done' = 'fresh'
  const finish = () => {
    if (state !== 'sent' || sink === undefined) return
    state = 'done'
    sink.end()
  }
  return {
    pipe(to) {
      sink = to
      state = 'sent'
      if (bytes.length === 0 || to.data(bytes)) finish()
    },
    pause() {},
    resume: finish,
    cancel() {
      state = 'done'
    },
  }
}

/** One array of all chunks; `size` is the sum of their lengths. */
export function joinChunks(chunks: Uint8Array[], size: number): Uint8Array {
  if (chunks.length === 1) return chunks[0] as Uint8Array
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
