/** Converts a `ByteStream` to a web `ReadableStream`. */
import type { ByteStream } from '@turnpike/core/http'
import { BodyLengthMismatch } from '../front-end-common/response-head.ts'

/** Bytes that are buffered before the source is paused. */
const bufferedBytes = 65_536

/**
 * `length`: the announced length, which the stream must have; `undefined`: any. If `signal` is aborted, the stream fails
 * and the source is cancelled. `onEnd` is called once, after the last byte or the failure.
 */
export function webOfStream(
  source: ByteStream,
  length: number | undefined,
  signal: AbortSignal,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  let over = false
  let sent = 0
  let paused = false
  let abort = () => {}
  const end = (): boolean => {
    if (over) return false
    over = true
    signal.removeEventListener('abort', abort)
    onEnd()
    return true
  }
  const underlying = {
    start(controller: ReadableStreamDefaultController<Uint8Array>) {
      const fail = (error: unknown) => {
        if (end()) controller.error(error)
      }
      abort = () => {
        source.cancel(signal.reason)
        fail(signal.reason)
      }
      if (signal.aborted) return abort()
      signal.addEventListener('abort', abort)
      source.pipe({
        data(chunk) {
          if (over) return true
          sent += chunk.length
          if (length !== undefined && sent > length) {
            source.cancel()
            fail(new BodyLengthMismatch(sent, length))
            return true
          }
          if (chunk.length > 0) controller.enqueue(chunk)
          paused = (controller.desiredSize ?? 0) <= 0
          return !paused
        },
        end() {
          if (length !== undefined && sent !== length) fail(new BodyLengthMismatch(sent, length))
          else if (end()) controller.close()
        },
        fail,
      })
    },
    pull() {
      if (!paused) return
      paused = false
      source.resume()
    },
    cancel(reason: unknown) {
      if (end()) source.cancel(reason)
    },
  }
  return new ReadableStream(underlying, new ByteLengthQueuingStrategy({ highWaterMark: bufferedBytes }))
}
