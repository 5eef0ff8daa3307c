/** Map functions. All except `set`, `unset` and `merge` return new maps or members of their argument. */
import type { Budget } from '../budget.ts'
import { type FunctionTable, fixed, mapOf, textOf, variadic, withMust } from '../function-table.ts'
import { entriesOf, hasMember, isMapping, isTrue, type Mapping, memberOf, sortedEntries } from '../value.ts'

function dict(values: readonly unknown[], budget: Budget): Map<string, unknown> {
  const map = new Map<string, unknown>()
  for (let i = 0; i < values.length; i += 2) map.set(textOf(values[i], budget), values[i + 1] ?? '')
  return map
}

/** Sets an own member, also for names such as `__proto__`. */
function setMember(map: Mapping, name: string, value: unknown): Mapping {
  if (map instanceof Map) map.set(name, value)
  else Object.defineProperty(map, name, { value, writable: true, enumerable: true, configurable: true })
  return map
}

function unsetMember(map: Mapping, name: string): Mapping {
  if (map instanceof Map) map.delete(name)
  else Reflect.deleteProperty(map, name)
  return map
}

function select(map: Mapping, names: readonly unknown[], keep: boolean, budget: Budget): Map<string, unknown> {
  const wanted = new Set(names.map((name) => textOf(name, budget)))
  const entries = entriesOf(map)
  budget.spend(entries.length)
  return new Map(entries.filter(([name]) => wanted.has(name) === keep))
}

/**
 * Merges maps into the first one, level by level. Members of earlier maps take precedence unless they are empty; with
 * `overwrites`, those of later maps.
 */
function merge(maps: readonly unknown[], overwrites: boolean, budget: Budget): Mapping {
  const [target, ...sources] = maps.map(mapOf)
  if (target === undefined) return new Map()
  for (const source of sources) {
    const entries = entriesOf(source)
    budget.spend(entries.length * 4)
    for (const [name, value] of entries) {
      const present = memberOf(target, name)
      if (isMapping(present) && isMapping(value)) budget.nested(() => merge([present, value], overwrites, budget))
      else if (overwrites || !isTrue(present)) setMember(target, name, value)
    }
  }
  return target
}

const merging = (overwrites: boolean) => variadic(1, (maps, budget) => merge(maps, overwrites, budget))

function deepCopy(value: unknown, budget: Budget): unknown {
  budget.spend(16)
  if (Array.isArray(value)) return budget.nested(() => value.map((item) => deepCopy(item, budget)))
  if (!isMapping(value)) return value
  return budget.nested(() => new Map(entriesOf(value).map(([name, item]) => [name, deepCopy(item, budget)])))
}

/** These also exist with the prefix `must`. */
const functions: FunctionTable = {
  merge: merging(false),
  mergeOverwrite: merging(true),
  deepCopy: fixed(1, ([value], budget) => deepCopy(value, budget)),
}

/** `dig "a" "b" fallback map`. */
function dig(args: readonly unknown[], budget: Budget): unknown {
  let at: unknown = args.at(-1)
  for (const name of args.slice(0, -2)) {
    const key = textOf(name, budget)
    if (!isMapping(at) || !hasMember(at, key)) return args.at(-2)
    at = memberOf(at, key)
  }
  return at
}

export const mapFunctions: FunctionTable = {
  dict: variadic(0, dict),
  get: fixed(2, ([map, name], budget) => memberOf(mapOf(map), textOf(name, budget)) ?? ''),
  set: fixed(3, ([map, name, value], budget) => setMember(mapOf(map), textOf(name, budget), value)),
  unset: fixed(2, ([map, name], budget) => unsetMember(mapOf(map), textOf(name, budget))),
  hasKey: fixed(2, ([map, name], budget) => hasMember(mapOf(map), textOf(name, budget))),
  keys: variadic(0, (maps, budget) => maps.flatMap((map) => sortedEntries(mapOf(map), budget).map(([name]) => name))),
  values: variadic(0, (maps, budget) =>
    maps.flatMap((map) => sortedEntries(mapOf(map), budget).map(([, value]) => value)),
  ),
  pick: variadic(1, ([map, ...names], budget) => select(mapOf(map), names, true, budget)),
  omit: variadic(1, ([map, ...names], budget) => select(mapOf(map), names, false, budget)),
  ...functions,
  ...withMust(functions),
  dig: variadic(3, dig),
}
