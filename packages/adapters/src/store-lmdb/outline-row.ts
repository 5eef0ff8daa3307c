/** How the outline of a session lies in the row of its key, beside its counters, and the outline that is read from it. */
import {
  type CounterPlaces,
  KeyRows,
  type KeyRowsOptions,
  type Millis,
  ownNumbersFrom,
  ownWholeFrom,
  type Session,
  type SessionOutline,
} from '@turnpike/core'

export const goneAtColumn = ownNumbersFrom
export const expiresColumn = ownNumbersFrom + 1
export const quotaRenewsColumn = ownNumbersFrom + 2

// Whole numbers.
export const kindColumn = ownWholeFrom
/** For `askedAt`. */
export const askedColumn = ownWholeFrom + 1

/** Letters in a row: enough for an organisation and an id as they are usually made. */
export const outlineLetters = 60
const parts: KeyRowsOptions = { numbers: 3, whole: 2, letters: outlineLetters }
export const rowBytes = KeyRows.bytesOf(parts)

/** Makes rows for outlines. */
export function makeOutlineRows(seed: number, expected: number): KeyRows {
  return new KeyRows({ ...parts, seed, expected })
}

// A class, since one is made for every key that is read.
export class IndexedOutline implements SessionOutline, CounterPlaces {
  readonly common: Session
  readonly expires: number
  readonly quotaRenews: number
  readonly lastUpdated: string
  readonly goneAt: Millis | undefined
  // As it was then: the row may be another key's by the time that a request asks.
  readonly stay: number
  readonly row: number
  // Of counters that do not lie in the row.
  rate = -1
  quota = -1
  private readonly table: KeyRows
  private readonly name: string
  private readonly readWhole: (name: string) => Session | undefined

  constructor(
    table: KeyRows,
    row: number,
    name: string,
    common: Session,
    expires: number,
    quotaRenews: number,
    lastUpdated: string,
    goneAt: Millis | undefined,
    stay: number,
    readWhole: (name: string) => Session | undefined,
  ) {
    this.table = table
    this.row = row
    this.name = name
    this.common = common
    this.expires = expires
    this.quotaRenews = quotaRenews
    this.lastUpdated = lastUpdated
    this.goneAt = goneAt
    this.stay = stay
    this.readWhole = readWhole
  }

  get places(): CounterPlaces {
    return this
  }

  get askedAt(): number {
    return this.table.getWhole(this.row, askedColumn)
  }

  set askedAt(count: number) {
    this.table.setWhole(this.row, askedColumn, count)
  }

  /** The name is the keyring's anyway, and the common fields are shared. */
  get bytes(): number {
    return 0
  }

  whole(): Session {
    const { expires, quotaRenews, lastUpdated } = this
    return this.readWhole(this.name) ?? { ...this.common, expires, quotaRenews, lastUpdated }
  }
}
