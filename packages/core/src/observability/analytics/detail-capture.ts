/** The beginning of a body that streams past, for detailed records: only so many bytes are kept. */
import { type ByteStream, joinChunks } from '../../http/byte-stream.ts'
import { ObservedStream } from '../../http/observed-stream.ts'

export class DetailCapture extends ObservedStream {
  private readonly limit: number
  private readonly onOver: (() => void) | undefined
  private chunks: Uint8Array[] = []
  private size = 0
  private over = false

  /** `onOver` hears once that nothing more will come: the end, a break, or nobody wanted the rest. */
  constructor(source: ByteStream, limit: number, onOver?: () => void) {
    super(source)
    this.limit = limit
    this.onOver = onOver
  }

  /** What was kept so far. */
  bytes(): Uint8Array {
    const whole = joinChunks(this.chunks, this.size)
    this.chunks = [whole]
    return whole
  }

  protected onChunk(chunk: Uint8Array): void {
    const room = this.limit - this.size
    if (room <= 0) return
    // A copy where it is cut, so that a small beginning does not keep a large chunk alive.
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
