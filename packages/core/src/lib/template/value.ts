/**
 * The values of templates. Go's integers are `bigint`, floats (all numbers of JSON) are `number`, maps are Maps or
 * objects of parsed JSON, and a missing value and nil are `undefined` and `null`. Only own members are read, so that a
 * name from a body never reaches a prototype.
 */
import { JsonNumber, plainNumber } from '../text/json-number.ts'
import type { Budget } from './budget.ts'
import { Method, Struct } from './struct.ts'
import { TemplateError } from './template-problem.ts'

export type Mapping = ReadonlyMap<string, unknown> | Readonly<Record<string, unknown>>

export function isMapping(value: unknown): value is Mapping {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return !(value instanceof Struct || value instanceof JsonNumber)
}

export function isNil(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

/** Returns the member with that name; `undefined` if it does not exist. */
export function memberOf(map: Mapping, name: string): unknown {
  if (map instanceof Map) return map.get(name)
  return Object.hasOwn(map, name) ? (map as Record<string, unknown>)[name] : undefined
}

export function hasMember(map: Mapping, name: string): boolean {
  return map instanceof Map ? map.has(name) : Object.hasOwn(map, name)
}

/** Names and values sorted by name, the order in which Go iterates maps in templates. */
export function sortedEntries(map: Mapping, budget: Budget): [string, unknown][] {
  const entries = entriesOf(map)
  budget.spend(entries.length * 16)
  return entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
}

export function entriesOf(map: Mapping): [string, unknown][] {
  return map instanceof Map ? [...map.entries()] : Object.entries(map)
}

/** Resolves `.a.b`. A member of nil is nil; a member of a value that cannot have members is an error, as in Go. */
export function follow(value: unknown, names: readonly string[]): unknown {
  let at = value
  for (const name of names) {
    if (isNil(at)) return undefined
    if (at instanceof Method) at = at.call([])
    if (at instanceof Struct && Object.hasOwn(at.members, name)) at = at.members[name]?.()
    else if (isMapping(at)) at = memberOf(at, name)
    else throw new TemplateError(`can't evaluate field ${name} in type ${typeName(at)}`)
  }
  return at
}

/** Returns true unless the value is empty or zero. */
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (value instanceof Map) return value.size > 0
  if (isMapping(value)) return !isEmptyObject(value)
  const plain = plainNumber(value)
  return Boolean(plain) && !Number.isNaN(plain)
}

function isEmptyObject(value: object): boolean {
  for (const name in value) if (Object.hasOwn(value, name)) return false
  return true
}

/** The name of the type in Go, for messages and `typeOf`. */
export function typeName(value: unknown): string {
  if (isNil(value)) return '<nil>'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'bigint') return 'int'
  if (typeof value === 'number' || value instanceof JsonNumber) return 'float64'
  if (value instanceof Struct) return value.typeName
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}'
}

/** Returns -1, 0 or 1 for two basic values; throws if they cannot be compared. Integers and floats can be compared. */
export function compareBasic(first: unknown, second: unknown): number {
  const a = plainNumber(first)
  const b = plainNumber(second)
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : a > b ? 1 : 0
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0
  throw new TemplateError(`incompatible types for comparison: ${typeName(a)} and ${typeName(b)}`)
}

export function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** Equality of any two values, by content. */
export function isSame(first: unknown, second: unknown, budget: Budget): boolean {
  const a = plainNumber(first)
  const b = plainNumber(second)
  budget.spend(typeof a === 'string' ? 1 + a.length / 8 : 1)
  if (a === b || (isNil(a) && isNil(b))) return true
  // biome-ignore lint/suspicious/noDoubleEquals: compares bigint with number: 2n == 2
  if (isNumber(a) && isNumber(b)) return a == b
  if (a instanceof Struct) return b instanceof Struct && a.typeName === b.typeName && a.text() === b.text()
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

/** The cost of reading an argument or creating a result. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (Array.isArray(value)) return value.length
  if (typeof value === 'bigint') return 1
  return isMapping(value) ? 32 : 1
}
