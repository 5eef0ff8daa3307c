/**
 * `discriminator`: the member of an object that selects one of the schemas of `oneOf` or `anyOf`, or one of the schemas that
 * extend this one (OpenAPI 3.0.4, 4.7.25).
 */
import { isJson, type Json, listOf, objectOf, textOf } from '../../lib/json.ts'
import { deref } from './operations.ts'
import { alternativesOf, originalOf, withoutParent } from './schema-children.ts'

/** The schemas between which a discriminator selects. */
export interface Discriminated {
  readonly property: string
  /** By the value of the member: names of the mapping, then names of the referenced schemas. */
  readonly schemas: ReadonlyMap<string, Json>
  /** Alternatives without a name. */
  readonly inline: readonly unknown[]
  /** `undefined`: the schemas extend the one with the discriminator, and are checked beside it. */
  readonly keyword: 'oneOf' | 'anyOf' | undefined
}

/** `undefined`: the schema has no discriminator, or no alternatives. `schema`: as it is in the document. */
export function discriminatedBy(schema: Json, document: Json): Discriminated | undefined {
  const { discriminator, oneOf, anyOf } = schema
  const property = isJson(discriminator) ? textOf(discriminator['propertyName']) : ''
  if (property === '') return undefined
  const alternatives = listOf(oneOf ?? anyOf)
  const mapping = mappingOf(discriminator)
  if (alternatives.length === 0) return byChildren(originalOf(schema), property, mapping, document)
  const keyword = Array.isArray(oneOf) ? 'oneOf' : 'anyOf'
  const schemas = new Map<string, Json>()
  const inline: unknown[] = []
  for (const alternative of alternatives) {
    const reference = isJson(alternative) ? textOf(alternative['$ref']) : ''
    if (reference === '') inline.push(alternative)
    else schemas.set(reference.slice(reference.lastIndexOf('/') + 1), { $ref: reference })
  }
  for (const [value, target] of mapping) schemas.set(value, target)
  return { property, schemas, inline, keyword }
}

function mappingOf(discriminator: unknown): readonly (readonly [string, { readonly $ref: string }])[] {
  const mapping = objectOf(isJson(discriminator) ? discriminator['mapping'] : undefined)
  return Object.entries(mapping).map(([value, target]) => {
    // A name without a slash is that of a schema.
    const name = textOf(target)
    return [value, { $ref: /^[\w.-]+$/.test(name) ? `#/components/schemas/${name}` : name }]
  })
}

function byChildren(
  parent: Json,
  property: string,
  mapping: ReturnType<typeof mappingOf>,
  document: Json,
): Discriminated | undefined {
  const schemas = new Map(alternativesOf(parent, document))
  for (const [value, target] of mapping) {
    const child = deref(document, target)
    schemas.set(value, child === undefined ? target : withoutParent(child, parent, document))
  }
  return schemas.size === 0 ? undefined : { property, schemas, inline: [], keyword: undefined }
}
