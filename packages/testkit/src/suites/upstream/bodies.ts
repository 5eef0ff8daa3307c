/** Bodies that come, go and are read at a pace of their own. */
import type { ByteSink, ByteStream } from '@turnpike/core'

/** A client's body: chunks one after the other, with an end or a break. */
export function streamed(chunks: string[], how: { breaksOff?: boolean; everyMs?: number } = {}): ByteStream {
  let over = false
  return {
    pipe(sink) {
      const left = [...chunks]
      const step = () => {
        const chunk = left.shift()
        if (over) return
        if (chunk !== undefined) {
          sink.data(Buffer.from(chunk))
          setTimeout(step, how.everyMs ?? 1)
        } else if (how.breaksOff) sink.fail(new Error('the client went away'))
        else sink.end()
      }
      step()
    },
    pause() {},
    resume() {},
    cancel() {
      over = true
    },
  }
}

/** A client's body of so many bytes that comes as fast as it is taken. */
export function pumped(size: number): { stream: ByteStream; sent(): number; cancelled(): boolean } {
  let sent = 0
  let over = false
  let flowing = false
  let sink: ByteSink | undefined
  const pump = () => {
    if (flowing || over || sink === undefined) return
    flowing = true
    let wanted = true
    while (wanted && sent < size && !over) {
      const chunk = Buffer.alloc(Math.min(65_536, size - sent), 'u')
      sent += chunk.length
      wanted = sink.data(chunk)
    }
    flowing = false
    if (sent < size || over) return
    over = true
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
        cancelled = over = true
      },
    },
    sent: () => sent,
    cancelled: () => cancelled || over,
  }
}

/** A reader that takes one chunk and then holds back until it is released. */
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

/** Resolves after the time. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Waits for the condition, 3 s at most. */
export async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; !condition(); i++) {
    if (i > 300) throw new Error('what was waited for never happened')
    await sleep(10)
  }
}
