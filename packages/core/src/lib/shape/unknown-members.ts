/** Finds members of a JSON value that a schema does not describe, for documents that no shape reads. */
import { isJson, type Json } from '../json.ts'
import type { JsonPath, JsonSchema, Problem } from './shape-type.ts'
import { isNothing, nearestMissing } from './unknown-value.ts'

/** Values whose type differs from the schema are left out. */
export function unknownMembers(schema: JsonSchema, value: unknown, path: JsonPath = []): readonly Problem[] {
  const { properties, additionalProperties: further, items } = schema
  if (Array.isArray(value)) {
    return items === undefined ? [] : value.flatMap((entry, i) => unknownMembers(items, entry, [...path, i]))
  }
  if (!isJson(value)) return []
  return Object.entries(value).flatMap(([name, member]): readonly Problem[] => {
    const at = [...path, name]
    if (properties !== undefined) {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined
      return known === undefined ? [unknownMember(at, name, properties, value)] : unknownMembers(known, member, at)
    }
    return typeof further === 'object' ? unknownMembers(further, member, at) : []
  })
}

function unknownMember(
  path: JsonPath,
  name: string,
  properties: Readonly<Record<string, JsonSchema>>,
  given: Json,
): Problem {
  const suggestion = nearestMissing(name, Object.keys(properties), given)
  return { kind: 'unknown', path, message: 'is not a known field', suggestion, isEmpty: isNothing(given[name]) }
}
