/**
 * The beginning of a body that streams past, for detailed records. What passes is not changed, held up or counted
 * twice: backpressure goes through, and only so many bytes are kept.
 */
import { type ByteSink, type ByteStream, joinChunks } from '../byte-stream.ts'

export class DetailCapture implements ByteStream, ByteSink {
  private readonly source: ByteStream
  private readonly limit: number
  private readonly onOver: (() => void) | undefined
  private sink: ByteSink | undefined = undefined
  private chunks: Uint8Array[] = []
  private size = 0
  private over = false

  /** `onOver` hears once that nothing more will come: the end, a break, or nobody wanted the rest. */
  constructor(source: ByteStream, limit: number, onOver?: () => void) {
    this.source = source
    this.limit = limit
    this.onOver = onOver
  }

  /** What was kept so far. */
  bytes(): Uint8Array {
    const whole = joinChunks(this.chunks, this.size)
    this.chunks = [whole]
    return whole
  }

  pipe(sink: ByteSink): void {
    this.sink = sink
    this.source.pipe(this)
  }

  pause(): void {
    this.source.pause()
  }

  resume(): void {
    this.source.resume()
  }

  cancel(reason?: unknown): void {
    this.finish()
    this.source.cancel(reason)
  }

  data(chunk: Uint8Array): boolean {
    const room = this.limit - this.size
    if (room > 0) {
      // A copy where it is cut, so that a small beginning does not keep a large chunk alive.
      const kept = chunk.length > room ? chunk.slice(0, room) : chunk
      this.chunks.push(kept)
      this.size += kept.length
    }
    return this.sink?.data(chunk) ?? true
  }

  end(): void {
    this.finish()
    this.sink?.end()
  }

  fail(error: unknown): void {
    this.finish()
    this.sink?.fail(error)
  }

  private finish(): void {
    if (this.over) return
    this.over = true
    this.onOver?.()
  }
}
