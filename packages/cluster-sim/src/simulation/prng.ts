/**
 * A seeded PRNG with a stream of numbers for each label. Every part of a simulation has its own stream, so that an
 * additional number in one part does not change the others.
 */
export interface Prng {
  /** At least 0, less than 1. */
  next(): number
  /** A whole number from `least` to `most`, inclusive. */
  between(least: number, most: number): number
  /** True with this probability. */
  chance(probability: number): boolean
  /** A random item of a list, which must not be empty. */
  oneOf<T>(items: readonly T[]): T
}

export function makePrng(seed: number, label: string): Prng {
  let state = mix(seed | 0, label)
  // A step of a Weyl sequence, then the 32 bit finaliser of MurmurHash3.
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0
    return finish(state) / 2 ** 32
  }
  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    chance: (probability) => probability > 0 && next() < probability,
    oneOf: (items) => items[Math.floor(next() * items.length)] as (typeof items)[number],
  }
}

function mix(seed: number, label: string): number {
  let state = finish(seed)
  for (let i = 0; i < label.length; i += 1) state = finish((state ^ label.charCodeAt(i)) + 0x9e3779b9)
  return state | 0
}

function finish(value: number): number {
  let bits = value | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
