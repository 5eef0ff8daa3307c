/**
 * Bounds the work of one validation. Without it, alternatives that refer to each other take exponential time, and a
 * list of a million wrong items takes quadratic time, because ajv copies its list of errors for each one.
 */
import type { SchemaError } from './schema.ts'

/** Maximum number of failures reported for one value. */
export const maxErrors = 100

/** Number of schemas that any value may enter. A larger value may enter more. */
const minEntries = 10_000
/** Schemas that each list, object or scalar in the value may enter on average. */
const entriesPerNode = 20

/** Thrown where a schema has found `maxErrors`; further ones would be dropped. */
export class TooManyErrors {
  readonly errors: readonly SchemaError[]
  constructor(errors: readonly SchemaError[]) {
    this.errors = errors
  }
}

/** Thrown where the value has entered too many schemas. */
export class TooMuchWork {}

export class WorkLimit {
  #root: unknown
  #left = 0
  #isExtended = false

  /** Resets the counter for the next value. */
  start(root: unknown): void {
    this.#root = root
    this.#left = minEntries
    this.#isExtended = false
  }

  /** Called by generated code whenever the value or a part of it enters a schema. */
  readonly enter = (count: number, errors: readonly SchemaError[] | null): void => {
    if (count >= maxErrors && errors !== null) throw new TooManyErrors(errors)
    if (--this.#left >= 0) return
    if (this.#isExtended) throw new TooMuchWork()
    // Counting the size of the value is expensive, so it is done only when the basic limit is reached.
    this.#isExtended = true
    this.#left = Math.max(0, countNodes(this.#root) * entriesPerNode - minEntries)
  }
}

function countNodes(root: unknown): number {
  let count = 0
  const open = [root]
  while (open.length > 0) {
    const node = open.pop()
    count++
    if (typeof node === 'object' && node !== null) for (const child of Object.values(node)) open.push(child)
  }
  return count
}
