/** Records of numbers, one behind the other in the same bytes, each with its name. */
import { NameShelf } from './name-shelf.ts'

/** What stands first in a row, in 32-bit units: what the shelf has of the name, and the halves of the name's hash. */
const headUnits = 4
const hashLow = 2
const hashHigh = 3

export interface RowParts {
  /** Numbers of any kind. */
  readonly numbers: number
  /** Whole numbers from 0 to 2^32 − 1, in half the room. */
  readonly whole?: number
  /** Letters of a name that lie in the row itself; longer names cost one more look into slow memory. */
  readonly letters: number
}

/** How a row is divided. */
export class RowShape {
  readonly bytes: number
  /** Where whole numbers begin, in units of 32 bits. */
  readonly wholeAt: number
  readonly lettersAt: number
  readonly letters: number

  constructor({ numbers, whole = 0, letters }: RowParts) {
    this.wholeAt = headUnits + numbers * 2
    this.lettersAt = (this.wholeAt + whole) * 4
    // Numbers lie at multiples of eight bytes, in every row.
    this.bytes = Math.ceil((this.lettersAt + letters) / 8) * 8
    this.letters = this.bytes - this.lettersAt
  }
}

/** A stretch of rows that never moves. Rows are called by the ids of their records. */
export class NumberRows {
  readonly names: NameShelf
  /** Id of its first row. */
  readonly first: number
  private readonly shape: RowShape
  // Of a row, in units of 32 bits and of 64.
  private readonly units: number
  private readonly doubles: number
  // The same bytes, so that a record that nobody touched lately costs one look into memory.
  private readonly heads: Uint32Array
  private readonly numbers: Float64Array

  constructor(first: number, rows: number, shape: RowShape) {
    const { bytes: rowBytes, lettersAt, letters } = shape
    const bytes = new ArrayBuffer(rows * rowBytes)
    this.first = first
    this.shape = shape
    this.units = rowBytes / 4
    this.doubles = rowBytes / 8
    this.heads = new Uint32Array(bytes)
    this.numbers = new Float64Array(bytes)
    this.names = new NameShelf({ bytes, rowBytes, lettersAt, mostShort: letters })
  }

  /** Puts a record on a free row; its numbers are 0. */
  put(id: number, name: string, { low, high }: HashHalves): void {
    const row = (id - this.first) * this.units
    this.heads[row + hashLow] = low
    this.heads[row + hashHigh] = high
    this.names.put(id - this.first, name)
  }

  /** Frees a row. */
  drop(id: number): void {
    const row = (id - this.first) * this.units
    this.names.drop(id - this.first)
    this.heads.fill(0, row + headUnits, row + this.shape.lettersAt / 4)
  }

  isTaken(id: number): boolean {
    return this.names.isTaken(id - this.first)
  }

  /** Whether a record of this name is on the row. `high`: of the name's hash, so that most others are told by it. */
  holds(id: number, name: string, high: number): boolean {
    return this.heads[(id - this.first) * this.units + hashHigh] === high && this.names.has(id - this.first, name)
  }

  /** The low half of the hash of the record's name. */
  lowOf(id: number): number {
    return this.heads[(id - this.first) * this.units + hashLow] as number
  }

  get(id: number, column: number): number {
    return this.numbers[(id - this.first) * this.doubles + headUnits / 2 + column] as number
  }

  set(id: number, column: number, value: number): void {
    this.numbers[(id - this.first) * this.doubles + headUnits / 2 + column] = value
  }

  getWhole(id: number, column: number): number {
    return this.heads[(id - this.first) * this.units + this.shape.wholeAt + column] as number
  }

  setWhole(id: number, column: number, value: number): void {
    this.heads[(id - this.first) * this.units + this.shape.wholeAt + column] = value
  }
}

/** Of a name's hash: `NameHash` of the name. */
interface HashHalves {
  readonly low: number
  readonly high: number
}
