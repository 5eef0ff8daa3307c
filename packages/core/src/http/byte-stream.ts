/**
 * A stream of bytes with backpressure, for the bodies of requests and responses. It is push-based, because front ends
 * and upstream clients push; a `Readable` or an async iterable between them would cost an object and a microtask for
 * every chunk. See docs/decisions/0002-bodies-are-pushed.md.
 */
import type { HeaderPairs } from './headers.ts'

/** The source of a stream. */
export interface ByteStream {
  /** Names of the trailers that `Trailer` announced; absent: none. */
  readonly trailerNames?: string | undefined
  /**
   * Returns the whole content if it has arrived completely, nobody reads it and it has no trailers; the stream must not be
   * used afterwards. Absent or `undefined`: use `pipe`.
   */
  takeBytes?(): Uint8Array | undefined
  /**
   * Starts sending to the sink; call it once. The source does not reuse the memory of chunks. The last call on the
   * sink is either `end` or `fail`, unless the stream is cancelled.
   */
  pipe(sink: ByteSink): void
  /** Pauses the source; chunks in transit may still arrive. */
  pause(): void
  resume(): void
  /** Discards the rest. The source makes no further call on the sink. */
  cancel(reason?: unknown): void
}

/** The receiver of a stream. */
export interface ByteSink {
  /** Receives a chunk. Returns false to pause the source until the sink calls `stream.resume()`. */
  data(chunk: Uint8Array): boolean
  /**
   * Like `data`, but the source reuses the memory of the chunk: after this call if it returns true, otherwise after the
   * sink has called `stream.resume()`. Absent: the source calls `data` with a copy.
   */
  lend?(chunk: Uint8Array): boolean
  /** The stream is complete. `trailers` contains only fields that may be forwarded; the sink may ignore them. */
  end(trailers?: HeaderPairs): void
  /** The stream failed, so the body is incomplete. */
  fail(error: unknown): void
}

/** Thrown if a body exceeds the reader's limit. */
export class BodyTooLarge extends Error {
  readonly limit: number
  constructor(limit: number) {
    super(`the body is longer than ${limit} bytes`)
    this.limit = limit
  }
}

/**
 * Reads a stream into one array. Rejects with `BodyTooLarge` as soon as the body exceeds `limit` bytes, after
 * cancelling the rest, and with the source's error if the stream fails.
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

/** A stream of one chunk. */
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

/** Cancels a body that is not read, if it is a stream. `reason` is what its source reports. */
export function cancelBody(body: string | Uint8Array | ByteStream | undefined, reason?: unknown): void {
  if (typeof body === 'object' && !(body instanceof Uint8Array)) body.cancel(reason)
}

/** Concatenates chunks; `size` is the sum of their lengths. */
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
