/** List functions. Each returns a new list; none changes its arguments. */

import type { Budget } from '../budget.ts'
import { type FunctionTable, fixed, listOf, textOf, variadic } from '../function-table.ts'
import { isMapping, isSame, isTrue, memberOf } from '../value.ts'

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

export const listFunctions: FunctionTable = {
  list: variadic(0, (values) => [...values]),
  first: onList((list) => list[0]),
  last: onList((list) => list[list.length - 1]),
  rest: onList((list) => list.slice(1)),
  initial: onList((list) => list.slice(0, -1)),
  append: fixed(2, ([list, value]) => [...listOf(list), value]),
  prepend: fixed(2, ([list, value]) => [value, ...listOf(list)]),
  concat: variadic(0, (lists) => lists.flatMap((list) => listOf(list))),
  reverse: onList((list) => list.toReversed()),
  uniq: onList(distinct),
  compact: onList((list) => list.filter(isTrue)),
  without: variadic(1, ([list, ...off], budget) => listOf(list).filter((item) => !contains(off, item, budget))),
  has: fixed(2, ([value, list], budget) => contains(listOf(list), value, budget)),
  sortAlpha: onList((list, budget) => {
    budget.spend(list.length * 32)
    return list.map((item) => textOf(item, budget)).sort()
  }),
  pluck: variadic(1, ([name, ...maps], budget) =>
    maps
      .map((map) => (isMapping(map) ? memberOf(map, textOf(name, budget)) : undefined))
      .filter((v) => v !== undefined),
  ),
}
