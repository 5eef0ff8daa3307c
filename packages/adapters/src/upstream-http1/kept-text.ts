/**
 * A text made of two others, kept from one request to the next: agents, encodings, addresses and hosts of requests that
 * follow each other are mostly equal. Kept is it as one piece, which is copied in one go when the head is written; a
 * head that is put together of thirty pieces takes a microsecond more (docs/decisions/0012-slices-and-batches.md).
 */

/** Longer ones are made each time: they are seldom equal, and comparing them would cost. */
const longest = 512

export class KeptText {
  private readonly make: (first: string, second: string) => string | undefined
  private first = ''
  private second = ''
  private made: string | undefined = undefined
  private isOnePiece = false

  /** `make` says the same of the same texts whenever it is asked. */
  constructor(make: (first: string, second: string) => string | undefined) {
    this.make = make
  }

  /** What `make` says of them. */
  of(first: string, second: string): string | undefined {
    if (this.made !== undefined && this.first === first && this.second === second) {
      if (!this.isOnePiece) this.join(this.made)
      return this.made
    }
    const made = this.make(first, second)
    if (first.length + second.length > longest) return made
    this.first = first
    this.second = second
    this.made = made
    this.isOnePiece = false
    return made
  }

  // Only what came a second time is worth it.
  private join(made: string): void {
    this.made = Buffer.from(made, 'latin1').toString('latin1')
    this.isOnePiece = true
  }
}
