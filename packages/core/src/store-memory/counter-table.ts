/**
 * Counters of one kind, by name. Those of keys that have rows (`key-rows.ts`) lie there, others here in a table. One is
 * sought and then read and written where it lies; by a ticket instead of its name where the key's place is told.
 */
import type { Millis } from '../ports/clock.ts'
import type { CounterPlaces } from '../ports/store.ts'
import { storedNamesIn } from '../session/names/counter-names.ts'
import { noTicket, stayOfTicket } from '../session/names/counter-ticket.ts'
import { counterNumbers, type KeyRows, type Lodger, stayColumn } from './key-rows.ts'
import type { NameShelf } from './name-shelf.ts'
import type { NumberRows } from './number-rows.ts'
import { NumberTable } from './number-table.ts'
import type { Sweepable } from './sweep.ts'

/** Of a counter's numbers. */
const ticketed = counterNumbers - 1
/** Letters of a name in its own row; most names of counters are no longer. */
const letters = 52

export interface CounterTableOptions {
  /** See `NameHash`. */
  readonly seed: number
  /** A counter is forgotten so long after its end. */
  readonly keptAfterEndMs: Millis
  /** Rows of keys; without any, all counters lie in the table. */
  readonly keyRows: KeyRows
}

export abstract class CounterTable implements Sweepable, Lodger {
  protected readonly table: NumberTable
  protected readonly keyRows: KeyRows
  protected readonly keptAfterEndMs: Millis
  /** Where counters of this kind begin in rows of keys. */
  private readonly column: number
  /** How many lie there. */
  private lodged = 0
  private sweptTo = 0
  // The counter that was sought last: where it lies, and where in the row its numbers begin.
  private isInRow = false
  /** Found by its ticket. */
  private isAtHand = false
  private rows!: NumberRows
  private id = -1
  private first = 0
  /** The state of a counter that moves. */
  private readonly moved = new Float64Array(ticketed)

  constructor(column: number, { seed, keptAfterEndMs, keyRows }: CounterTableOptions) {
    this.table = new NumberTable({ numbers: counterNumbers, whole: 0, letters, seed })
    this.keyRows = keyRows
    this.keptAfterEndMs = keptAfterEndMs
    this.column = column
    keyRows.addLodger(this)
  }

  /** The name of a counter in a key's row. */
  protected abstract nameIn(row: number, ticket: number): string
  /** Whether this is its name, and tells the key; without putting it together. */
  protected abstract isNamed(name: string, row: number, ticket: number): boolean
  /** Whether the sought counter stands for nothing any more, and has not for a while. */
  protected abstract isOver(now: Millis): boolean
  /** The number of `places` that is of this kind. */
  protected abstract nearOf(places: CounterPlaces): number
  protected abstract noteNear(places: CounterPlaces, id: number): void

  /** Counters held. */
  get size(): number {
    return this.table.size + this.lodged
  }

  moveOut(row: number): void {
    if (!this.goIfUsed(row, true)) return
    const name = this.nameIn(row, this.get(ticketed))
    this.takeOut()
    this.table.find(name)
    this.goHome(this.table.add(name))
    this.putIn()
  }

  sweepSlice(entries: number, now: Millis): boolean {
    const { table } = this
    const end = Math.min(this.sweptTo + entries, table.idsEnd)
    for (let id = this.sweptTo; id < end; id++) {
      if (this.goIfUsed(id, false) && this.isOver(now)) table.remove(id)
    }
    const isDone = end >= table.idsEnd
    this.sweptTo = isDone ? 0 : end
    return isDone
  }

  /** A number of the sought counter's state. */
  protected get(number: number): number {
    return this.rows.get(this.id, this.first + number)
  }

  protected set(number: number, value: number): void {
    this.rows.set(this.id, this.first + number, value)
  }

  /** Seeks a counter, where its key's places say and then by its name; false: there is none. */
  protected seek(name: string, places?: CounterPlaces, ticket = noTicket): boolean {
    this.isAtHand = places !== undefined && this.seekAt(places, ticket)
    return this.isAtHand || this.seekByName(name, places)
  }

  /**
   * Goes to where the counter is to be written that was sought: to its key's row where it may lie there, else to the
   * table. `isThere`: it was found.
   */
  protected claim(name: string, isThere: boolean, now: Millis, places?: CounterPlaces, ticket = noTicket): void {
    if (this.isAtHand) return
    const { id, isInRow } = this
    const isOwn = places !== undefined && this.isRowOf(places.row, ticket)
    if (isThere && isInRow) {
      // Found by its name, so its ticket is an older one.
      if (isOwn && places.row === id) this.set(ticketed, ticket)
      return
    }
    if (isOwn && this.mayLieIn(places.row, name, ticket, now)) {
      this.moveIn(places.row, ticket, isThere ? id : -1)
      return
    }
    this.goHome(isThere ? id : this.table.add(name))
    // Without places it may be another counter of the key, for which the ticket does not stand.
    if (places === undefined) return
    this.noteNear(places, this.id)
    if (ticket !== noTicket) this.set(ticketed, ticket)
  }

  /** Forgets the sought counter. */
  protected forget(): void {
    if (this.isInRow) {
      this.set(ticketed, 0)
      this.lodged--
    } else this.table.remove(this.id)
  }

  /** The ticket of the counter in a key's row; 0: none is there. */
  private ticketIn(row: number): number {
    return this.keyRows.get(row, this.column + ticketed)
  }

  /** The ticket of the sought counter if it lies in a key's row; 0: it lies in the table. */
  protected get lodgerTicket(): number {
    return this.isInRow ? this.get(ticketed) : 0
  }

  /** Where a name lies with the sought counter: its own, or that of the key in whose row it is. */
  protected get names(): NameShelf {
    return this.rows.names
  }

  protected get place(): number {
    return this.id - this.rows.first
  }

  /** Goes to the counter in a row of keys or of the table; false: there is none. */
  protected goIfUsed(id: number, isInRow: boolean): boolean {
    if (isInRow ? this.ticketIn(id) === 0 : !this.table.isUsed(id)) return false
    if (isInRow) this.goToRow(id)
    else this.goHome(id)
    return true
  }

  protected goHome(id: number): void {
    this.isInRow = false
    this.rows = this.table.rowsOf(id)
    this.id = id
    this.first = 0
  }

  private goToRow(row: number): void {
    this.isInRow = true
    this.rows = this.keyRows.rowsOf(row)
    this.id = row
    this.first = this.column
  }

  /** Seeks the counter of a ticket; false: it is not known to be where the places say. */
  private seekAt(places: CounterPlaces, ticket: number): boolean {
    const near = this.nearOf(places)
    if (this.keyRows.has(places.row, this.column + ticketed, ticket)) this.goToRow(places.row)
    else if (this.table.has(near, ticketed, ticket)) this.goHome(near)
    else return false
    return true
  }

  private seekByName(name: string, places: CounterPlaces | undefined): boolean {
    const id = this.table.findNear(name, places === undefined ? -1 : this.nearOf(places))
    if (id >= 0) {
      this.goHome(id)
      return true
    }
    const row = this.rowOf(name)
    if (row >= 0) this.goToRow(row)
    return row >= 0
  }

  /** The row of the key whose counter it is, where it lies there; −1: it does not. */
  private rowOf(name: string): number {
    const { keyRows } = this
    if (this.lodged === 0) return -1
    for (const storedName of storedNamesIn(name)) {
      const row = keyRows.find(storedName)
      const ticket = row < 0 ? 0 : this.ticketIn(row)
      if (ticket > 0 && this.isNamed(name, row, ticket)) return row
    }
    return -1
  }

  /** Whether the row is still that of the key which the ticket is of. */
  private isRowOf(row: number, ticket: number): boolean {
    const { keyRows } = this
    if (row < 0 || row >= keyRows.idsEnd || ticket === noTicket) return false
    return keyRows.getWhole(row, stayColumn) === stayOfTicket(ticket)
  }

  /** Whether there is room for the counter, and it would be found there by its name. */
  private mayLieIn(row: number, name: string, ticket: number, now: Millis): boolean {
    this.goToRow(row)
    const isFree = this.get(ticketed) === 0 || this.isOver(now)
    return isFree && this.isNamed(name, row, ticket)
  }

  /** `from`: where it lies in the table; −1: nowhere. */
  private moveIn(row: number, ticket: number, from: number): void {
    this.moved.fill(0)
    if (from >= 0) {
      this.goHome(from)
      this.takeOut()
    }
    this.goToRow(row)
    if (this.get(ticketed) === 0) this.lodged++
    this.putIn()
    this.set(ticketed, ticket)
  }

  /** Takes the sought counter from where it lies. */
  private takeOut(): void {
    for (let number = 0; number < ticketed; number++) this.moved[number] = this.get(number)
    this.forget()
  }

  private putIn(): void {
    for (let number = 0; number < ticketed; number++) this.set(number, this.moved[number] as number)
  }
}
