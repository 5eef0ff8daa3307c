/**
 * Outlines of all sessions in memory, as rows of numbers: a key that was not asked for lately is then found without
 * the database, which costs several times as much, and without an object that stays, and has its counters at hand.
 * Some 280 bytes a key, up to a bound; what is not held here is read from the database and taken in then.
 *
 * A name whose record is being written is not held, so nobody reads from here what the database would not tell.
 */
import {
  type Clock,
  hasCome,
  type KeyRows,
  NumberTable,
  newStay,
  type Session,
  type SessionOutline,
  stayColumn,
  updatedColumn,
} from '@turnpike/core'
import {
  askedColumn,
  expiresColumn,
  goneAtColumn,
  IndexedOutline,
  kindColumn,
  makeOutlineRows,
  outlineLetters,
  quotaRenewsColumn,
  rowBytes,
} from './outline-row.ts'
import type { SessionKinds } from './session-kinds.ts'
import { headBytes, readHead } from './session-record.ts'

const defaultBytes = 512 * 2 ** 20
/** Of the room, at most this part is set aside for names that are expected, so that some is left for long ones. */
const setAsidePart = 2 / 3
/** Keys of further kinds are left to the database. */
const mostKinds = 4096

export interface OutlineIndexParts {
  readonly kinds: SessionKinds
  /** The whole session of a name, from the database. */
  readonly readWhole: (name: string) => Session | undefined
  /** Better one that strangers do not know; see `NumberTable`. */
  readonly seed: number
  /** Most bytes it may take. Default 512 MiB, enough for some two million keys. */
  readonly maxBytes?: number
  /** How many names there are, about; see `NumberTable`. Default 0. */
  readonly expected?: number
}

export class OutlineIndex {
  private readonly kinds: SessionKinds
  private readonly readWhole: (name: string) => Session | undefined
  private readonly maxBytes: number
  private readonly table: KeyRows
  private readonly commons: Session[] = []
  private readonly places = new Map<Session, number>()
  /** Names that are being written, and how many writes of each are under way. */
  private readonly writing = new Map<string, number>()
  /** Of names that are longer than the room in their rows. */
  private longBytes = 0

  constructor({ kinds, readWhole, seed, maxBytes = defaultBytes, expected = 0 }: OutlineIndexParts) {
    this.kinds = kinds
    this.readWhole = readWhole
    this.maxBytes = maxBytes
    const most = Math.floor((maxBytes * setAsidePart) / (rowBytes * NumberTable.rowsPerExpected))
    this.table = makeOutlineRows(seed, Math.min(expected, most))
  }

  /** The rows, for the counters of keys. */
  get rows(): KeyRows {
    return this.table
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
  read(id: number, name: string, clock: Pick<Clock, 'now'>): SessionOutline | undefined {
    const { table } = this
    const goneAt = table.get(id, goneAtColumn)
    if (hasCome(goneAt, clock)) {
      this.drop(name)
      return undefined
    }
    return new IndexedOutline(
      table,
      id,
      name,
      this.commons[table.getWhole(id, kindColumn)] as Session,
      table.get(id, expiresColumn),
      table.get(id, quotaRenewsColumn),
      String(table.get(id, updatedColumn)),
      goneAt === Number.POSITIVE_INFINITY ? undefined : goneAt,
      table.getWhole(id, stayColumn),
      this.readWhole,
    )
  }

  /** Takes in what the first `length` bytes of a name's record say, where there is room and nobody writes it. */
  learn(name: string, record: Buffer, length: number): void {
    if (this.writing.has(name) || this.table.find(name) >= 0 || !this.hasRoomFor(name)) return
    const { goneAt, expires, quotaRenews, updatedLength, ownLength } = readHead(record)
    const updated = updatedLength === undefined ? undefined : canonicalNumber(record, updatedLength)
    if (updatedLength === undefined || updated === undefined) return
    const kind = this.placeOf(this.kinds.of(record, headBytes + updatedLength + ownLength, length).session)
    if (kind === undefined) return
    const { table } = this
    const id = table.add(name)
    table.setWhole(id, kindColumn, kind)
    table.set(id, goneAtColumn, goneAt ?? Number.POSITIVE_INFINITY)
    table.set(id, expiresColumn, expires)
    table.set(id, quotaRenewsColumn, quotaRenews)
    table.set(id, updatedColumn, updated)
    table.setWhole(id, stayColumn, newStay())
    // Not left to the table: whoever holds the outline of a key that went may have written here since.
    table.setWhole(id, askedColumn, 0)
    this.longBytes += longBytesOf(name)
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
    this.longBytes -= longBytesOf(name)
  }

  /** For a name that `find` has just not found. */
  private hasRoomFor(name: string): boolean {
    const { table, maxBytes } = this
    const taken = table.bytes + this.longBytes + longBytesOf(name)
    return (table.hasFreeRow ? taken : taken + rowBytes) <= maxBytes
  }

  private placeOf(common: Session): number | undefined {
    const known = this.places.get(common)
    if (known !== undefined || this.commons.length >= mostKinds) return known
    this.places.set(common, this.commons.length)
    return this.commons.push(common) - 1
  }
}

const longBytesOf = ({ length }: string) => (length > outlineLetters ? length : 0)

/** The `last_updated` of a record, where it is a number as numbers are written. */
function canonicalNumber(record: Buffer, length: number): number | undefined {
  const text = record.toString('latin1', headBytes, headBytes + length)
  const value = Number(text)
  return String(value) === text ? value : undefined
}
