/** Request bodies and readers with a controlled speed, and waiting functions. */
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

/** Makes a request body of `size` bytes that is sent as fast as the sink accepts it. */
export function pumped(size: number): { stream: ByteStream; sent(): number; cancelled(): boolean } {
  let sent = 0
  let ended = false
  let flowing = false
  let sink: ByteSink | undefined
  const pump = () => {
    if (flowing || ended || sink === undefined) return
    flowing = true
    let wanted = true
    while (wanted && sent < size && !ended) {
      const chunk = Buffer.alloc(Math.min(65_536, size - sent), 'u')
      sent += chunk.length
      wanted = sink.data(chunk)
    }
    flowing = false
    if (sent < size || ended) return
    ended = true
    sink.end()
  }
  let cancelled = false
  return {
    stream: {
      pipe(to) {
        sink = to
        setImmediate(pump)
      },
      pause() {},
      resume: () => void setImmediate(pump),
      cancel() {
        cancelled = ended = true
      },
    },
    sent: () => sent,
    cancelled: () => cancelled || ended,
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

/** Resolves after `ms` milliseconds. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Polls until the condition is true. Rejects after 3 s. */
export async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; !condition(); i++) {
    if (i > 300) throw new Error('the condition did not become true in 3 s')
    await sleep(10)
  }
}
