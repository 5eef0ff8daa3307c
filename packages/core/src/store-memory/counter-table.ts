/** A table of counters: one may also be found by where it was last and by a ticket, instead of by its name. */
import { noTicket } from '../session/names/counter-ticket.ts'
import { NumberTable } from './number-table.ts'

/** The column of whole numbers that has no meaning: see `prefetch` of the table. */
const unused = 0
/** Letters of a name in its own row; most names of counters are no longer. */
const letters = 52

export class CounterTable extends NumberTable {
  /** The column with the ticket of who asked last. */
  private readonly ticketed: number

  /** `numbers`: of a counter. `seed`: see `NameHash`. */
  constructor(numbers: number, seed: number) {
    super({ numbers: numbers + 1, whole: 1, letters, seed })
    this.ticketed = numbers
  }

  /** The id of a counter; −1: there is none. `near`: where it was last, any number. `ticket`: of that place's. */
  findBy(name: string, near: number, ticket: number): number {
    return this.has(near, this.ticketed, ticket) ? near : this.findNear(name, near)
  }

  /** Notes the ticket of who found a counter by its place; −1: he found none. */
  noteTicket(id: number, ticket: number): void {
    if (id < 0 || ticket === noTicket || this.has(id, this.ticketed, ticket)) return
    this.set(id, this.ticketed, ticket)
  }

  /** Begins to fetch the counter at a place, which may be any number, from slow memory. */
  fetch(near: number): void {
    this.prefetch(near, unused)
  }
}
