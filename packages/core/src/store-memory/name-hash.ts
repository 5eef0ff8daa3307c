/**
 * Hash of a counter's name: 64 bits in two halves, seeded, over UTF-16 code units. Only for tables in memory: it is
 * fast, spreads well, and is not the same in two processes with other seeds.
 */

/** Hashes one name after the other; the halves of the last one stand in the fields, so that nothing is allocated. */
export class NameHash {
  /** Both are unsigned 32-bit numbers. */
  low = 0
  high = 0
  private readonly seed: number

  /** `seed`: any number; where names come from strangers, one that they cannot know. */
  constructor(seed: number) {
    this.seed = seed | 0
  }

  of(name: string): void {
    let a = this.seed ^ 0x9e3779b9
    let b = this.seed ^ name.length
    for (let i = 0; i < name.length; i++) {
      const unit = name.charCodeAt(i)
      a = Math.imul(a ^ unit, 0x01000193)
      b = Math.imul(b ^ unit, 0x5bd1e995)
      b ^= b >>> 15
    }
    // Each half is spread over all its bits, as tables take the lowest ones.
    a = Math.imul(a ^ (a >>> 16) ^ b, 0x85ebca6b)
    b = Math.imul(b ^ (b >>> 13) ^ a, 0xc2b2ae35)
    this.low = (a ^ (a >>> 16)) >>> 0
    this.high = (b ^ (b >>> 15)) >>> 0
  }
}
