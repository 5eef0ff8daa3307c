/** Parses replies of the scripts in `scripts/`. */

/** Parses the five numbers of a reply. Another program may have stored a value of any type under the name. */
export function numbersOf(reply: unknown): readonly [number, number, number, number, number] {
  const [a, b, c, d, e] = Array.isArray(reply) ? reply.map(Number) : []
  if (a === undefined || b === undefined || c === undefined || d === undefined || e === undefined) throw noNumber()
  if (Number.isNaN(a + b + c + d + e)) throw noNumber()
  return [a, b, c, d, e]
}

/** Another program stored something else under the name of a counter. */
export const noNumber = () => new Error('a counter in Redis is not a number')
