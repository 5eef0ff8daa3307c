/**
 * A table of named records of numbers, such as counters: found by name, and by an id that stays the same for as long
 * as the record is there. Everything lies in typed arrays, in stretches that never move: a record costs its numbers and
 * some eighty bytes, more where its name is long; it is nothing to the garbage collector, and adding one never copies
 * the others. Beside a Map of objects: docs/decisions/0006-a-million-keys.md.
 *
 * Where it is known how many records will come, most lie where the hash of their name says, and finding one is one look
 * into slow memory; of others an index tells where they lie, which makes two.
 */
import { NameHash } from './name-hash.ts'
import { NameIndex } from './name-index.ts'
import { NumberRows, type RowParts, RowShape } from './number-rows.ts'

/** Rows of the first stretch, as a power of two. The next ones are as long as all before them together, up to the longest. */
const firstBits = 11
const longestBits = 18

/** Rows that a hash may mean, a power of two; they lie in the same page, so one that is not the first costs little more. */
const homesPerHash = 8
/** Below this the index is in the processor's caches. */
const fewestExpected = 8192

export interface NumberTableOptions extends RowParts {
  /** See `NameHash`. Default 0. */
  readonly seed?: number
  /** How many records will come, about; their rows are set aside, and cost memory when they are used. Default 0. */
  readonly expected?: number
}

export class NumberTable {
  /** Rows that are set aside for each record that is expected; one in thirty then finds its homes taken. */
  static readonly rowsPerExpected = 1.5

  private readonly shape: RowShape
  private readonly hash: NameHash
  /** Of records that are not at home. */
  private readonly index = new NameIndex()
  /** Homes first, then the others. */
  private readonly stretches: NumberRows[] = []
  /** Ids below it are those of homes, in stretches of the longest kind; the last of these may be shorter. */
  private readonly homesEnd: number
  private readonly homeStretches: number
  private readonly freeIds: number[] = []
  private atHome = 0
  private ids: number
  private wanted = ''

  constructor(options: NumberTableOptions) {
    const { seed = 0, expected = 0 } = options
    this.shape = new RowShape(options)
    this.hash = new NameHash(seed)
    const hashes = expected < fewestExpected ? 0 : Math.ceil((expected * NumberTable.rowsPerExpected) / homesPerHash)
    this.homesEnd = hashes * homesPerHash
    for (let first = 0; first < this.homesEnd; first += 1 << longestBits) {
      this.stretches.push(new NumberRows(first, Math.min(this.homesEnd - first, 1 << longestBits), this.shape))
    }
    this.homeStretches = this.stretches.length
    this.ids = this.homesEnd
  }

  /** Records held. */
  get size(): number {
    return this.atHome + this.ids - this.homesEnd - this.freeIds.length
  }

  /** Bytes of rows, those that are set aside among them. */
  get bytes(): number {
    return this.ids * this.shape.bytes
  }

  /** All ids are below it; not all of them are in use. */
  get idsEnd(): number {
    return this.ids
  }

  /** The id of a name; −1: there is none. */
  find(name: string): number {
    this.hash.of(name)
    this.wanted = name
    const home = this.homeOf('wanted')
    return home >= 0 ? home : this.index.find(this.hash.low, this)
  }

  /** As `find`; looks first whether it is the one of this id, which may be any number. */
  findNear(name: string, id: number): number {
    return id >= 0 && id < this.ids && this.isNamed(id, name) ? id : this.find(name)
  }

  /** Whether the record of an id, which may be any number, is there and has this number in a column; only for numbers above 0. */
  has(id: number, column: number, value: number): boolean {
    return id >= 0 && id < this.ids && value > 0 && this.get(id, column) === value
  }

  /** For the index: whether the record is the one that is looked for. */
  isWanted(id: number): boolean {
    return this.rowsOf(id).holds(id, this.wanted, this.hash.high)
  }

  /** Whether `add`, of the name that `find` has just not found, would take no more bytes for rows. */
  get hasFreeRow(): boolean {
    return this.freeIds.length > 0 || this.homeOf('free') >= 0
  }

  /** Adds a record for the name that `find` has just not found; all its numbers are 0. */
  add(name: string): number {
    const home = this.homeOf('free')
    if (home >= 0) {
      this.rowsOf(home).put(home, name, this.hash)
      this.atHome++
      return home
    }
    const id = this.freeIds.pop() ?? this.ids++
    if (this.stretchOf(id) === this.stretches.length) this.stretches.push(this.newStretch(id))
    this.rowsOf(id).put(id, name, this.hash)
    this.index.add(this.hash.low, id)
    return id
  }

  /** Removes a record that is there. */
  remove(id: number): void {
    const rows = this.rowsOf(id)
    if (id < this.homesEnd) this.atHome--
    else {
      this.index.remove(rows.lowOf(id), id)
      this.freeIds.push(id)
    }
    rows.drop(id)
  }

  isUsed(id: number): boolean {
    return id < this.ids && this.rowsOf(id).isTaken(id)
  }

  /** The name of a record that is there. */
  nameOf(id: number): string {
    const { names, first } = this.rowsOf(id)
    return names.at(id - first)
  }

  /** Whether this is the name of the record of an id; nothing is on a free row. */
  isNamed(id: number, name: string): boolean {
    const { names, first } = this.rowsOf(id)
    return names.has(id - first, name)
  }

  get(id: number, column: number): number {
    return this.rowsOf(id).get(id, column)
  }

  set(id: number, column: number, value: number): void {
    this.rowsOf(id).set(id, column, value)
  }

  /** As `get`, of the columns of whole numbers, which have numbers of their own. */
  getWhole(id: number, column: number): number {
    return this.rowsOf(id).getWhole(id, column)
  }

  setWhole(id: number, column: number, value: number): void {
    this.rowsOf(id).setWhole(id, column, value)
  }

  /** Of the homes of the hash the one with the wanted name, or the first free one; −1: there is none. */
  private homeOf(which: 'wanted' | 'free'): number {
    if (this.homesEnd === 0) return -1
    const { high } = this.hash
    const first = this.firstHome()
    const rows = this.rowsOf(first)
    for (let turn = 0; turn < homesPerHash; turn++) {
      const id = homeAt(first, high, turn)
      if (which === 'free' ? !rows.isTaken(id) : rows.holds(id, this.wanted, high)) return id
    }
    return -1
  }

  /** Where the homes of the hash begin. */
  private firstHome(): number {
    return Math.floor((this.hash.low / 2 ** 32) * (this.homesEnd / homesPerHash)) * homesPerHash
  }

  /** The rows among which a record lies. */
  rowsOf(id: number): NumberRows {
    return this.stretches[this.stretchOf(id)] as NumberRows
  }

  private stretchOf(id: number): number {
    if (id < this.homesEnd) return id >> longestBits
    const place = id - this.homesEnd
    const isGrowing = place >> longestBits === 0
    const stretch = isGrowing ? 32 - Math.clz32(place >> firstBits) : longestBits - firstBits + (place >> longestBits)
    return this.homeStretches + stretch
  }

  /** The next stretch, which begins with this row. */
  private newStretch(first: number): NumberRows {
    const before = first - this.homesEnd
    return new NumberRows(first, before === 0 ? 1 << firstBits : Math.min(before, 1 << longestBits), this.shape)
  }
}

/** The homes of a hash in turn; half of it tells with which to begin, so that most records are in their first. */
function homeAt(first: number, high: number, turn: number): number {
  return first + ((high + turn) & (homesPerHash - 1))
}
