/**
 * Memory that sockets read into (`onread` of node:net). Node allocates memory for each read otherwise, and while long bodies
 * flow, half of the CPU time is the collection of that memory.
 *
 * Reads go to memory that all sockets share, which is safe because Node reads and calls back synchronously: receivers copy
 * what they keep. While a long body arrives, its socket reads into memory of its own, which it lends to the receiver
 * (`ByteSink.lend` of core).
 */

const readBytes = 65_536
/** A read of this many bytes is part of a long body. */
const longReadBytes = 16_384
/** Pieces of memory that are kept for later bodies. */
const maxFree = 64

const shared = Buffer.allocUnsafeSlow(readBytes)
const free: LentMemory[] = []

/** Memory of one socket while a long body arrives. */
export class LentMemory {
  readonly bytes = Buffer.allocUnsafeSlow(readBytes)
  private isLent = false
  private isRetired = false

  /** A receiver has kept the memory after the call of `lend`. */
  keep(): void {
    this.isLent = true
  }

  /** The receiver no longer uses the memory. If it is cancelled instead, the garbage collector gets the memory. */
  giveBack(): void {
    this.isLent = false
    if (this.isRetired) this.recycle()
  }

  /** Whether the socket may read into the memory. */
  get isUsable(): boolean {
    return !this.isLent
  }

  /** The socket no longer reads into the memory. */
  retire(): void {
    this.isRetired = true
    if (!this.isLent) this.recycle()
  }

  private recycle(): void {
    this.isRetired = false
    if (free.length < maxFree) free.push(this)
  }
}

/** Chooses the memory for each read of one socket. */
export class ReadMemory {
  /** The memory of the current read. */
  bytes: Buffer = shared
  /** The same, if it can be lent. */
  lendable: LentMemory | undefined = undefined

  /** Returns the memory of the next read. `count`: bytes of the last one; `flows`: more of a body is expected. */
  next(count: number, flows: boolean): Buffer {
    const isLong = flows && count >= longReadBytes
    if (this.lendable !== undefined && !(isLong && this.lendable.isUsable)) {
      this.lendable.retire()
      this.lendable = undefined
    }
    if (isLong) this.lendable ??= free.pop() ?? new LentMemory()
    this.bytes = this.lendable?.bytes ?? shared
    return this.bytes
  }
}
