/**
 * Bounds the time of one validation. Without it, alternatives that refer to each other take exponential time, and a list of
 * a million wrong items takes quadratic time, because ajv copies its list of errors for each one.
 *
 * Small values are never stopped, so that their result does not depend on the machine. Beyond `freeEntries` the clock is
 * read. After half of the time, results are remembered by schema and value, so that no pair is checked twice.
 */
import type { SchemaError } from './schema.ts'

/** The clock of the runtime. Core is compiled without runtime types. */
declare const performance: { now(): number }

/** Maximum number of failures reported for one value. */
export const maxErrors = 100

/** Number of schemas that any value may enter before its time counts. */
const freeEntries = 10_000
/** Schemas that are entered between two readings of the clock. */
const entriesPerReading = 256
/** A validation that takes longer is stopped if the value has entered more than `linearEntries` schemas for each node. */
const maxMs = 50
/** Large values that are checked in linear time may take this long. */
const maxLinearMs = 250
/** Schemas that each list, object or scalar in a value enters on average, where its check takes linear time. */
const linearEntries = 2

/** Thrown where a schema has found `maxErrors`; further ones would be dropped. */
export class TooManyErrors {
  readonly errors: readonly SchemaError[]
  constructor(errors: readonly SchemaError[]) {
    this.errors = errors
  }
}

/** Thrown where the validation takes too long. */
export class TooMuchWork {}

type Results = Map<object, readonly SchemaError[]>

export class WorkLimit {
  readonly #now: () => number
  #root: unknown
  #startedAt = 0
  #entries = 0
  /** Number of entries at which the clock is read next. */
  #readsAt = 0
  #linear: number | undefined
  #results: Map<string, Results> | undefined

  /** `now`: milliseconds since any moment. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Starts with the next value. */
  start(root: unknown): void {
    this.#root = root
    this.#startedAt = this.#now()
    this.#entries = 0
    this.#readsAt = freeEntries
    this.#linear = undefined
    this.#results = undefined
  }

  /** Called by generated code whenever the value or a part of it enters a schema. */
  readonly enter = (count: number, errors: readonly SchemaError[] | null): void => {
    if (count >= maxErrors && errors !== null) throw new TooManyErrors(errors)
    if (++this.#entries > this.#readsAt) this.#readClock()
  }

  #readClock(): void {
    this.#readsAt = this.#entries + entriesPerReading
    const elapsed = this.#now() - this.#startedAt
    if (elapsed > maxMs / 2) this.#results ??= new Map()
    if (elapsed <= maxMs) return
    // Counting the nodes takes time, so it is done only here.
    this.#linear ??= countNodes(this.#root) * linearEntries
    if (elapsed > maxLinearMs || this.#entries > this.#linear) throw new TooMuchWork()
  }

  /** Returns the failures of a value, remembered or by `check`. A value is at one place of its document only. */
  remember(schema: string, value: unknown, check: () => readonly SchemaError[]): readonly SchemaError[] {
    if (this.#results === undefined || typeof value !== 'object' || value === null) return check()
    const results = this.#results.get(schema) ?? new Map<object, readonly SchemaError[]>()
    this.#results.set(schema, results)
    const known = results.get(value)
    if (known !== undefined) return known
    const found = check()
    results.set(value, found)
    return found
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
