/** Request bodies and readers with a controlled speed. */
import type { ByteStream } from '@turnpike/core/http'

/** Makes a request body that sends one chunk every `everyMs` milliseconds (default 1) and then ends or fails. */
export function streamed(chunks: string[], options: { fails?: boolean; everyMs?: number } = {}): ByteStream {
  let ended = false
  return {
    pipe(sink) {
      const left = [...chunks]
      const step = () => {
        const chunk = left.shift()
        if (ended) return
        if (chunk !== undefined) {
          sink.data(Buffer.from(chunk))
          setTimeout(step, options.everyMs ?? 1)
        } else if (options.fails) sink.fail(new Error('the client disconnected'))
        else sink.end()
      }
      step()
    },
    pause() {},
    resume() {},
    cancel() {
      ended = true
    },
  }
}

/** Reads a body, and pauses after one chunk until `release` is called. `done` resolves at its end, and rejects if it fails. */
export function readSlowly(stream: ByteStream) {
  const state = { bytes: 0, held: true }
  const done = new Promise<void>((resolve, reject) => {
    stream.pipe({
      data(chunk) {
        state.bytes += chunk.length
        return !state.held
      },
      end: () => resolve(),
      fail: reject,
    })
  })
  const release = () => {
    state.held = false
    stream.resume()
  }
  return { state, done, release }
}
