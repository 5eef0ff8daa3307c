/**
 * Names on numbered places, their letters one behind the other in a byte array: a byte per letter where all of them
 * fit into one, else two. No string is held, so a million names are nothing to the garbage collector.
 */

/** On the length of a name that takes two bytes per letter. */
const wide = 0x80000000
/** Letters of removed names that are left lying; and never more than as many as those in use. */
const wasteAllowed = 4096

export class NameShelf {
  /**
   * Of each place two numbers: where its name begins, plus one (0: the place is free, as the empty name is a name
   * too), and its length.
   */
  private readonly heads: Uint32Array
  private readonly stride: number
  private letters = new Uint8Array(256)
  private used = 0
  private wasted = 0

  /**
   * The two numbers of a place are kept among those of the caller, so that who has read his has read these:
   * they are the first two of every `stride` of `heads`.
   */
  constructor(heads: Uint32Array, stride: number) {
    this.heads = heads
    this.stride = stride
  }

  isTaken(place: number): boolean {
    return this.heads[place * this.stride] !== 0
  }

  /** Puts a name on a free place. */
  put(place: number, name: string): void {
    const start = this.used
    this.reserve(name.length * 2)
    this.setHead(place, start, name.length)
    this.used = start + name.length
    const { letters } = this
    for (let i = 0; i < name.length; i++) {
      const unit = name.charCodeAt(i)
      if (unit > 0xff) {
        this.putWide(place, start, name)
        return
      }
      letters[start + i] = unit
    }
  }

  /** Whether this name is on the place; nothing is on a free one. */
  has(place: number, name: string): boolean {
    const start = this.startOf(place)
    if (start === -1) return false
    const { letters } = this
    const length = this.lengthOf(place)
    if (length === name.length) {
      for (let i = 0; i < length; i++) if (letters[start + i] !== name.charCodeAt(i)) return false
      return true
    }
    if (length !== wide + name.length) return false
    for (let i = 0; i < name.length; i++) if (unitAt(letters, start + i * 2) !== name.charCodeAt(i)) return false
    return true
  }

  /** The name on a place that is taken. */
  at(place: number): string {
    const start = this.startOf(place)
    return lettersToText(this.letters, start, start + this.bytesAt(place), this.isWide(place))
  }

  /** Bytes of the name's letters. */
  bytesAt(place: number): number {
    return bytesOf(this.lengthOf(place))
  }

  /** Whether each letter takes two bytes, the higher one first. */
  isWide(place: number): boolean {
    return this.lengthOf(place) >= wide
  }

  /** Copies the letters to `target`. */
  copy(place: number, target: Uint8Array, at: number): void {
    const { letters } = this
    const start = this.startOf(place)
    const bytes = this.bytesAt(place)
    for (let i = 0; i < bytes; i++) target[at + i] = letters[start + i] as number
  }

  /** Frees a place that is taken. */
  drop(place: number): void {
    this.wasted += this.bytesAt(place)
    this.heads[place * this.stride] = 0
    if (this.wasted > wasteAllowed && this.wasted * 2 > this.used) this.pack()
  }

  private setHead(place: number, start: number, length: number): void {
    this.heads[place * this.stride] = start + 1
    this.heads[place * this.stride + 1] = length
  }

  private startOf(place: number): number {
    return (this.heads[place * this.stride] as number) - 1
  }

  private lengthOf(place: number): number {
    return this.heads[place * this.stride + 1] as number
  }

  private putWide(place: number, start: number, name: string): void {
    const { letters } = this
    this.setHead(place, start, wide + name.length)
    this.used = start + name.length * 2
    for (let i = 0; i < name.length; i++) {
      const unit = name.charCodeAt(i)
      letters[start + i * 2] = unit >> 8
      letters[start + i * 2 + 1] = unit & 0xff
    }
  }

  private reserve(bytes: number): void {
    const needed = this.used + bytes
    if (needed <= this.letters.length) return
    const larger = new Uint8Array(Math.max(needed, this.letters.length * 2))
    larger.set(this.letters.subarray(0, this.used))
    this.letters = larger
  }

  /** Writes the letters that are in use anew, one name behind the other. */
  private pack(): void {
    const { letters, heads, stride } = this
    const packed = new Uint8Array(letters.length)
    let used = 0
    for (let place = 0; place * stride < heads.length; place++) {
      const start = this.startOf(place)
      if (start === -1) continue
      const bytes = this.bytesAt(place)
      packed.set(letters.subarray(start, start + bytes), used)
      heads[place * stride] = used + 1
      used += bytes
    }
    this.letters = packed
    this.used = used
    this.wasted = 0
  }
}

/** The text of letters in bytes. */
export function lettersToText(letters: Uint8Array, start: number, end: number, isWide: boolean): string {
  let text = ''
  if (isWide) for (let i = start; i < end; i += 2) text += String.fromCharCode(unitAt(letters, i))
  // In one call where the letters fit into its arguments.
  else if (end - start <= 1000)
    text = String.fromCharCode.apply(null, letters.subarray(start, end) as unknown as number[])
  else for (let i = start; i < end; i++) text += String.fromCharCode(letters[i] as number)
  return text
}

const bytesOf = (length: number) => (length < wide ? length : (length - wide) * 2)

const unitAt = (letters: Uint8Array, at: number) => ((letters[at] as number) << 8) | (letters[at + 1] as number)
