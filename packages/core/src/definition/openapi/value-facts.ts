/** What a schema says about the notation of its values: their types and members, also where other schemas make it up. */
import { isJson, type Json, listOf, textsOf } from '../../lib/json.ts'
import { deref } from './operations.ts'

export interface ValueFacts {
  /** The JSON types that a value may have; empty: any type. */
  readonly types: readonly string[]
  /** The schemas of the members of an object, by name. */
  readonly properties: ReadonlyMap<string, unknown>
  /** The schema of other members; empty: any value. */
  readonly others: Json
  /** The schema of the items of a list; empty: any value. */
  readonly items: Json
}

/** Maximum nesting of `allOf`, `anyOf` and `oneOf` that is followed. */
const maxDepth = 10

const known = new WeakMap<object, ValueFacts>()

/** Facts are collected once for each schema. */
export function valueFactsOf(document: Json, schema: unknown): ValueFacts {
  const found = isJson(schema) ? known.get(schema) : undefined
  if (found !== undefined) return found
  const facts = collectFacts(document, schema)
  if (isJson(schema)) known.set(schema, facts)
  return facts
}

function collectFacts(document: Json, schema: unknown): ValueFacts {
  const schemas = schemasOfValue(document, schema, 0)
  const types = schemas.flatMap(({ type, properties, items }) => {
    if (type !== undefined) return typeof type === 'string' ? [type] : textsOf(type)
    return isJson(properties) ? ['object'] : items === undefined ? [] : ['array']
  })
  const properties = new Map<string, unknown>()
  for (const part of schemas) {
    for (const [name, member] of Object.entries(isJson(part['properties']) ? part['properties'] : {})) {
      const other = properties.get(name)
      properties.set(name, other === undefined ? member : { anyOf: [other, member] })
    }
  }
  const first = (keyword: string) => schemas.map((part) => part[keyword]).find(isJson) ?? {}
  return { types: [...new Set(types)], properties, others: first('additionalProperties'), items: first('items') }
}

/** The schema and those that `allOf`, `anyOf` and `oneOf` of it name for the same value, with references resolved. */
function schemasOfValue(document: Json, given: unknown, depth: number): readonly Json[] {
  const schema = deref(document, given)
  if (schema === undefined || depth === maxDepth) return []
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => listOf(schema[keyword]))
  return [schema, ...parts.flatMap((part) => schemasOfValue(document, part, depth + 1))]
}
