/** Reads what a script of `scripts/` replied. */

/** Numbers of a script's reply. What another program put under the name may be of any kind. */
export function numbersOf<N extends 2 | 3 | 5>(reply: unknown, length: N): Numbers[N] {
  const numbers = Array.isArray(reply) ? reply.map(Number) : []
  if (numbers.length < length || numbers.some(Number.isNaN)) throw new Error('a counter in Redis is no number')
  return numbers as unknown as Numbers[N]
}

interface Numbers {
  2: readonly [number, number]
  3: readonly [number, number, number]
  5: readonly [number, number, number, number, number]
}
