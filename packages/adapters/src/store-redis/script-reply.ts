/** Reads what a script of `scripts/` replied. */

/** Numbers of a script's reply, five of them. What another program put under the name may be of any kind. */
export function numbersOf(reply: unknown): readonly [number, number, number, number, number] {
  const [a, b, c, d, e] = Array.isArray(reply) ? reply.map(Number) : []
  if (a === undefined || b === undefined || c === undefined || d === undefined || e === undefined) throw noNumber()
  if (Number.isNaN(a + b + c + d + e)) throw noNumber()
  return [a, b, c, d, e]
}

/** Another program put something else where a counter is looked for. */
export const noNumber = () => new Error('a counter in Redis is no number')
