/**
 * Caches the last result of a function of two texts, because headers such as User-Agent and Host are mostly equal in
 * consecutive requests. The result is stored as a flat string: writing a head that is a rope of thirty strings takes a
 * microsecond longer (docs/decisions/0012-slices-and-batches.md).
 */

/** Longer texts are not cached, because they are rarely equal and slow to compare. */
const maxCachedLength = 512

export class TextPairCache {
  private readonly make: (first: string, second: string) => string | undefined
  private first = ''
  private second = ''
  private result: string | undefined = undefined
  private isFlat = false

  /** `make` must be a pure function. */
  constructor(make: (first: string, second: string) => string | undefined) {
    this.make = make
  }

  /** Returns `make(first, second)`. */
  of(first: string, second: string): string | undefined {
    if (this.result !== undefined && this.first === first && this.second === second) {
      if (!this.isFlat) this.flatten(this.result)
      return this.result
    }
    const result = this.make(first, second)
    if (first.length + second.length > maxCachedLength) return result
    this.first = first
    this.second = second
    this.result = result
    this.isFlat = false
    return result
  }

  // Called at the first cache hit, because flattening a string that is used once is not worth its cost.
  private flatten(result: string): void {
    this.result = Buffer.from(result, 'latin1').toString('latin1')
    this.isFlat = true
  }
}
