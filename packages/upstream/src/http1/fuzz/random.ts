/** Returns a whole number from 0 to `limit` - 1. */
export type Random = (limit: number) => number

/** A pseudo-random sequence (mulberry32) from a seed, so that a failure can be repeated. */
export function makeRandom(seed: number): Random {
  let state = seed >>> 0
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}
