/** `discriminator`: the member of an object that selects one of the schemas of `oneOf` or `anyOf` (OpenAPI 3.0.4, 4.7.25). */
import { isJson, type Json, listOf, objectOf, textOf } from '../../lib/json.ts'

/** The schemas between which a discriminator selects. */
export interface Discriminated {
  readonly property: string
  /** By the value of the member: names of the mapping, then names of the referenced schemas. */
  readonly schemas: ReadonlyMap<string, Json>
  /** Alternatives without a name. */
  readonly inline: readonly unknown[]
  readonly keyword: 'oneOf' | 'anyOf'
}

/** `undefined`: the schema has no discriminator, or no alternatives. */
export function discriminatedBy(schema: Json): Discriminated | undefined {
  const { discriminator, oneOf, anyOf } = schema
  const keyword = Array.isArray(oneOf) ? 'oneOf' : 'anyOf'
  const property = isJson(discriminator) ? textOf(discriminator['propertyName']) : ''
  const alternatives = listOf(oneOf ?? anyOf)
  if (property === '' || alternatives.length === 0) return undefined
  const schemas = new Map<string, Json>()
  const inline: unknown[] = []
  for (const alternative of alternatives) {
    const reference = isJson(alternative) ? textOf(alternative['$ref']) : ''
    if (reference === '') inline.push(alternative)
    else schemas.set(reference.slice(reference.lastIndexOf('/') + 1), { $ref: reference })
  }
  const mapping = objectOf(isJson(discriminator) ? discriminator['mapping'] : undefined)
  for (const [value, target] of Object.entries(mapping)) {
    // A name without a slash is that of a schema.
    const name = textOf(target)
    schemas.set(value, { $ref: /^[\w.-]+$/.test(name) ? `#/components/schemas/${name}` : name })
  }
  return { property, schemas, inline, keyword }
}
