/**
 * Bounds the memory of upgraded connections whose peer does not read: bytes that were read from one side and that the
 * other side has not accepted. The connection that would exceed a bound is closed.
 */
import { makeByteBudget } from '@turnpike/core/cache'
import type { ByteStream } from '@turnpike/core/http'

export interface TunnelBudget {
  /** Maximum bytes of one connection in one direction. */
  readonly maxEach: number
  /** Reserves bytes of the total. Returns false, and reserves nothing, if there is no room for them. */
  tryReserve(bytes: number): boolean
  release(bytes: number): void
}

/** Defaults in bytes: 1 MiB each, 64 MiB for all. */
export function makeTunnelBudget(maxEach = 2 ** 20, maxTotal = 64 * 2 ** 20): TunnelBudget {
  return { maxEach, ...makeByteBudget(maxTotal) }
}

/** A stream whose bytes count while its sink does not accept them. If they exceed a bound, both ends are closed. */
export function budgeted(stream: ByteStream, budget: TunnelBudget): ByteStream {
  let held = 0
  const release = () => {
    budget.release(held)
    held = 0
  }
  const hold = (bytes: number) => {
    if (held + bytes > budget.maxEach || !budget.tryReserve(bytes)) return false
    held += bytes
    return true
  }
  return {
    pipe: (sink) =>
      stream.pipe({
        data(chunk) {
          if (sink.data(chunk)) return true
          if (hold(chunk.length)) return false
          stream.cancel()
          sink.fail(new Error('the peer reads too slowly'))
          release()
          return false
        },
        end(trailers) {
          release()
          sink.end(trailers)
        },
        fail(error) {
          release()
          sink.fail(error)
        },
      }),
    pause: () => stream.pause(),
    resume() {
      release()
      stream.resume()
    },
    cancel() {
      release()
      stream.cancel()
    },
  }
}
