/**
 * Quota counters as bytes, many in one blob, so that stores keep them without an object or a text for each. A counter
 * is: length of the name in bytes, plus 2^31 where it has two per letter (4 bytes); the name; what is used and when the
 * period ends (8 bytes each; an end of 0: never; used 0: the counter is forgotten). All big-endian.
 */
import type { QuotaState } from '../quota/quota.ts'
import { lettersToText, type NameShelf } from './name-shelf.ts'

const twoBytesEach = 0x80000000
const fixedBytes = 20

/** Collects counters into one blob. */
export class QuotaPacker {
  private bytes: Uint8Array
  private view: DataView
  private length = 0

  /** `room`: bytes to begin with. */
  constructor(room = 4096) {
    this.bytes = new Uint8Array(room)
    this.view = new DataView(this.bytes.buffer)
  }

  /** Bytes by now. */
  get size(): number {
    return this.length
  }

  /** Adds a counter whose name lies on a shelf; `renewsAt` 0: never. Tells where what may be replaced begins. */
  add(shelf: NameShelf, place: number, used: number, renewsAt: number): number {
    const nameBytes = shelf.bytesAt(place)
    this.reserve(nameBytes + fixedBytes)
    const { view, length } = this
    view.setUint32(length, shelf.isWide(place) ? nameBytes + twoBytesEach : nameBytes)
    shelf.copy(place, this.bytes, length + 4)
    this.replace(length + 4 + nameBytes, used, renewsAt)
    this.length = length + fixedBytes + nameBytes
    return length + 4 + nameBytes
  }

  /** Writes over the state of a counter. */
  replace(at: number, used: number, renewsAt: number): void {
    this.view.setFloat64(at, used)
    this.view.setFloat64(at + 8, renewsAt)
  }

  /** The blob; whoever takes it owns it, and nothing may be added any more. */
  finish(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }

  private reserve(more: number): void {
    const needed = this.length + more
    if (needed <= this.bytes.length) return
    const larger = new Uint8Array(Math.max(needed, this.bytes.length * 2))
    larger.set(this.bytes)
    this.bytes = larger
    this.view = new DataView(larger.buffer)
  }
}

/** Tells the counters of a blob, in order; false: from some byte on it is none. */
export function unpackQuotas(blob: Uint8Array, tell: (name: string, state: QuotaState) => void): boolean {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.length)
  for (let at = 0; at < blob.length; ) {
    if (at + fixedBytes > blob.length) return false
    const length = view.getUint32(at)
    const isWide = length >= twoBytesEach
    const nameEnd = at + 4 + (isWide ? length - twoBytesEach : length)
    if (nameEnd + 16 > blob.length) return false
    const renewsAt = view.getFloat64(nameEnd + 8)
    tell(lettersToText(blob, at + 4, nameEnd, isWide), {
      used: view.getFloat64(nameEnd),
      renewsAt: renewsAt === 0 ? undefined : renewsAt,
    })
    at = nameEnd + 16
  }
  return true
}
