/** Converts a web `ReadableStream` to a `ByteStream`. */
import type { ByteSink, ByteStream } from './byte-stream.ts'

/** The part of a `ReadableStream` of bytes that is used here. */
export interface WebBody {
  getReader(): WebBodyReader
}

interface WebBodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
  cancel(reason?: unknown): Promise<void>
}

/** Reads one chunk at a time, and only while the sink accepts more. */
export function streamOfWeb(web: WebBody): ByteStream {
  const reader = web.getReader()
  let sink: ByteSink | undefined
  let paused = false
  let reading = false
  let over = false

  async function flow(): Promise<void> {
    if (reading || sink === undefined) return
    reading = true
    try {
      while (!paused && !over) {
        const { done, value } = await reader.read()
        if (over) return
        if (done) {
          over = true
          sink.end()
        } else if (value !== undefined && value.length > 0 && !sink.data(value)) paused = true
      }
    } catch (error) {
      if (!over) {
        over = true
        sink.fail(error)
      }
    } finally {
      reading = false
    }
  }

  return {
    pipe(to) {
      sink = to
      void flow()
    },
    pause() {
      paused = true
    },
    resume() {
      paused = false
      void flow()
    },
    cancel(reason) {
      over = true
      reader.cancel(reason).catch(() => {})
    },
  }
}
