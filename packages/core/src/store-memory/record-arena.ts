/**
 * Records of a name and some numbers, one behind the other in large typed arrays that never move. All of a record lies
 * together, so that looking at one of a million touches one place of memory, and no record is anything to the garbage
 * collector. A record is known by where it begins, in units of 8 bytes; its room is used again by records of its size.
 *
 * In units: a head of two (size, letters of the name, hash), the numbers, the letters. A name has a byte per letter
 * where all of them fit into one, else two.
 */

/** 512 KiB. */
const chunkBits = 16
const chunkUnits = 1 << chunkBits
const chunkMask = chunkUnits - 1

// Words of the head.
/** In units; `free` is added where no record is. */
const sizeAt = 0
/** Letters of the name; `wide` is added where they take two bytes each. */
const lengthAt = 1
const lowAt = 2
const highAt = 3
const headUnits = 2

const free = 0x80000000
const wide = 0x80000000

/** The same bytes, seen three ways. */
class Chunk {
  readonly numbers: Float64Array
  readonly words: Uint32Array
  readonly bytes: Uint8Array
  constructor(units: number) {
    this.numbers = new Float64Array(units)
    this.words = new Uint32Array(this.numbers.buffer)
    this.bytes = new Uint8Array(this.numbers.buffer)
  }
}

export class RecordArena {
  private readonly columns: number
  /** By the upper bits of where a record begins. One that is larger than a chunk has a chunk of its own, several times. */
  private readonly chunks: Chunk[] = []
  private end = 0
  private readonly freeBySize = new Map<number, number[]>()

  /** `columns`: numbers of a record. */
  constructor(columns: number) {
    this.columns = columns
  }

  /** Makes a record whose numbers are 0. */
  add(name: string, low: number, high: number): number {
    const isWide = hasWideLetters(name)
    const letterBytes = isWide ? name.length * 2 : name.length
    const size = headUnits + this.columns + ((letterBytes + 7) >> 3)
    const id = this.freeBySize.get(size)?.pop() ?? this.reserve(size)
    const { words, numbers, bytes } = this.chunkOf(id)
    const unit = id & chunkMask
    words[unit * 2 + sizeAt] = size
    words[unit * 2 + lengthAt] = isWide ? name.length + wide : name.length
    words[unit * 2 + lowAt] = low
    words[unit * 2 + highAt] = high
    numbers.fill(0, unit + headUnits, unit + headUnits + this.columns)
    const at = this.lettersAt(id)
    if (isWide) for (let i = 0; i < name.length; i++) putUnit(bytes, at + i * 2, name.charCodeAt(i))
    else for (let i = 0; i < name.length; i++) bytes[at + i] = name.charCodeAt(i)
    return id
  }

  /** Frees the room of a record that is there. */
  remove(id: number): void {
    const { words } = this.chunkOf(id)
    const at = (id & chunkMask) * 2 + sizeAt
    const size = words[at] as number
    words[at] = size + free
    const others = this.freeBySize.get(size)
    if (others === undefined) this.freeBySize.set(size, [id])
    else others.push(id)
  }

  /**
   * The first record that begins at `from` or behind it, where `from` is 0 or what `after` told; −1: there is none.
   */
  firstFrom(from: number): number {
    for (let id = from; id < this.end; ) {
      const size = this.chunkOf(id).words[(id & chunkMask) * 2 + sizeAt] as number
      if (size < free) return id
      id += size - free
    }
    return -1
  }

  /** Where to go on behind a record, whether or not it has been removed since. */
  after(id: number): number {
    const size = this.chunkOf(id).words[(id & chunkMask) * 2 + sizeAt] as number
    return id + (size < free ? size : size - free)
  }

  get(id: number, column: number): number {
    return this.chunkOf(id).numbers[(id & chunkMask) + headUnits + column] as number
  }

  set(id: number, column: number, value: number): void {
    this.chunkOf(id).numbers[(id & chunkMask) + headUnits + column] = value
  }

  /** The halves of the hash that the record was made with. */
  lowOf(id: number): number {
    return this.chunkOf(id).words[(id & chunkMask) * 2 + lowAt] as number
  }

  highOf(id: number): number {
    return this.chunkOf(id).words[(id & chunkMask) * 2 + highAt] as number
  }

  isNamed(id: number, name: string): boolean {
    const { words, bytes } = this.chunkOf(id)
    const length = words[(id & chunkMask) * 2 + lengthAt] as number
    const at = this.lettersAt(id)
    if (length === name.length) {
      for (let i = 0; i < length; i++) if (bytes[at + i] !== name.charCodeAt(i)) return false
      return true
    }
    if (length !== name.length + wide) return false
    for (let i = 0; i < name.length; i++) if (unitAt(bytes, at + i * 2) !== name.charCodeAt(i)) return false
    return true
  }

  nameOf(id: number): string {
    const at = this.lettersAt(id)
    return lettersToText(this.chunkOf(id).bytes, at, at + this.nameBytes(id), this.isWide(id))
  }

  /** Bytes of the name's letters. */
  nameBytes(id: number): number {
    const length = this.chunkOf(id).words[(id & chunkMask) * 2 + lengthAt] as number
    return length < wide ? length : (length - wide) * 2
  }

  /** Whether each letter takes two bytes, the higher one first. */
  isWide(id: number): boolean {
    return (this.chunkOf(id).words[(id & chunkMask) * 2 + lengthAt] as number) >= wide
  }

  copyName(id: number, target: Uint8Array, at: number): void {
    const { bytes } = this.chunkOf(id)
    const start = this.lettersAt(id)
    const length = this.nameBytes(id)
    for (let i = 0; i < length; i++) target[at + i] = bytes[start + i] as number
  }

  /** Room at the end; what is left of the chunk before becomes free, so that the records can be gone through. */
  private reserve(size: number): number {
    const left = this.chunks.length * chunkUnits - this.end
    if (size > left) {
      if (left > 0) this.leave(left)
      const chunksWanted = Math.ceil(size / chunkUnits)
      const chunk = new Chunk(chunksWanted * chunkUnits)
      for (let i = 0; i < chunksWanted; i++) this.chunks.push(chunk)
    }
    const id = this.end
    this.end += size
    // Nothing may begin inside a chunk of several: its places are counted from its begin.
    if (size > chunkUnits) {
      const rest = this.chunks.length * chunkUnits - this.end
      this.end += rest
      return id
    }
    return id
  }

  private leave(units: number): void {
    this.chunkOf(this.end).words[(this.end & chunkMask) * 2 + sizeAt] = units + free
    this.end += units
  }

  private lettersAt(id: number): number {
    return ((id & chunkMask) + headUnits + this.columns) * 8
  }

  private chunkOf(id: number): Chunk {
    return this.chunks[id >>> chunkBits] as Chunk
  }
}

function hasWideLetters(name: string): boolean {
  for (let i = 0; i < name.length; i++) if (name.charCodeAt(i) > 0xff) return true
  return false
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

function putUnit(bytes: Uint8Array, at: number, unit: number): void {
  bytes[at] = unit >> 8
  bytes[at + 1] = unit & 0xff
}

const unitAt = (bytes: Uint8Array, at: number) => ((bytes[at] as number) << 8) | (bytes[at + 1] as number)
