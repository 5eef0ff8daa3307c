/** Records of numbers, one behind the other in the same bytes, each with its name. */
import { NameShelf } from './name-shelf.ts'

/** What stands first in a row, in 32-bit units: what the shelf has of the name, and the halves of the name's hash. */
const headUnits = 4
export const hashLow = 2
export const hashHigh = 3

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
  /** Units of 32 bits in all. */
  readonly units: number
  /** Where whole numbers begin, in such units. */
  readonly wholeAt: number
  readonly lettersAt: number
  readonly letters: number

  constructor({ numbers, whole = 0, letters }: RowParts) {
    this.wholeAt = headUnits + numbers * 2
    this.lettersAt = (this.wholeAt + whole) * 4
    // Numbers lie at multiples of eight bytes, in every row.
    const bytes = Math.ceil((this.lettersAt + letters) / 8) * 8
    this.units = bytes / 4
    this.letters = bytes - this.lettersAt
  }
}

/** A stretch of rows that never moves. */
export class NumberRows {
  /** Id of its first row. */
  readonly first: number
  readonly names: NameShelf
  // The same bytes, so that a record that nobody touched lately costs one look into memory.
  readonly heads: Uint32Array
  readonly numbers: Float64Array
  private readonly shape: RowShape

  constructor(first: number, rows: number, shape: RowShape) {
    const { units, lettersAt, letters } = shape
    const bytes = new ArrayBuffer(rows * units * 4)
    this.first = first
    this.shape = shape
    this.heads = new Uint32Array(bytes)
    this.numbers = new Float64Array(bytes)
    this.names = new NameShelf({ bytes, rowBytes: units * 4, lettersAt, mostShort: letters })
  }

  /** Puts a record on a free row; its numbers are 0. */
  put(id: number, name: string, low: number, high: number): void {
    const row = (id - this.first) * this.shape.units
    this.heads[row + hashLow] = low
    this.heads[row + hashHigh] = high
    this.names.put(id - this.first, name)
  }

  /** Frees a row. */
  drop(id: number): void {
    const { units, lettersAt } = this.shape
    const row = (id - this.first) * units
    this.names.drop(id - this.first)
    this.heads.fill(0, row + headUnits, row + lettersAt / 4)
  }
}
