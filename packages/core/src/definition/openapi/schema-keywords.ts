/**
 * The keywords of schemas that request validation checks (docs/reference/openapi-validation.md#schema-limits). Request
 * validation and `turnpike check` use the same lists, so that each keyword is either checked or reported.
 */
import { isJson, type Json, listOf, textOf } from '../../lib/json.ts'

/** Those of OpenAPI 3.0, and of JSON Schema 2020-12 (OpenAPI 3.1) where it has an equivalent in draft 7. */
const keywords: readonly string[] = [
  ...['$ref', 'type', 'enum', 'const', 'format', 'pattern', 'minLength', 'maxLength', 'multipleOf'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['items', 'additionalItems', 'minItems', 'maxItems', 'uniqueItems', 'contains'],
  ...['properties', 'additionalProperties', 'minProperties', 'maxProperties'],
  ...['patternProperties', 'propertyNames', 'dependencies'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'discriminator'],
]

/** Keywords that limit values and that the gateway does not check. */
export const uncheckedKeywords: readonly string[] = [
  ...['unevaluatedProperties', 'unevaluatedItems', 'minContains', 'maxContains', 'contentSchema'],
  ...['$dynamicRef', '$recursiveRef'],
]

/** Values of `format` that the gateway checks. */
export const checkedFormats: ReadonlySet<string> = new Set(['date', 'date-time'])

export function isVersion31(document: Json): boolean {
  return textOf(document['openapi']).startsWith('3.1')
}

/** The part of a schema that is checked, in JSON Schema draft 7. */
export function checkedPartOf(schema: Json, is31: boolean): Json {
  if (typeof schema['$ref'] === 'string') return referenceOf(schema, is31)
  const checked: Record<string, unknown> = {}
  for (const keyword of keywords) {
    if (Object.hasOwn(schema, keyword)) checked[keyword] = schema[keyword]
  }
  return withDraft7Names(schema, checked)
}

/** Keywords beside a reference count since OpenAPI 3.1. */
function referenceOf({ $ref, ...others }: Json, is31: boolean): Json {
  const beside = is31 ? checkedPartOf(others, true) : {}
  return Object.keys(beside).length === 0 ? { $ref } : { allOf: [{ $ref }, others] }
}

function withDraft7Names(schema: Json, checked: Json): Json {
  const { prefixItems, items, dependentRequired, dependentSchemas } = schema
  const lists = Array.isArray(prefixItems)
    ? { items: prefixItems, ...(items === undefined ? {} : { additionalItems: items }) }
    : {}
  const parts = [dependentRequired, dependentSchemas].filter(isJson).map((dependencies) => ({ dependencies }))
  const needs = parts.length < 2 ? (parts[0] ?? {}) : { allOf: [...listOf(checked['allOf']), ...parts] }
  return { ...checked, ...lists, ...needs }
}
