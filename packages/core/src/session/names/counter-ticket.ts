/**
 * Tickets: numbers that stand for the names of a key's rate and quota counters, so that a store that finds one beside
 * a counter knows whose it is without the name, which then need not even be put together. Names follow from three
 * things: the key as it is stored, which a stay stands for, the scope of its rights, and when its policies were
 * changed, for which a naming stands. Only good within this process.
 */

import { type CounterNames, makeCounterNames } from './counter-names.ts'

/** No counter has it. */
export const noTicket = -1

/** Numbers of namings are below it, those of stays below 2^32 − 1: together they fit into a number. */
const namingsEnd = 2 ** 20
const staysEnd = 2 ** 32 - 1

/** A way in which the counters of a key are named. */
export interface Naming {
  readonly names: CounterNames
  /** When the policies of such keys were changed last; empty: they have none. */
  readonly policiesUpdated: string
}

let stays = 0
const numbers = new Map<string, number>()
const namings: Naming[] = []
const namesByScope = new Map<string, CounterNames>()

/**
 * The number of one more key as it is stored now; it is given up with whatever is changed about the key. Of 32 bits; the
 * last one stands for all that come when they are used up, and makes no ticket.
 */
export function newStay(): number {
  if (stays < staysEnd) stays++
  return stays
}

/** The number of the way in which counters are named. */
export function namingOf(scope: string, policiesUpdated: string): number {
  const way = JSON.stringify([scope, policiesUpdated])
  let naming = numbers.get(way)
  if (naming === undefined) {
    naming = namings.length
    if (naming >= namingsEnd) return naming
    const names = namesByScope.get(scope) ?? makeCounterNames(scope)
    namesByScope.set(scope, names)
    numbers.set(way, naming)
    namings.push({ names, policiesUpdated })
  }
  return naming
}

/** The ticket of a key's counters. */
export function ticketOf(stay: number, naming: number): number {
  return naming < namingsEnd && stay < staysEnd ? stay * namingsEnd + naming : noTicket
}

/** The stay that a ticket stands for. */
export const stayOfTicket = (ticket: number): number => Math.floor(ticket / namingsEnd)

/** The naming that a ticket stands for. */
export const namingOfTicket = (ticket: number): Naming =>
  // The remainder, which takes longer to ask for of numbers beyond 32 bits.
  namings[ticket - stayOfTicket(ticket) * namingsEnd] as Naming
