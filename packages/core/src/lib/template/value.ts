/**
 * The values of templates. Whole numbers of Go are `bigint`, floats (all numbers of JSON) `number`, maps are Maps or
 * objects of parsed JSON, no value and nil are `undefined` and `null`. Members are own members only, so that a name
 * out of a body never reaches a prototype.
 */
import type { Budget } from './budget.ts'
import { TemplateError } from './template-problem.ts'

export type Mapping = ReadonlyMap<string, unknown> | Readonly<Record<string, unknown>>

export function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isNil(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

/** The member of that name; `undefined` when there is none. */
export function memberOf(map: Mapping, name: string): unknown {
  if (map instanceof Map) return map.get(name)
  return Object.hasOwn(map, name) ? (map as Record<string, unknown>)[name] : undefined
}

export function hasMember(map: Mapping, name: string): boolean {
  return map instanceof Map ? map.has(name) : Object.hasOwn(map, name)
}

/** Names and values sorted by name, as Go walks maps in templates. */
export function sortedEntries(map: Mapping, budget: Budget): [string, unknown][] {
  const entries = entriesOf(map)
  budget.spend(entries.length * 16)
  return entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
}

export function entriesOf(map: Mapping): [string, unknown][] {
  return map instanceof Map ? [...map.entries()] : Object.entries(map)
}

/** Steps through `.a.b`. Members of nothing are nothing; members of what has none are a fault, as in Go. */
export function follow(value: unknown, names: readonly string[]): unknown {
  let at = value
  for (const name of names) {
    if (isNil(at)) return undefined
    if (!isMapping(at)) throw new TemplateError(`can't evaluate field ${name} in type ${typeName(at)}`)
    at = memberOf(at, name)
  }
  return at
}

/** Whether a value counts as true: not when it is empty or zero. */
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (value instanceof Map) return value.size > 0
  if (isMapping(value)) return !isEmptyObject(value)
  return Boolean(value) && !Number.isNaN(value)
}

function isEmptyObject(value: object): boolean {
  for (const name in value) if (Object.hasOwn(value, name)) return false
  return true
}

/** The type as Go names it in messages and `typeOf`. */
export function typeName(value: unknown): string {
  if (isNil(value)) return '<nil>'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'bigint') return 'int'
  if (typeof value === 'number') return 'float64'
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}'
}

/** -1, 0 or 1 for two basic values; a fault when they cannot be compared. Whole and other numbers compare. */
export function compareBasic(a: unknown, b: unknown): number {
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : a > b ? 1 : 0
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0
  throw new TemplateError(`incompatible types for comparison: ${typeName(a)} and ${typeName(b)}`)
}

export function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** Equality of any two values, by content. */
export function isSame(a: unknown, b: unknown, budget: Budget): boolean {
  budget.spend(typeof a === 'string' ? 1 + a.length / 8 : 1)
  if (a === b || (isNil(a) && isNil(b))) return true
  // biome-ignore lint/suspicious/noDoubleEquals: 2n == 2, and only here
  if (isNumber(a) && isNumber(b)) return a == b
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && budget.nested(() => a.every((v, i) => isSame(v, b[i], budget)))
  }
  if (!isMapping(a) || !isMapping(b)) return false
  const entries = entriesOf(a)
  if (entries.length !== entriesOf(b).length) return false
  return budget.nested(() =>
    entries.every(([name, value]) => hasMember(b, name) && isSame(value, memberOf(b, name), budget)),
  )
}

/** What it costs to look at an argument or to make a result. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (Array.isArray(value)) return value.length
  if (typeof value === 'bigint') return 1
  return isMapping(value) ? 32 : 1
}
