/** The generated serialisers write the same bytes as `JSON.stringify`. */
import { fc } from '@fast-check/vitest'
import { expect, it } from 'vitest'
import { responseSchemas } from '../../packages/core/src/http/response-schemas.ts'
import type { JsonSchema } from '../../packages/core/src/lib/shape/shape.ts'
import { serialiserFiles } from './serialisers.mjs'

type Serialise = (value: object) => string

const folder = new URL('../../packages/core/src/http/generated/', import.meta.url)
const files = Object.keys(serialiserFiles(responseSchemas))

it.each(Object.entries(responseSchemas))('the serialiser of %s writes as JSON.stringify does', async (name, schema) => {
  const file = files[Object.keys(responseSchemas).indexOf(name)] as string
  const [serialise] = Object.values(await import(new URL(file, folder).href)) as [Serialise]
  const values = valuesOf(schema) as fc.Arbitrary<object>
  const property = fc.property(values, (value) => {
    expect(serialise(value)).toBe(JSON.stringify(value))
  })
  void fc.assert(property)
})

const text = fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 60 }))
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true }))
const integer = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.constantFrom(-0, 2 ** 63, -(2 ** 63)))

/** Values of a schema, with any of the fields missing and the others in the order of the schema. */
function valuesOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const types = [schema.type ?? 'any'].flat()
  return fc.oneof(...types.map((type) => valuesOfType(type, schema)))
}

function valuesOfType(type: string, schema: JsonSchema): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return text
    case 'number':
      return number
    case 'integer':
      return integer
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}), { maxLength: 5 })
    case 'object':
      return objectsOf(schema)
    default:
      return fc.jsonValue({ maxDepth: 3 })
  }
}

function objectsOf({ properties, additionalProperties }: JsonSchema): fc.Arbitrary<unknown> {
  if (properties === undefined) {
    const entry = typeof additionalProperties === 'object' ? valuesOf(additionalProperties) : fc.jsonValue()
    return fc.dictionary(text, entry, { maxKeys: 4 })
  }
  const fields = Object.entries(properties).map(([name, schema]) => {
    return fc.oneof(valuesOf(schema), fc.constant(undefined)).map((held) => [name, held] as const)
  })
  // Handlers leave a field out or give it the value undefined; both must be absent in the text.
  return fc
    .tuple(fc.boolean(), ...fields)
    .map(([leavesOut, ...entries]) =>
      Object.fromEntries(leavesOut ? entries.filter(([, held]) => held !== undefined) : entries),
    )
}
