/**
 * Tickets: numbers that stand for the names of a key's rate and quota counters, so that a store that finds one beside
 * a counter knows whose it is without the name, which then need not even be put together. Names follow from three
 * things: the key as it is stored, which a stay stands for, the scope of its rights, and when its policies were
 * changed, for which a naming stands. Only good within this process.
 */

/** No counter has it. */
export const noTicket = -1

/** Numbers of namings are below it, those of stays below 2^32 − 1: together they fit into a number. */
const namingsEnd = 2 ** 20
const staysEnd = 2 ** 32 - 1

let stays = 0
const namings = new Map<string, number>()

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
  let naming = namings.get(way)
  if (naming === undefined) {
    naming = namings.size
    if (naming < namingsEnd) namings.set(way, naming)
  }
  return naming
}

/** The ticket of a key's counters. */
export function ticketOf(stay: number, naming: number): number {
  return naming < namingsEnd && stay < staysEnd ? stay * namingsEnd + naming : noTicket
}
