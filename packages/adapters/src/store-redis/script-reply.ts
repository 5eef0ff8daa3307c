/** Parses replies of the scripts in `scripts/`. */

/** The seven numbers of a reply of `consume-smoothed.ts`. */
export type SmoothedReply = readonly [number, number, number, number, number, number, number]

/** Parses the numbers. Another program may have stored a value of any type under the name. */
export function numbersOf(reply: unknown): SmoothedReply {
  const numbers = Array.isArray(reply) ? reply.map(Number) : []
  if (numbers.length !== 7 || numbers.some((number) => Number.isNaN(number))) throw noNumber()
  return numbers as unknown as SmoothedReply
}

/** Another program stored something else under the name of a counter. */
export const noNumber = () => new Error('a counter in Redis is not a number')
