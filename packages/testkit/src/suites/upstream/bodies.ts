/** Request bodies and readers with a controlled speed. */
import type { ByteSink, ByteStream } from '@turnpike/core'

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

/** Makes a reader that pauses after one chunk until `release` is called. */
export function slowSink(stream: ByteStream) {
  const state = { bytes: 0, held: true, done: Promise.resolve(), release: () => {} }
  let sink: ByteSink | undefined
  state.done = new Promise((resolve, reject) => {
    sink = {
      data(chunk) {
        state.bytes += chunk.length
        return !state.held
      },
      end: () => resolve(),
      fail: reject,
    }
  })
  state.release = () => {
    state.held = false
    stream.resume()
  }
  return { sink: sink as unknown as ByteSink, state }
}
