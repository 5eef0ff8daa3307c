/**
 * Joins the chunks that one read of a socket contained, because an upstream can send a chunk or a frame for each byte, and
 * each call of a receiver costs as much as the copy of thousands of bytes.
 */
import { joinChunks } from '@turnpike/core/http'

export class ChunkJoiner {
  private readonly receive: (bytes: Uint8Array) => void
  private chunks: Uint8Array[] = []
  private size = 0

  /** `receive` gets the joined bytes in a microtask, or earlier by `flush`. */
  constructor(receive: (bytes: Uint8Array) => void) {
    this.receive = receive
  }

  add(chunk: Uint8Array): void {
    if (this.size === 0) queueMicrotask(() => this.flush())
    this.chunks.push(chunk)
    this.size += chunk.length
  }

  /** Passes on what was added. Does nothing if that is nothing. */
  flush(): void {
    const { chunks, size } = this
    if (size === 0) return
    this.chunks = []
    this.size = 0
    this.receive(joinChunks(chunks, size))
  }
}
