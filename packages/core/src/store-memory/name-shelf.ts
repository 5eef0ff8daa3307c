/**
 * Names on numbered places, as bytes: a byte per letter where all of them fit into one, else two. Short names lie in
 * their place itself, others one behind the other in an array. No string is held, so a million names are nothing to
 * the garbage collector.
 */

/** On the length of a name that takes two bytes per letter. */
const wide = 0x80000000
/** Letters of removed names that are left lying; and never more than as many as those in use. */
const wasteAllowed = 4096

/** How the places of a shelf lie in the caller's rows, so that who has read his numbers has read the name as well. */
export interface ShelfRows {
  readonly bytes: ArrayBuffer
  /** Bytes of a row. The first eight are the shelf's: where the name begins, and its length. */
  readonly rowBytes: number
  /** Where in a row the letters of a short name lie, and how many fit. */
  readonly lettersAt: number
  readonly mostShort: number
}

export class NameShelf {
  /** Of each place where its name begins, plus one (0: the place is free, as the empty name is a name too), and its length. */
  private readonly heads: Uint32Array
  private readonly stride: number
  private readonly rows: Uint8Array
  private readonly rowBytes: number
  private readonly lettersAt: number
  private readonly mostShort: number
  private letters = new Uint8Array(256)
  private used = 0
  private wasted = 0

  constructor({ bytes, rowBytes, lettersAt, mostShort }: ShelfRows) {
    this.heads = new Uint32Array(bytes)
    this.stride = rowBytes / 4
    this.rows = new Uint8Array(bytes)
    this.rowBytes = rowBytes
    this.lettersAt = lettersAt
    this.mostShort = mostShort
  }

  isTaken(place: number): boolean {
    return this.heads[place * this.stride] !== 0
  }

  /** Puts a name on a free place. */
  put(place: number, name: string): void {
    const isShort = name.length <= this.mostShort
    if (!isShort) this.reserve(name.length * 2)
    const letters = isShort ? this.rows : this.letters
    const start = isShort ? place * this.rowBytes + this.lettersAt : this.used
    for (let i = 0; i < name.length; i++) {
      const unit = name.charCodeAt(i)
      if (unit > 0xff) {
        this.putWide(place, name)
        return
      }
      letters[start + i] = unit
    }
    this.setHead(place, isShort ? 0 : start, name.length)
    if (!isShort) this.used += name.length
  }

  /** Whether this name is on the place; nothing is on a free one. */
  has(place: number, name: string): boolean {
    if (!this.isTaken(place)) return false
    const length = this.lengthOf(place)
    if (length === name.length) {
      const isShort = length <= this.mostShort
      const letters = isShort ? this.rows : this.letters
      const start = isShort ? place * this.rowBytes + this.lettersAt : this.startOf(place)
      for (let i = 0; i < length; i++) if (letters[start + i] !== name.charCodeAt(i)) return false
      return true
    }
    if (length !== wide + name.length) return false
    const { letters } = this
    const start = this.startOf(place)
    for (let i = 0; i < name.length; i++) if (unitAt(letters, start + i * 2) !== name.charCodeAt(i)) return false
    return true
  }

  /** The name on a place that is taken. */
  at(place: number): string {
    const isShort = this.isShort(place)
    const start = isShort ? place * this.rowBytes + this.lettersAt : this.startOf(place)
    return lettersToText(isShort ? this.rows : this.letters, start, start + this.bytesAt(place), this.isWide(place))
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
    const isShort = this.isShort(place)
    const letters = isShort ? this.rows : this.letters
    const start = isShort ? place * this.rowBytes + this.lettersAt : this.startOf(place)
    const bytes = this.bytesAt(place)
    for (let i = 0; i < bytes; i++) target[at + i] = letters[start + i] as number
  }

  /** Frees a place that is taken. */
  drop(place: number): void {
    if (!this.isShort(place)) this.wasted += this.bytesAt(place)
    this.heads[place * this.stride] = 0
    if (this.wasted > wasteAllowed && this.wasted * 2 > this.used) this.pack()
  }

  private isShort(place: number): boolean {
    return this.lengthOf(place) <= this.mostShort
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

  private putWide(place: number, name: string): void {
    this.reserve(name.length * 2)
    const { letters, used: start } = this
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
      if (!this.isTaken(place) || this.isShort(place)) continue
      const start = this.startOf(place)
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
