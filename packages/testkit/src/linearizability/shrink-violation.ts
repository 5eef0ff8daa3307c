/**
 * Shrinks a history that no order explains.
 *
 * Only two steps are used, because both keep a linearizable history linearizable. What remains therefore proves the
 * violation:
 * - The history is cut at an instant: later operations are left out, and those that run then have an unknown result.
 * - The result of an operation is forgotten, as if its client had timed out.
 * An operation cannot simply be left out, because others may have seen its effect.
 */
import type { Operation, SequentialModel } from './operation.ts'
import { searchOrder } from './search-order.ts'

export interface Violation<Input, Output> {
  readonly key: string
  /** The operations whose results contradict each other, by start. */
  readonly operations: readonly Operation<Input, Output>[]
  /** Other operations that started until then. No order exists, whichever of them took effect, at any time. */
  readonly others: readonly Operation<Input, Output>[]
}

/** Limits of shrinking. If they do not suffice, more operations remain. */
const maxMs = 3_000
const maxConfigurationsPerTrial = 50_000

/** Shrinks the operations on one key, which are not linearizable. */
export function shrinkViolation<State, Input, Output>(
  model: SequentialModel<State, Input, Output>,
  key: string,
  operations: readonly Operation<Input, Output>[],
): Violation<Input, Output> {
  const endsAt = performance.now() + maxMs
  const isViolation = (some: readonly Operation<Input, Output>[]) => {
    const budget = { configurations: maxConfigurationsPerTrial, endsAt }
    return searchOrder(model, some, budget).verdict === 'not linearizable'
  }
  let current = shortestPrefix(operations, isViolation)
  const completed = current.filter(isCompleted).toSorted((a, b) => a.startedAt - b.startedAt)
  for (let size = Math.ceil(completed.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < completed.length && performance.now() < endsAt; from += size) {
      const chunk = new Set(completed.slice(from, from + size))
      const weaker = current.map((operation) => (chunk.has(operation) ? withoutResult(operation) : operation))
      if (isViolation(weaker)) current = weaker
    }
  }
  const sorted = current.toSorted((a, b) => a.startedAt - b.startedAt)
  return { key, operations: sorted.filter(isCompleted), others: sorted.filter((one) => !isCompleted(one)) }
}

const isCompleted = ({ endedAt }: Operation<unknown, unknown>) => endedAt !== undefined

function withoutResult<Input, Output>(operation: Operation<Input, Output>): Operation<Input, Output> {
  const { client, key, input, startedAt } = operation
  return { client, key, input, startedAt }
}

/** Cuts the history after the first result that makes it a violation. */
function shortestPrefix<Input, Output>(
  operations: readonly Operation<Input, Output>[],
  isViolation: (some: readonly Operation<Input, Output>[]) => boolean,
): readonly Operation<Input, Output>[] {
  const ends = operations.flatMap(({ endedAt }) => endedAt ?? []).sort((a, b) => a - b)
  let [least, most] = [0, ends.length - 1]
  while (least < most) {
    const middle = (least + most) >> 1
    if (isViolation(until(operations, ends[middle] as number))) most = middle
    else least = middle + 1
  }
  const cut = until(operations, ends[most] ?? Number.POSITIVE_INFINITY)
  return isViolation(cut) ? cut : operations
}

function until<Input, Output>(
  operations: readonly Operation<Input, Output>[],
  at: number,
): readonly Operation<Input, Output>[] {
  return operations
    .filter(({ startedAt }) => startedAt <= at)
    .map((operation) => ((operation.endedAt ?? 0) > at ? withoutResult(operation) : operation))
}
