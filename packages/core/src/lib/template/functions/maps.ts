/** Map functions. All except `set` and `unset` return new maps or members of their argument. */
import type { Budget } from '../budget.ts'
import { type FunctionTable, fixed, mapOf, textOf, variadic } from '../function-table.ts'
import { entriesOf, hasMember, isMapping, type Mapping, memberOf, sortedEntries } from '../value.ts'

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

/** Members of earlier maps take precedence. */
function merge(maps: readonly unknown[], budget: Budget): Map<string, unknown> {
  const merged = new Map<string, unknown>()
  for (const map of maps) {
    const entries = entriesOf(mapOf(map))
    budget.spend(entries.length)
    for (const [name, value] of entries) if (!merged.has(name)) merged.set(name, value)
  }
  return merged
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
  merge: variadic(1, merge),
  dig: variadic(3, dig),
}
