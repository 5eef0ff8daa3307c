/** How the outline of a session lies in a row of a `NumberTable`, and the outline that is read from it. */
import type { CounterPlaces, Millis, NumberTable, RowParts, Session, SessionOutline } from '@turnpike/core'

// What every request of a key needs stands first, so that it lies in as few lines of the processor's caches as it can.
export const goneAtColumn = 0
export const expiresColumn = 1
export const quotaRenewsColumn = 2
export const updatedColumn = 3

// Whole numbers.
export const kindColumn = 0
/** See `stay` of `CounterPlaces`: new with every record that is taken in. */
export const stayColumn = 1
/** One more than the places of the key's counters in their tables; only hints, so they may be of another key meanwhile. */
export const ratePlaceColumn = 2
export const quotaPlaceColumn = 3
/** For `askedAt`. */
export const askedColumn = 4

export const outlineParts: RowParts = {
  numbers: 4,
  whole: 5,
  // Enough for an organisation and an id as they are usually made.
  letters: 60,
}
export const rowBytes = 128

// A class, since one is made for every key that is read.
export class IndexedOutline implements SessionOutline, CounterPlaces {
  readonly common: Session
  readonly expires: number
  readonly quotaRenews: number
  readonly lastUpdated: string
  readonly goneAt: Millis | undefined
  // As it was then: the row may be another key's by the time that a request asks.
  readonly stay: number
  private readonly table: NumberTable
  private readonly id: number
  private readonly name: string
  private readonly readWhole: (name: string) => Session | undefined

  constructor(
    table: NumberTable,
    id: number,
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
    this.id = id
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

  get rate(): number {
    return this.table.getWhole(this.id, ratePlaceColumn) - 1
  }

  set rate(place: number) {
    this.table.setWhole(this.id, ratePlaceColumn, place + 1)
  }

  get quota(): number {
    return this.table.getWhole(this.id, quotaPlaceColumn) - 1
  }

  set quota(place: number) {
    this.table.setWhole(this.id, quotaPlaceColumn, place + 1)
  }

  get askedAt(): number {
    return this.table.getWhole(this.id, askedColumn)
  }

  set askedAt(count: number) {
    this.table.setWhole(this.id, askedColumn, count)
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
