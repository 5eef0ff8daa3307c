/** Reads the beginning of a stream without consuming it. */
import { type ByteSink, type ByteStream, joinChunks } from './byte-stream.ts'
import type { HeaderPairs } from './headers.ts'

export interface Peeked {
  /** The first bytes: `wanted` or more, or all bytes if the stream is shorter or failed. */
  readonly head: Uint8Array
  /** Whether `head` is the whole stream. */
  readonly isWhole: boolean
  /** The whole stream, `head` included. */
  readonly stream: ByteStream
}

/** Resolves once `wanted` bytes have arrived or the stream has ended or failed. It never rejects. */
export function peek(source: ByteStream, wanted: number): Promise<Peeked> {
  return new Promise((resolve) => {
    const peeked = new PeekedStream(source, wanted, (head, isWhole) => resolve({ head, isWhole, stream: peeked }))
    source.pipe(peeked.receiver)
  })
}

type Ending = { readonly trailers: HeaderPairs | undefined } | { readonly error: unknown }

class PeekedStream implements ByteStream {
  readonly receiver: ByteSink
  private readonly source: ByteStream
  private readonly chunks: Uint8Array[] = []
  private ending: Ending | undefined = undefined
  private sink: ByteSink | undefined = undefined
  private isPaused = false

  constructor(source: ByteStream, wanted: number, ready: (head: Uint8Array, isWhole: boolean) => void) {
    this.source = source
    let size = 0
    let isReady = false
    const tryReady = (isWhole: boolean) => {
      if (isReady) return
      isReady = true
      ready(joinChunks([...this.chunks], size), isWhole)
    }
    const finish = (ending: Ending, isWhole: boolean) => {
      this.ending = ending
      tryReady(isWhole)
      this.flush()
    }
    this.receiver = {
      data: (chunk) => {
        size += chunk.length
        this.chunks.push(chunk)
        if (this.sink !== undefined) return this.flush()
        if (size >= wanted) tryReady(false)
        return !isReady
      },
      end: (trailers) => finish({ trailers }, true),
      fail: (error) => finish({ error }, false),
    }
  }

  get trailerNames(): string | undefined {
    return this.source.trailerNames
  }

  pipe(sink: ByteSink): void {
    this.sink = sink
    this.resume()
  }

  pause(): void {
    this.isPaused = true
    this.source.pause()
  }

  resume(): void {
    this.isPaused = false
    if (this.flush() && this.ending === undefined) this.source.resume()
  }

  cancel(reason?: unknown): void {
    this.chunks.length = 0
    this.sink = undefined
    this.source.cancel(reason)
  }

  /** Passes on what has arrived. Returns false while the sink is paused. */
  private flush(): boolean {
    const { sink, chunks } = this
    while (sink !== undefined && !this.isPaused && chunks.length > 0) {
      if (!sink.data(chunks.shift() as Uint8Array)) this.isPaused = true
    }
    if (sink === undefined || this.isPaused || chunks.length > 0) return false
    if (this.ending === undefined) return true
    this.sink = undefined
    if ('error' in this.ending) sink.fail(this.ending.error)
    else sink.end(this.ending.trailers)
    return true
  }
}
