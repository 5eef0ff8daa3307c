/** List functions. Each returns a new list; none changes its arguments. */

import type { Budget } from '../budget.ts'
import { type FunctionTable, fixed, listOf, textOf, variadic, wholeOf, withMust } from '../function-table.ts'
import { TemplateError } from '../template-problem.ts'
import { isMapping, isSame, isTrue, memberOf } from '../value.ts'
import { slice } from './language.ts'

const onList = (run: (list: readonly unknown[], budget: Budget) => unknown) =>
  fixed(1, ([list], budget) => run(listOf(list), budget))

function contains(list: readonly unknown[], value: unknown, budget: Budget): boolean {
  return list.some((item) => isSame(item, value, budget))
}

function distinct(list: readonly unknown[], budget: Budget): unknown[] {
  const seen: unknown[] = []
  for (const item of list) if (!contains(seen, item, budget)) seen.push(item)
  return seen
}

function chunk(size: bigint, list: readonly unknown[]): unknown[] {
  if (size <= 0n) throw new TemplateError(`the size of a chunk must be positive: ${size}`)
  const chunks: unknown[] = []
  const step = Number(size)
  for (let i = 0; i < list.length; i += step) chunks.push(list.slice(i, i + step))
  return chunks
}

const list = variadic(0, (values) => [...values])

/** These also exist with the prefix `must`. */
const functions = {
  first: onList((items) => items[0]),
  last: onList((items) => items[items.length - 1]),
  rest: onList((items) => items.slice(1)),
  initial: onList((items) => items.slice(0, -1)),
  append: fixed(2, ([items, value]) => [...listOf(items), value]),
  push: fixed(2, ([items, value]) => [...listOf(items), value]),
  prepend: fixed(2, ([items, value]) => [value, ...listOf(items)]),
  reverse: onList((items) => items.toReversed()),
  uniq: onList(distinct),
  compact: onList((items) => items.filter(isTrue)),
  without: variadic(1, ([items, ...off], budget) => listOf(items).filter((item) => !contains(off, item, budget))),
  has: fixed(2, ([value, items], budget) => contains(listOf(items), value, budget)),
  chunk: fixed(2, ([size, items]) => chunk(wholeOf(size), listOf(items))),
} satisfies FunctionTable

export const listFunctions: FunctionTable = {
  list,
  tuple: list,
  ...functions,
  ...withMust(functions),
  mustSlice: variadic(1, slice, 4),
  concat: variadic(0, (lists) => lists.flatMap((items) => listOf(items))),
  sortAlpha: onList((items, budget) => {
    budget.spend(items.length * 32)
    return items.map((item) => textOf(item, budget)).sort()
  }),
  pluck: variadic(1, ([name, ...maps], budget) =>
    maps
      .map((map) => (isMapping(map) ? memberOf(map, textOf(name, budget)) : undefined))
      .filter((v) => v !== undefined),
  ),
}
