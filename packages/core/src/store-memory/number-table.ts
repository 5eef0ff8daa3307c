/**
 * A table of named records of numbers, such as counters: found by name, and by an id that stays the same for as long
 * as the record is there. Everything lies in typed arrays, in segments that never move: a record costs its numbers and
 * some eighty bytes, more where its name is long; it is nothing to the garbage collector, and adding one never copies
 * the others. Beside a Map of objects: docs/decisions/0006-a-million-keys.md.
 */
import { NameHash } from './name-hash.ts'
import { NameIndex } from './name-index.ts'
import { NameShelf } from './name-shelf.ts'

/** Rows of the first segment, as a power of two. The next ones are as long as all before them together, up to the longest. */
const firstBits = 11
const longestBits = 18

/** What stands before a record's numbers, in 32-bit units: what the shelf has of its name, the halves of its hash. */
const headUnits = 6
const hashLow = 2
const hashHigh = 3
/** Of no meaning: see `prefetch`. One more keeps the numbers at multiples of eight bytes. */
const spare = 4
/** Letters of a name that lie in the record's own row; most names of counters are no longer. */
const shortBytes = 48

/** Few and long ones: where each begins is then always at hand, and memory that was never written costs nothing. */
class Segment {
  readonly names: NameShelf
  /** Id of its first row. */
  readonly first: number
  // One row per record in the same bytes, so that a record that nobody touched lately costs one look into memory.
  readonly heads: Uint32Array
  readonly numbers: Float64Array
  constructor(first: number, columns: number, rowUnits: number) {
    this.first = first
    const rows = first === 0 ? 1 << firstBits : Math.min(first, 1 << longestBits)
    const bytes = new ArrayBuffer(rows * rowUnits * 4)
    this.heads = new Uint32Array(bytes)
    this.numbers = new Float64Array(bytes)
    const lettersAt = headUnits * 4 + columns * 8
    this.names = new NameShelf({ bytes, rowBytes: rowUnits * 4, lettersAt, mostShort: shortBytes })
  }
}

export class NumberTable {
  private readonly columns: number
  /** Units of 32 bits in a row. */
  private readonly rowUnits: number
  private readonly hash: NameHash
  private readonly index = new NameIndex()
  private readonly segments: Segment[] = []
  private readonly freeIds: number[] = []
  private ids = 0
  private wanted = ''

  /** `columns`: numbers of a record. `seed`: see `NameHash`. */
  constructor(columns: number, seed = 0) {
    this.columns = columns
    this.rowUnits = headUnits + columns * 2 + shortBytes / 4
    this.hash = new NameHash(seed)
  }

  /** Records held. */
  get size(): number {
    return this.ids - this.freeIds.length
  }

  /** All ids are below it; not all of them are in use. */
  get idsEnd(): number {
    return this.ids
  }

  /** The id of a name; −1: there is none. */
  find(name: string): number {
    const { hash } = this
    hash.of(name)
    this.wanted = name
    return this.index.find(hash.low, this)
  }

  /** As `find`; looks first whether it is the one of this id, which may be any number. */
  findNear(name: string, id: number): number {
    if (id < 0 || id >= this.ids) return this.find(name)
    const { names, first } = this.segmentOf(id)
    return names.has(id - first, name) ? id : this.find(name)
  }

  /** Whether the record of an id, which may be any number, is there and has this number in a column; only for numbers above 0. */
  has(id: number, column: number, value: number): boolean {
    return id >= 0 && id < this.ids && value > 0 && this.get(id, column) === value
  }

  /**
   * Begins to fetch the record of an id, which may be any number, from slow memory. By writing, since the processor
   * goes on while a write waits for its line of the cache; by reading it would soon stand still.
   */
  prefetch(id: number): void {
    if (id < 0 || id >= this.ids) return
    const { heads, first } = this.segmentOf(id)
    heads[(id - first) * this.rowUnits + spare] = 0
  }

  /** For the index: whether the record is the one that is looked for. */
  isWanted(id: number): boolean {
    const { heads, names, first } = this.segmentOf(id)
    const place = id - first
    return heads[place * this.rowUnits + hashHigh] === this.hash.high && names.has(place, this.wanted)
  }

  /** Adds a record for the name that `find` has just not found; all its numbers are 0. */
  add(name: string): number {
    const { low, high } = this.hash
    const id = this.freeIds.pop() ?? this.ids++
    if (segmentAt(id) === this.segments.length) this.segments.push(new Segment(id, this.columns, this.rowUnits))
    const { heads, names, first } = this.segmentOf(id)
    const row = (id - first) * this.rowUnits
    heads[row + hashLow] = low
    heads[row + hashHigh] = high
    names.put(id - first, name)
    this.index.add(low, id)
    return id
  }

  /** Removes a record that is there. */
  remove(id: number): void {
    const { heads, names, first } = this.segmentOf(id)
    const row = (id - first) * this.rowUnits
    this.index.remove(heads[row + hashLow] as number, id)
    names.drop(id - first)
    heads.fill(0, row + headUnits, row + headUnits + this.columns * 2)
    this.freeIds.push(id)
  }

  isUsed(id: number): boolean {
    return id < this.ids && this.segmentOf(id).names.isTaken(this.placeOf(id))
  }

  /** The name of a record that is there. */
  nameOf(id: number): string {
    return this.segmentOf(id).names.at(this.placeOf(id))
  }

  /** Where the name of a record lies. */
  shelfOf(id: number): NameShelf {
    return this.segmentOf(id).names
  }

  placeOf(id: number): number {
    return id - this.segmentOf(id).first
  }

  get(id: number, column: number): number {
    const { numbers, first } = this.segmentOf(id)
    return numbers[this.cellOf(id - first, column)] as number
  }

  set(id: number, column: number, value: number): void {
    const { numbers, first } = this.segmentOf(id)
    numbers[this.cellOf(id - first, column)] = value
  }

  private cellOf(place: number, column: number): number {
    return ((place * this.rowUnits + headUnits) >> 1) + column
  }

  private segmentOf(id: number): Segment {
    return this.segments[segmentAt(id)] as Segment
  }
}

function segmentAt(id: number): number {
  const isGrowing = id >> longestBits === 0
  return isGrowing ? 32 - Math.clz32(id >> firstBits) : longestBits - firstBits + (id >> longestBits)
}
