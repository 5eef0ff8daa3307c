/**
 * Searches a legal sequential order of the operations on one object.
 *
 * The search is that of Wing and Gong (Testing and Verifying Concurrent Objects, 1993) with the memoisation of Lowe
 * (Testing for linearizability, 2017). A configuration is the set of operations that are already in the order, and the
 * state after them. Each operation that no remaining operation precedes in real time can be the next one. Two orders of
 * the same operations that lead to the same state have the same continuations, so each configuration is visited once.
 *
 * Three rules avoid branches without changing the verdict:
 * - A completed operation that changes no state (`isObserver`), and can be next, is next. If an order exists, it stays
 *   legal when this operation is moved to its front.
 * - Of two operations with the same input and output, one that neither started nor ended later than the other comes
 *   first. If an order has them the other way round, they can be exchanged.
 * - An operation with unknown result is in the order only if it changes the state and the next operation does not lead to
 *   the same state without it. Otherwise it can be left out.
 */
import type { Operation, SequentialModel } from './operation.ts'

/** What the searches of one history may cost together. */
export interface SearchBudget {
  /** Configurations that may still be visited. */
  configurations: number
  /** `performance.now()` at which the search ends. */
  readonly endsAt: number
}

export type SearchResult<Input, Output> =
  | { readonly verdict: 'linearizable'; readonly order: readonly Operation<Input, Output>[] }
  | { readonly verdict: 'not linearizable' | 'undecided' }

/** An operation with the number of its class: operations with the same input and output have the same class. */
interface Entry<Input, Output> {
  readonly operation: Operation<Input, Output>
  readonly startedAt: number
  /** Infinity if the result is unknown. */
  readonly endedAt: number
  readonly class: number
}

interface Configuration<State, Input, Output> {
  /** All completed operations before this index are in the order. */
  readonly firstOpen: number
  /** Completed operations after `firstOpen` that are in the order, by index. */
  readonly ahead: readonly number[]
  /** Number of operations with unknown result that are in the order, by class. They enter by time of their start. */
  readonly unknown: readonly number[]
  readonly state: State
  readonly last: Entry<Input, Output> | undefined
  readonly before: Configuration<State, Input, Output> | undefined
}

/** Between two looks at the clock. */
const configurationsPerLook = 256

/** Searches an order; reduces the configurations of the budget by those that it visits. */
export function searchOrder<State, Input, Output>(
  model: SequentialModel<State, Input, Output>,
  operations: readonly Operation<Input, Output>[],
  budget: SearchBudget,
): SearchResult<Input, Output> {
  const { completed, unknown } = sortEntries(operations)
  const visited = new Set<string>()
  const stack: Configuration<State, Input, Output>[] = [
    {
      firstOpen: 0,
      ahead: [],
      unknown: unknown.map(() => 0),
      state: model.initial,
      last: undefined,
      before: undefined,
    },
  ]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (next.firstOpen === completed.length) return { verdict: 'linearizable', order: orderOf(next) }
    const name = `${next.firstOpen}:${next.ahead}:${next.unknown}:${JSON.stringify(next.state)}`
    if (visited.has(name)) continue
    visited.add(name)
    budget.configurations -= 1
    const isLook = visited.size % configurationsPerLook === 1
    if (budget.configurations < 0 || (isLook && performance.now() > budget.endsAt)) return { verdict: 'undecided' }
    stack.push(...successors(model, next, completed, unknown))
  }
  return { verdict: 'not linearizable' }
}

/** Returns the next configurations; the most promising one, whose operation ends first, is the last. */
function successors<State, Input, Output>(
  model: SequentialModel<State, Input, Output>,
  from: Configuration<State, Input, Output>,
  completed: readonly Entry<Input, Output>[],
  unknown: readonly (readonly Entry<Input, Output>[])[],
): Configuration<State, Input, Output>[] {
  const { possible, before } = possibleNext(from, completed)
  const made: Configuration<State, Input, Output>[] = []
  for (const [index, entry] of possible) {
    const { input, output } = entry.operation
    const next = statesAfter(model, from, input, output).map((state) => ({
      ...from,
      ...included(from, completed, index),
      state,
      last: entry,
      before: from,
    }))
    if (next.length > 0 && output !== undefined && model.isObserver?.(input, output)) return next
    made.push(...next)
  }
  const attempts: Configuration<State, Input, Output>[] = []
  for (const [kind, entries] of unknown.entries()) {
    const entry = entries[from.unknown[kind] ?? 0]
    if (entry === undefined || entry.startedAt > before) continue
    const counts = from.unknown.with(kind, (from.unknown[kind] ?? 0) + 1)
    for (const state of statesAfter(model, from, entry.operation.input, undefined)) {
      if (isSame(state, from.state)) continue
      attempts.push({ ...from, unknown: counts, state, last: entry, before: from })
    }
  }
  return [...attempts, ...made.reverse()]
}

/** Returns the states after an operation, without those that it would also reach without an unknown operation before it. */
function statesAfter<State, Input, Output>(
  model: SequentialModel<State, Input, Output>,
  { state, last, before }: Configuration<State, Input, Output>,
  input: Input,
  output: Output | undefined,
): readonly State[] {
  const states = model.apply(state, input, output)
  if (states.length === 0 || last?.endedAt !== Number.POSITIVE_INFINITY || before === undefined) return states
  const without = model.apply(before.state, input, output)
  return states.filter((one) => !without.some((other) => isSame(one, other)))
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * Returns the completed operations that can be next, by the time of their end. `before` is the earliest end of a
 * remaining operation: what started later cannot be next.
 */
function possibleNext<State, Input, Output>(
  { firstOpen, ahead }: Configuration<State, Input, Output>,
  completed: readonly Entry<Input, Output>[],
): { readonly possible: readonly (readonly [number, Entry<Input, Output>])[]; readonly before: number } {
  let before = Number.POSITIVE_INFINITY
  const open: [number, Entry<Input, Output>][] = []
  for (let index = firstOpen; index < completed.length; index++) {
    const entry = completed[index] as Entry<Input, Output>
    if (entry.startedAt > before) break
    if (ahead.includes(index)) continue
    open.push([index, entry])
    before = Math.min(before, entry.endedAt)
  }
  const sorted = open.toSorted(([, a], [, b]) => a.endedAt - b.endedAt)
  const earliest = new Map<number, number>()
  const possible = sorted.filter(([, entry]) => {
    if (entry.startedAt > before) return false
    const start = earliest.get(entry.class) ?? Number.POSITIVE_INFINITY
    earliest.set(entry.class, Math.min(start, entry.startedAt))
    return entry.startedAt < start
  })
  return { possible, before }
}

/** Adds a completed operation to the set of those in the order. */
function included<State, Input, Output>(
  { firstOpen, ahead }: Configuration<State, Input, Output>,
  completed: readonly Entry<Input, Output>[],
  index: number,
): { readonly firstOpen: number; readonly ahead: readonly number[] } {
  if (index !== firstOpen) return { firstOpen, ahead: [...ahead, index].sort((a, b) => a - b) }
  let first = firstOpen + 1
  while (first < completed.length && ahead.includes(first)) first += 1
  return { firstOpen: first, ahead: ahead.filter((one) => one > first) }
}

/** Sorts by start: the completed operations, and those with unknown result by class. */
function sortEntries<Input, Output>(operations: readonly Operation<Input, Output>[]) {
  const classes = new Map<string, number>()
  const completed: Entry<Input, Output>[] = []
  const unknown = new Map<number, Entry<Input, Output>[]>()
  for (const operation of operations.toSorted((a, b) => a.startedAt - b.startedAt)) {
    const { startedAt, endedAt = Number.POSITIVE_INFINITY, input, output } = operation
    const text = JSON.stringify([input, output ?? null, endedAt === Number.POSITIVE_INFINITY])
    const kind = classes.get(text) ?? classes.size
    classes.set(text, kind)
    const entry = { operation, startedAt, endedAt, class: kind }
    if (endedAt !== Number.POSITIVE_INFINITY) completed.push(entry)
    else unknown.set(kind, [...(unknown.get(kind) ?? []), entry])
  }
  return { completed, unknown: [...unknown.values()] }
}

function orderOf<State, Input, Output>(end: Configuration<State, Input, Output>): readonly Operation<Input, Output>[] {
  const order: Operation<Input, Output>[] = []
  for (let at: typeof end | undefined = end; at !== undefined; at = at.before) {
    if (at.last !== undefined) order.push(at.last.operation)
  }
  return order.reverse()
}
