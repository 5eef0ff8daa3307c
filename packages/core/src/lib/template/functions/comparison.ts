/**
 * Comparison, logic and defaults. The evaluator implements `and` and `or`, because they do not evaluate all arguments.
 */
import { type FunctionTable, fixed, textOf, variadic } from '../function-table.ts'
import { Struct } from '../struct.ts'
import { TemplateError } from '../template-problem.ts'
import { compareBasic, isNil, isSame, isTrue, typeName } from '../value.ts'

const ordered = (holds: (order: number) => boolean) => fixed(2, ([a, b]) => holds(compareBasic(a, b)))

/** The kinds of values, with Go's names. */
function kindOf(value: unknown): string {
  const type = typeName(value)
  if (type === '<nil>') return 'invalid'
  if (value instanceof Struct) return type.startsWith('*') ? 'ptr' : 'struct'
  return type.startsWith('[]') ? 'slice' : type.startsWith('map') ? 'map' : type
}

export const comparisonFunctions: FunctionTable = {
  // True when the first argument equals one of the others.
  eq: variadic(2, ([first, ...others], budget) => others.some((other) => isSame(first, other, budget))),
  ne: fixed(2, ([a, b], budget) => !isSame(a, b, budget)),
  lt: ordered((order) => order < 0),
  le: ordered((order) => order <= 0),
  gt: ordered((order) => order > 0),
  ge: ordered((order) => order >= 0),
  not: fixed(1, ([value]) => !isTrue(value)),

  default: variadic(1, ([fallback, given]) => (isTrue(given) ? given : fallback), 2),
  empty: fixed(1, ([value]) => !isTrue(value)),
  coalesce: variadic(0, (values) => values.find(isTrue)),
  ternary: fixed(3, ([yes, no, test]) => (isTrue(test) ? yes : no)),
  all: variadic(0, (values) => values.every(isTrue)),
  any: variadic(0, (values) => values.some(isTrue)),
  fail: fixed(1, ([message], budget) => {
    throw new TemplateError(textOf(message, budget))
  }),

  typeOf: fixed(1, ([value]) => typeName(value)),
  kindOf: fixed(1, ([value]) => kindOf(value)),
  kindIs: fixed(2, ([kind, value]) => kindOf(value) === kind),
  typeIsLike: fixed(2, ([type, value]) => typeName(value) === type || typeName(value) === `*${type}`),
  deepEqual: fixed(2, ([a, b], budget) => isSame(a, b, budget)),
  typeIs: fixed(2, ([type, value]) => typeName(value) === type || (isNil(value) && type === 'nil')),
}
