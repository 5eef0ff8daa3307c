/**
 * A table of named records of numbers, such as counters: found by name, and by an id that stays the same for as long
 * as the record is there. Everything lies in typed arrays, in chunks that never move: a record costs its numbers and
 * some eighty bytes, more where its name is long; it is nothing to the garbage collector, and adding one never copies
 * the others. Beside a Map of objects: docs/decisions/0006-a-million-keys.md.
 */
import { NameHash } from './name-hash.ts'
import { NameIndex } from './name-index.ts'
import { NameShelf } from './name-shelf.ts'

const chunkBits = 11
const chunkSize = 1 << chunkBits
const chunkMask = chunkSize - 1

/** What stands before a record's numbers, in 32-bit units: what the shelf has of its name, the halves of the name's hash. */
const headUnits = 4
const hashLow = 2
const hashHigh = 3
/** Letters of a name that lie in the record's own row; most names of counters are no longer. */
const shortBytes = 48

class Chunk {
  readonly names: NameShelf
  // One row per record in the same bytes, so that a record that nobody touched lately costs one look into memory.
  readonly heads: Uint32Array
  readonly numbers: Float64Array
  constructor(columns: number, rowUnits: number) {
    const bytes = new ArrayBuffer(chunkSize * rowUnits * 4)
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
  private readonly chunks: Chunk[] = []
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
    return this.index.find(hash.low, hash.high, this)
  }

  /** As `find`; looks first whether it is the one of this id, which may be any number. */
  findNear(name: string, id: number): number {
    const isThere = id >= 0 && id < this.ids && this.chunkOf(id).names.has(id & chunkMask, name)
    return isThere ? id : this.find(name)
  }

  /** For the index: whether the record is the one that is looked for. */
  isWanted(id: number): boolean {
    const chunk = this.chunkOf(id)
    const place = id & chunkMask
    return chunk.heads[place * this.rowUnits + hashHigh] === this.hash.high && chunk.names.has(place, this.wanted)
  }

  /** Adds a record for the name that `find` has just not found; all its numbers are 0. */
  add(name: string): number {
    const { low, high } = this.hash
    const id = this.freeIds.pop() ?? this.ids++
    if (id >> chunkBits === this.chunks.length) this.chunks.push(new Chunk(this.columns, this.rowUnits))
    const chunk = this.chunkOf(id)
    const place = id & chunkMask
    const row = place * this.rowUnits
    chunk.heads[row + hashLow] = low
    chunk.heads[row + hashHigh] = high
    chunk.names.put(place, name)
    this.index.add(low, high, id)
    return id
  }

  /** Removes a record that is there. */
  remove(id: number): void {
    const chunk = this.chunkOf(id)
    const place = id & chunkMask
    const row = place * this.rowUnits
    this.index.remove(chunk.heads[row + hashLow] as number, chunk.heads[row + hashHigh] as number, id)
    chunk.names.drop(place)
    chunk.heads.fill(0, row + headUnits, row + headUnits + this.columns * 2)
    this.freeIds.push(id)
  }

  isUsed(id: number): boolean {
    return id < this.ids && this.chunkOf(id).names.isTaken(id & chunkMask)
  }

  /** The name of a record that is there. */
  nameOf(id: number): string {
    return this.chunkOf(id).names.at(id & chunkMask)
  }

  /** Where the name of a record lies. */
  shelfOf(id: number): NameShelf {
    return this.chunkOf(id).names
  }

  placeOf(id: number): number {
    return id & chunkMask
  }

  get(id: number, column: number): number {
    return this.chunkOf(id).numbers[this.cellOf(id, column)] as number
  }

  set(id: number, column: number, value: number): void {
    this.chunkOf(id).numbers[this.cellOf(id, column)] = value
  }

  private cellOf(id: number, column: number): number {
    return (((id & chunkMask) * this.rowUnits + headUnits) >> 1) + column
  }

  private chunkOf(id: number): Chunk {
    return this.chunks[id >> chunkBits] as Chunk
  }
}
