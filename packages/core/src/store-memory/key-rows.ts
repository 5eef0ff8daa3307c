/**
 * Rows of keys, by stored name, with room for each key's two counters: a request that has found its key has its
 * counters at hand then, which of a million keys would be two more looks into slow memory, and two more records.
 *
 * A counter lies either here or in the table of its kind (`counter-table.ts`), never in both: it comes here when its key
 * asks for it, and goes back when the row is removed.
 */
import { type RowParts, RowShape } from './number-rows.ts'
import { NumberTable } from './number-table.ts'

/** Numbers of a counter: three of its state, then the ticket of the key that it is of (`names/counter-ticket.ts`), 0: none. */
export const counterNumbers = 4
/** Where in a row each counter begins. */
export const bucketColumn = 0
export const quotaColumn = bucketColumn + counterNumbers
/** `last_updated` of the key, as a number. */
export const updatedColumn = 2 * counterNumbers
/** Numbers of the caller's own begin here. */
export const ownNumbersFrom = updatedColumn + 1

/** Among whole numbers: see `newStay`. */
export const stayColumn = 0
export const ownWholeFrom = stayColumn + 1

export interface KeyRowsOptions {
  /** Of the caller's own. */
  readonly numbers: number
  readonly whole: number
  /** As of a `NumberTable`. */
  readonly letters: number
  readonly seed?: number
  readonly expected?: number
}

/** Whoever keeps counters in rows of keys. */
export interface Lodger {
  /** The row will be removed. */
  moveOut(row: number): void
}

export class KeyRows extends NumberTable {
  private readonly lodgers: Lodger[] = []

  constructor(options: KeyRowsOptions) {
    super({ ...options, ...partsOf(options) })
  }

  /** Bytes of such a row. */
  static bytesOf(options: KeyRowsOptions): number {
    return new RowShape(partsOf(options)).bytes
  }

  addLodger(lodger: Lodger): void {
    this.lodgers.push(lodger)
  }

  override remove(id: number): void {
    for (const lodger of this.lodgers) lodger.moveOut(id)
    super.remove(id)
  }
}

const partsOf = ({ numbers, whole, letters }: KeyRowsOptions): RowParts => ({
  numbers: ownNumbersFrom + numbers,
  whole: ownWholeFrom + whole,
  letters,
})
