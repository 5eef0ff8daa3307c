/**
 * Outlines of all sessions in memory, as rows of numbers: a key that was not asked for lately is then found without
 * the database, which costs several times as much, and without an object that stays. About a hundred bytes a key, up
 * to a bound; what is not held here is read from the database and taken in then.
 *
 * A name whose record is being written is not held, so nobody reads from here what the database would not tell.
 */
import {
  type CounterPlaces,
  type Millis,
  NumberTable,
  newStay,
  type Session,
  type SessionOutline,
} from '@turnpike/core'
import type { SessionKinds } from './session-kinds.ts'
import { headBytes, readHead } from './session-record.ts'

const kindColumn = 0
const goneAtColumn = 1
const expiresColumn = 2
const quotaRenewsColumn = 3
const updatedColumn = 4
/** Of the key's counters in their tables, for `CounterPlaces`; only hints, so they may be of another key meanwhile. */
const ratePlaceColumn = 5
const quotaPlaceColumn = 6
/** For `askedAt`. */
const askedColumn = 7
/** See `stay` of `CounterPlaces`: new with every record that is taken in. */
const stayColumn = 8
const columns = 9

/** What a row takes beside the letters of its name. */
const rowBytes = 104
const defaultBytes = 256 * 2 ** 20
/** Keys of further kinds are left to the database. */
const mostKinds = 4096

export interface OutlineIndexParts {
  readonly kinds: SessionKinds
  /** The whole session of a name, from the database. */
  readonly readWhole: (name: string) => Session | undefined
  /** Better one that strangers do not know; see `NumberTable`. */
  readonly seed: number
  /** Most bytes it may take. Default 256 MiB, enough for some two and a half million keys. */
  readonly maxBytes?: number
}

export class OutlineIndex {
  private readonly kinds: SessionKinds
  private readonly readWhole: (name: string) => Session | undefined
  private readonly maxBytes: number
  private readonly table: NumberTable
  private readonly commons: Session[] = []
  private readonly places = new Map<Session, number>()
  /** Names that are being written, and how many writes of each are under way. */
  private readonly writing = new Map<string, number>()
  private bytes = 0

  constructor({ kinds, readWhole, seed, maxBytes = defaultBytes }: OutlineIndexParts) {
    this.kinds = kinds
    this.readWhole = readWhole
    this.maxBytes = maxBytes
    this.table = new NumberTable(columns, seed)
  }

  /** Names held. */
  get size(): number {
    return this.table.size
  }

  /** Where the name is held; −1: ask the database. */
  find(name: string): number {
    return this.table.find(name)
  }

  /** The outline of a name that `find` has found there; `undefined`: the session is gone. */
  read(id: number, name: string, now: Millis): SessionOutline | undefined {
    const { table } = this
    const goneAt = table.get(id, goneAtColumn)
    if (now >= goneAt) {
      this.drop(name)
      return undefined
    }
    return new IndexedOutline(
      table,
      id,
      name,
      this.commons[table.get(id, kindColumn)] as Session,
      table.get(id, expiresColumn),
      table.get(id, quotaRenewsColumn),
      String(table.get(id, updatedColumn)),
      goneAt === Number.POSITIVE_INFINITY ? undefined : goneAt,
      table.get(id, stayColumn),
      this.readWhole,
    )
  }

  /** Takes in what the first `length` bytes of a name's record say, where there is room and nobody writes it. */
  learn(name: string, record: Buffer, length: number): void {
    const more = rowBytes + name.length
    if (this.writing.has(name) || this.bytes + more > this.maxBytes || this.table.find(name) >= 0) return
    const { goneAt, expires, quotaRenews, updatedLength, ownLength } = readHead(record)
    const updated = updatedLength === undefined ? undefined : canonicalNumber(record, updatedLength)
    if (updatedLength === undefined || updated === undefined) return
    const kind = this.placeOf(this.kinds.of(record, headBytes + updatedLength + ownLength, length).session)
    if (kind === undefined) return
    const { table } = this
    const id = table.add(name)
    table.set(id, kindColumn, kind)
    table.set(id, goneAtColumn, goneAt ?? Number.POSITIVE_INFINITY)
    table.set(id, expiresColumn, expires)
    table.set(id, quotaRenewsColumn, quotaRenews)
    table.set(id, updatedColumn, updated)
    table.set(id, ratePlaceColumn, -1)
    table.set(id, quotaPlaceColumn, -1)
    table.set(id, askedColumn, 0)
    table.set(id, stayColumn, newStay())
    this.bytes += more
  }

  /** A write of the name begins: it is not held until all writes of it have ended. Tells whether it is the only one. */
  beginWrite(name: string): boolean {
    const others = this.writing.get(name) ?? 0
    this.writing.set(name, others + 1)
    this.drop(name)
    return others === 0
  }

  /** The write has ended, well or not; tells whether none is under way any more. */
  endWrite(name: string): boolean {
    const left = (this.writing.get(name) ?? 1) - 1
    if (left > 0) this.writing.set(name, left)
    else this.writing.delete(name)
    return left === 0
  }

  /** Lets go of a name. */
  drop(name: string): void {
    const id = this.table.find(name)
    if (id < 0) return
    this.table.remove(id)
    this.bytes -= rowBytes + name.length
  }

  private placeOf(common: Session): number | undefined {
    const known = this.places.get(common)
    if (known !== undefined || this.commons.length >= mostKinds) return known
    this.places.set(common, this.commons.length)
    return this.commons.push(common) - 1
  }
}

/** The `last_updated` of a record, where it is a number as numbers are written. */
function canonicalNumber(record: Buffer, length: number): number | undefined {
  const text = record.toString('latin1', headBytes, headBytes + length)
  const value = Number(text)
  return String(value) === text ? value : undefined
}

// A class, since one is made for every key that is read.
class IndexedOutline implements SessionOutline, CounterPlaces {
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
    return this.table.get(this.id, ratePlaceColumn)
  }

  set rate(place: number) {
    this.table.set(this.id, ratePlaceColumn, place)
  }

  get quota(): number {
    return this.table.get(this.id, quotaPlaceColumn)
  }

  set quota(place: number) {
    this.table.set(this.id, quotaPlaceColumn, place)
  }

  get askedAt(): number {
    return this.table.get(this.id, askedColumn)
  }

  set askedAt(count: number) {
    this.table.set(this.id, askedColumn, count)
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
