/**
 * From hashes of names to numbers: open addressing in one typed array, so that a search is one look into memory and
 * the garbage collector has nothing to do with what lies here. When it is full its slots move to a larger array, some
 * with each call: a table of a million names that moved in one go would stop the event loop for tens of milliseconds.
 */

const firstCapacity = 1024
/** Slots that move with each call; all have moved long before the larger array is full as well. */
const movedAtOnce = 16
/** In place of a number: it was taken out of slots that are moving. */
const gone = 0xffffffff

/** Slots are pairs: the hash's low half, and the number plus one; 0: free. */
class Slots {
  readonly pairs: Uint32Array
  readonly mask: number
  constructor(capacity: number) {
    this.pairs = new Uint32Array(capacity * 2)
    this.mask = capacity - 1
  }
}

/** Who holds the names. Different names may share a hash, so he decides. */
interface Names {
  isWanted(id: number): boolean
}

export class NameIndex {
  private slots = new Slots(firstCapacity)
  private count = 0
  /** Slots that were outgrown: those before `moved` stand in `slots` as well. */
  private outgrown: Slots | undefined = undefined
  private moved = 0

  /** The number under the hash that is wanted; −1: there is none. */
  find(hash: number, names: Names): number {
    if (this.outgrown === undefined) return search(this.slots, hash, names)
    this.move(this.outgrown)
    const id = search(this.slots, hash, names)
    return id >= 0 || this.outgrown === undefined ? id : search(this.outgrown, hash, names)
  }

  /** Adds a number under a hash; it must not be there yet. */
  add(hash: number, id: number): void {
    if (this.count >= (this.slots.mask + 1) * 0.7) this.grow()
    if (this.outgrown !== undefined) this.move(this.outgrown)
    insert(this.slots, hash, id + 1)
    this.count++
  }

  /** Takes a number out that is there under the hash. */
  remove(hash: number, id: number): void {
    const at = placeOf(this.slots, hash, id + 1)
    if (at >= 0) close(this.slots, at)
    if (this.outgrown !== undefined) {
      const before = placeOf(this.outgrown, hash, id + 1)
      if (before >= 0) this.outgrown.pairs[before * 2 + 1] = gone
    }
    this.count--
  }

  private grow(): void {
    while (this.outgrown !== undefined) this.move(this.outgrown)
    this.outgrown = this.slots
    this.slots = new Slots((this.slots.mask + 1) * 2)
    this.moved = 0
  }

  private move({ pairs, mask }: Slots): void {
    const end = Math.min(this.moved + movedAtOnce, mask + 1)
    for (let at = this.moved; at < end; at++) {
      const value = pairs[at * 2 + 1] as number
      if (value !== 0 && value !== gone) insert(this.slots, pairs[at * 2] as number, value)
    }
    this.moved = end
    if (end > mask) this.outgrown = undefined
  }
}

function search({ pairs, mask }: Slots, hash: number, names: Names): number {
  for (let at = hash & mask; ; at = (at + 1) & mask) {
    const value = pairs[at * 2 + 1] as number
    if (value === 0) return -1
    if (pairs[at * 2] === hash && value !== gone && names.isWanted(value - 1)) return value - 1
  }
}

function placeOf({ pairs, mask }: Slots, hash: number, value: number): number {
  for (let at = hash & mask; pairs[at * 2 + 1] !== 0; at = (at + 1) & mask) {
    if (pairs[at * 2 + 1] === value) return at
  }
  return -1
}

function insert({ pairs, mask }: Slots, hash: number, value: number): void {
  let at = hash & mask
  while (pairs[at * 2 + 1] !== 0) at = (at + 1) & mask
  pairs[at * 2] = hash
  pairs[at * 2 + 1] = value
}

/** Frees a slot. Who stands behind the hole and would rather stand in it moves up, so that no search ends too early. */
function close({ pairs, mask }: Slots, place: number): void {
  let hole = place
  for (let at = (hole + 1) & mask; pairs[at * 2 + 1] !== 0; at = (at + 1) & mask) {
    const wished = (pairs[at * 2] as number) & mask
    if (((at - wished) & mask) < ((at - hole) & mask)) continue
    pairs[hole * 2] = pairs[at * 2] as number
    pairs[hole * 2 + 1] = pairs[at * 2 + 1] as number
    hole = at
  }
  pairs[hole * 2 + 1] = 0
}
