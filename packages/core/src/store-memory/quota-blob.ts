/**
 * Quota counters as bytes, many in one blob, so that stores keep them without an object or a text for each. A counter
 * is: length of the name in bytes, plus 2^31 where it has two per letter (4 bytes); the name; what is used and when the
 * period ends (8 bytes each; an end of 0: never; used 0: the counter is forgotten). All big-endian.
 */
import type { QuotaState } from '../ports/quota.ts'
import { lettersToText, type NameShelf } from './name-shelf.ts'

const twoBytesEach = 0x80000000
const fixedBytes = 20

/** Collects counters into one blob. */
export class QuotaPacker {
  private bytes: Uint8Array
  private view: DataView
  private length = 0

  /** Begins with these bytes, which are the packer's from then on. */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer)
  }

  /** Bytes by now. */
  get size(): number {
    return this.length
  }

  /**
   * Adds a counter whose name, without its prefix, lies on a shelf; `renewsAt` 0: never. Tells where what may be
   * replaced begins.
   */
  add(prefix: string, shelf: NameShelf, place: number, used: number, renewsAt: number): number {
    const isWide = shelf.isWide(place)
    if (prefix !== '' && (isWide || !isNarrow(prefix))) return this.addWide(prefix + shelf.at(place), used, renewsAt)
    const nameBytes = prefix.length + shelf.bytesAt(place)
    const at = this.begin(nameBytes, isWide)
    for (let i = 0; i < prefix.length; i++) this.bytes[at + i] = prefix.charCodeAt(i)
    shelf.copy(place, this.bytes, at + prefix.length)
    return this.end(at + nameBytes, used, renewsAt)
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

  private addWide(name: string, used: number, renewsAt: number): number {
    const at = this.begin(name.length * 2, true)
    for (let i = 0; i < name.length; i++) this.view.setUint16(at + i * 2, name.charCodeAt(i))
    return this.end(at + name.length * 2, used, renewsAt)
  }

  /** Makes room for a counter; tells where its name begins. */
  private begin(nameBytes: number, isWide: boolean): number {
    this.reserve(nameBytes + fixedBytes)
    this.view.setUint32(this.length, isWide ? nameBytes + twoBytesEach : nameBytes)
    return this.length + 4
  }

  private end(nameEnd: number, used: number, renewsAt: number): number {
    this.replace(nameEnd, used, renewsAt)
    this.length = nameEnd + 16
    return nameEnd
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

function isNarrow(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0xff) return false
  return true
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
