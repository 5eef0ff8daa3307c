/** Values of wrong types for every field of a shape. */
import type { JsonPath, JsonSchema } from '@turnpike/core/lib'

export interface Fault {
  readonly path: JsonPath
  readonly value: unknown
  /** The value is kept as it is written, so the document stays readable. */
  readonly isKept: boolean
}

/** One fault for each field, and for whole numbers one more; lists and maps get one entry. */
export function faultsOf(schema: JsonSchema, path: JsonPath = [], above = false): Fault[] {
  const isKept = above || schema['x-as-written'] === true
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null')
  const own =
    path.length === 0 ? [] : types.flatMap((type) => wrongFor[type] ?? []).map((value) => ({ path, value, isKept }))
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    faultsOf(field, [...path, name], isKept),
  )
  const items = schema.items === undefined ? [] : faultsOf(schema.items, [...path, 0], isKept)
  const { additionalProperties } = schema
  const entries =
    typeof additionalProperties === 'object' ? faultsOf(additionalProperties, [...path, 'entry'], isKept) : []
  return [...own, ...fields, ...items, ...entries]
}

const wrongFor: Readonly<Record<string, readonly unknown[]>> = {
  string: [7],
  integer: ['seven', 1.5],
  number: ['seven'],
  boolean: ['yes'],
  array: ['seven'],
  object: [[7]],
}

/** The document with this value at this place, a field on each line. */
export function withFault(base: object, { path, value }: Fault): string {
  const document = structuredClone(base) as Record<string | number, unknown>
  let at = document
  for (const [i, step] of path.slice(0, -1).entries()) {
    const next = at[step]
    if (typeof next !== 'object' || next === null) at[step] = typeof path[i + 1] === 'number' ? [] : {}
    at = at[step] as Record<string | number, unknown>
  }
  at[path.at(-1) as string | number] = value
  return JSON.stringify(document, null, 2)
}
