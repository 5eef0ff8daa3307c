/**
 * Quota counters that changed and are not kept yet, as blobs that are written while the counters are decided on: the
 * counter is at hand then. To come back for it later would cost another look into slow memory for each of many keys.
 * A counter that changes again before its blob is taken is written over where it stands.
 */
import type { NameShelf } from './name-shelf.ts'
import { QuotaPacker } from './quota-blob.ts'

/** A blob that has grown to this is left as it is; its checksum takes well under a millisecond. */
const fullBytes = 96 * 1024
/** Room of a blob. */
const roomBytes = fullBytes + 4096
/** Rooms that are kept for later: 6 MiB. Made anew they would be what the garbage collector runs for. */
const mostSpare = 64
/**
 * A counter that begins behind it, since the name of the last one is very long, is not written over but noted anew. With
 * a larger one, numbers of pages would come to their end within a few months.
 */
const span = 2 ** 18

export class QuotaChanges {
  private pages: QuotaPacker[] = []
  /** Number of the first page; pages are numbered for as long as this lives, from 1 on. */
  private first = 1
  private count = 0
  private readonly spare: Uint8Array[] = []

  /** Counters noted and not taken. */
  get size(): number {
    return this.count
  }

  /** Writes a counter down, as `add` of `QuotaPacker`; tells its place, 0: it cannot be replaced there. */
  add(prefix: string, shelf: NameShelf, place: number, used: number, renewsAt: number): number {
    const { pages } = this
    let page = pages[pages.length - 1]
    if (page === undefined || page.size >= fullBytes) {
      page = this.newPage()
      pages.push(page)
    }
    this.count++
    const at = page.add(prefix, shelf, place, used, renewsAt)
    return at < span ? (this.first + pages.length - 1) * span + at : 0
  }

  /** Writes over what was noted there; false: it was taken meanwhile. */
  replace(place: number, used: number, renewsAt: number): boolean {
    const number = Math.floor(place / span)
    if (number < this.first) return false
    const page = this.pages[number - this.first] as QuotaPacker
    page.replace(place - number * span, used, renewsAt)
    return true
  }

  /** An empty page with room for a full blob. */
  newPage(): QuotaPacker {
    return new QuotaPacker(this.spare.pop() ?? new Uint8Array(roomBytes))
  }

  /** Takes back the bytes of a blob that nobody needs any more. */
  reuse({ buffer }: Uint8Array): void {
    const isRoom = buffer.byteLength === roomBytes
    if (isRoom && this.spare.length < mostSpare) this.spare.push(new Uint8Array(buffer))
  }

  /** Takes all that is noted, as blobs in the order in which they are to be kept. */
  take(): Uint8Array[] {
    const blobs = this.pages.map((page) => page.finish())
    this.first += blobs.length
    this.pages = []
    this.count = 0
    return blobs
  }
}
