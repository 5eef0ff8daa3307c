/**
 * From hashes of names to numbers: open addressing in typed arrays, in shards, each of which grows for itself. A table
 * of a million names that grew in one piece would stop the event loop for tens of milliseconds, and the garbage
 * collector has nothing to do with what lies here.
 */

const shardCount = 64
const firstCapacity = 16

/** Slots are pairs: the hash's low half, and the number plus one; 0: free. */
class Shard {
  slots = new Uint32Array(firstCapacity * 2)
  mask = firstCapacity - 1
  count = 0
}

export class NameIndex {
  private readonly shards: (Shard | undefined)[] = new Array(shardCount)

  /**
   * The number under the hash that is wanted; −1: there is none. Different names may share a hash, so whoever holds
   * the names decides.
   */
  find(low: number, high: number, names: { isWanted(id: number): boolean }): number {
    const shard = this.shards[high % shardCount]
    if (shard === undefined) return -1
    const { slots, mask } = shard
    for (let at = low & mask; ; at = (at + 1) & mask) {
      const id = (slots[at * 2 + 1] as number) - 1
      if (id === -1) return -1
      if (slots[at * 2] === low && names.isWanted(id)) return id
    }
  }

  /** Adds a number under a hash; it must not be there yet. */
  add(low: number, high: number, id: number): void {
    const place = high % shardCount
    const shard = this.shards[place] ?? new Shard()
    this.shards[place] = shard
    if (shard.count >= (shard.mask + 1) * 0.7) grow(shard)
    insert(shard.slots, shard.mask, low, id + 1)
    shard.count++
  }

  /** Takes a number out that is there under the hash. */
  remove(low: number, high: number, id: number): void {
    const shard = this.shards[high % shardCount]
    if (shard === undefined) return
    const { slots, mask } = shard
    let hole = low & mask
    while (slots[hole * 2 + 1] !== id + 1) hole = (hole + 1) & mask
    // Who stands behind the hole and would rather stand in it moves up, so that no search ends too early.
    for (let at = (hole + 1) & mask; slots[at * 2 + 1] !== 0; at = (at + 1) & mask) {
      const wished = (slots[at * 2] as number) & mask
      if (((at - wished) & mask) < ((at - hole) & mask)) continue
      slots[hole * 2] = slots[at * 2] as number
      slots[hole * 2 + 1] = slots[at * 2 + 1] as number
      hole = at
    }
    slots[hole * 2 + 1] = 0
    shard.count--
  }
}

function grow(shard: Shard): void {
  const { slots } = shard
  const mask = shard.mask * 2 + 1
  const larger = new Uint32Array((mask + 1) * 2)
  for (let i = 0; i < slots.length; i += 2) {
    if (slots[i + 1] !== 0) insert(larger, mask, slots[i] as number, slots[i + 1] as number)
  }
  shard.slots = larger
  shard.mask = mask
}

function insert(slots: Uint32Array, mask: number, low: number, value: number): void {
  let at = low & mask
  while (slots[at * 2 + 1] !== 0) at = (at + 1) & mask
  slots[at * 2] = low
  slots[at * 2 + 1] = value
}
