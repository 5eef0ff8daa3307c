/** Values of database exports: `{"$oid": …}`, `{"$date": …}` and numbers with a type. */
import { isJson, type Json } from '@turnpike/core/lib'

/** Replaces the objects that represent one value by that value, at any depth. */
export function plainJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainJson)
  if (!isJson(value)) return value
  const names = Object.keys(value)
  const [name = ''] = names
  if (names.length === 1 && name.startsWith('$')) {
    if (name === '$oid' || name === '$date') return plainJson(value[name])
    if (name === '$numberLong' || name === '$numberInt' || name === '$numberDouble') return Number(value[name])
  }
  return plainObject(value)
}

export function plainObject(value: Json): Json {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainJson(member)]))
}
