/** Checks that a recorded history is linearizable: property 12 on histories of any program. */
import { assertOperations, type Operation, type SequentialModel } from './operation.ts'
import { type SearchBudget, searchOrder } from './search-order.ts'
import { shrinkViolation, type Violation } from './shrink-violation.ts'

export interface LinearizabilityOptions {
  /** Configurations that the search may visit. Default: 1,000,000. */
  readonly maxConfigurations?: number
  /** Milliseconds of real time that the search may take. Default: 10,000. */
  readonly maxMs?: number
}

export type LinearizabilityReport<Input, Output> =
  | {
      readonly verdict: 'linearizable'
      /** A legal order of the operations on each key. Operations with unknown result that had no effect are missing. */
      readonly orders: ReadonlyMap<string, readonly Operation<Input, Output>[]>
    }
  | { readonly verdict: 'not linearizable'; readonly violation: Violation<Input, Output> }
  | {
      readonly verdict: 'undecided'
      /** Keys for which the bounds did not suffice. The other keys are linearizable. */
      readonly keys: readonly string[]
    }

/**
 * Searches, for each key, a sequential order of its operations that is legal in the model and contradicts no time: an
 * operation that ended before another one started comes first. An operation with unknown result may be anywhere after
 * its start, or nowhere.
 *
 * A history is never accepted because the search was too long: the verdict is then `undecided`. A violation of any key
 * is reported even if other keys are undecided. States, inputs and outputs are compared as JSON.
 *
 * @param model Behaviour of the object of each key.
 * @param history Operations in any order; times in ms of one clock, such as `process.hrtime`.
 * @throws TypeError if a bound or an operation is invalid.
 */
export function checkLinearizable<State, Input, Output>(
  model: SequentialModel<State, Input, Output>,
  history: readonly Operation<Input, Output>[],
  options: LinearizabilityOptions = {},
): LinearizabilityReport<Input, Output> {
  assertOperations(history)
  const budget = budgetOf(options)
  const orders = new Map<string, readonly Operation<Input, Output>[]>()
  const undecided: string[] = []
  for (const [key, operations] of byKey(history)) {
    const result = searchOrder(model, operations, budget)
    if (result.verdict === 'undecided') undecided.push(key)
    else if (result.verdict === 'linearizable') orders.set(key, result.order)
    else return { verdict: 'not linearizable', violation: shrinkViolation(model, key, operations) }
  }
  return undecided.length > 0 ? { verdict: 'undecided', keys: undecided } : { verdict: 'linearizable', orders }
}

function budgetOf({ maxConfigurations = 1_000_000, maxMs = 10_000 }: LinearizabilityOptions): SearchBudget {
  for (const [name, value] of Object.entries({ maxConfigurations, maxMs })) {
    if (!(value > 0)) throw new TypeError(`${name} is ${value}, expected a number above 0`)
  }
  return { configurations: maxConfigurations, endsAt: performance.now() + maxMs }
}

function byKey<Input, Output>(history: readonly Operation<Input, Output>[]): Map<string, Operation<Input, Output>[]> {
  const keys = new Map<string, Operation<Input, Output>[]>()
  for (const operation of history) {
    const operations = keys.get(operation.key)
    if (operations === undefined) keys.set(operation.key, [operation])
    else operations.push(operation)
  }
  return keys
}
