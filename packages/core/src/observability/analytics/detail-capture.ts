/** Captures the beginning of a streamed body, up to a limit in bytes, for detailed records. */
import { type ByteStream, joinChunks } from '../../http/byte-stream.ts'
import { ObservedStream } from '../../http/observed-stream.ts'

export class DetailCapture extends ObservedStream {
  private readonly limit: number
  private readonly onOver: (() => void) | undefined
  private chunks: Uint8Array[] = []
  private size = 0
  private over = false

  /** `onOver` is called once, when the stream ends, fails or is cancelled. */
  constructor(source: ByteStream, limit: number, onOver?: () => void) {
    super(source)
    this.limit = limit
    this.onOver = onOver
  }

  /** The bytes captured so far. */
  bytes(): Uint8Array {
    const whole = joinChunks(this.chunks, this.size)
    this.chunks = [whole]
    return whole
  }

  protected onChunk(chunk: Uint8Array): void {
    const room = this.limit - this.size
    if (room <= 0) return
    // A truncated chunk is copied, so that the captured part does not keep the whole chunk in memory.
    const kept = chunk.length > room ? chunk.slice(0, room) : chunk
    this.chunks.push(kept)
    this.size += kept.length
  }

  protected onEnd(): void {
    if (this.over) return
    this.over = true
    this.onOver?.()
  }
}
