/**
 * Remembers which names were asked for lately, a few bytes each. What is asked for once in a while is not worth a
 * place among what is kept: with more keys in turn than places each would push out another before it is asked again,
 * and all the work of keeping would be for nothing.
 */
import { NameHash } from '../../store-memory/name-hash.ts'

/** Bits of a mark that tell the generation. */
const generationBits = 8
const generationMask = (1 << generationBits) - 1

export class SeenLately {
  private readonly hash: NameHash
  /** Of each name, by the low half of its hash: the high half, cut, and the generation in which it was asked for. */
  private readonly marks: Uint32Array
  private readonly namesPerGeneration: number
  private generation = 1
  private noted = 0

  /** `names`: how many other names, about, may be asked for between two questions for a name that count as lately. */
  constructor(names: number, seed = 0) {
    this.hash = new NameHash(seed)
    this.marks = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(names, 2) * 2)))
    this.namesPerGeneration = Math.max(1, names / 2)
  }

  /** Notes a name and tells whether it was noted lately. Seldom it is wrong, either way. */
  note(name: string): boolean {
    const { hash, marks } = this
    hash.of(name)
    const at = hash.low & (marks.length - 1)
    const held = marks[at] as number
    const age = (this.generation - held) & generationMask
    const isSeen = held !== 0 && age <= 1 && held >>> generationBits === hash.high >>> generationBits
    marks[at] = (((hash.high >>> generationBits) << generationBits) | this.generation) >>> 0
    this.noted++
    if (this.noted >= this.namesPerGeneration) this.nextGeneration()
    return isSeen
  }

  /** Numbers of generations come round again; by then a mark of that number is nearly always overwritten. */
  private nextGeneration(): void {
    this.noted = 0
    this.generation = (this.generation + 1) & generationMask
  }
}
