/**
 * Values against the schemas of a document (OpenAPI 3.0 and 3.1), in the words that clients of existing gateways know.
 * Only the first failure is told. Source: spec/oas-and-mcp.md 1.5.
 */

import { deref } from '../../definition/openapi/operations.ts'
import { isJson, type Json, listOf, textsOf } from '../../lib/json.ts'
import { hasFormat } from '../../lib/json-schema/formats.ts'
import { isOfType, isSameJson } from '../../lib/json-schema/json-type.ts'
import { compileRe2 } from '../../lib/regex/re2.ts'

export interface ValueProblem {
  /** From the value checked: `/name`; empty: the value itself. */
  readonly pointer: string
  readonly reason: string
}

/** Schemas in schemas; deeper values are not accepted, so that none can overflow the stack. */
const maxDepth = 100

/** The first thing that is wrong with the value; `undefined`: it fits. */
export function checkValue(
  value: unknown,
  schema: unknown,
  document: Json,
  pointer = '',
  depth = 0,
): ValueProblem | undefined {
  if (schema === true || schema === undefined) return undefined
  const known = deref(document, schema)
  if (known === undefined || depth > maxDepth) return { pointer, reason: 'the schema cannot be followed' }
  if (value === null && known['nullable'] === true) return undefined
  const reason = typeProblem(value, known) ?? scalarProblem(value, known)
  if (reason !== undefined) return { pointer, reason }
  return (
    combinedProblem(value, known, document, pointer, depth) ??
    (isJson(value) ? objectProblem(value, known, document, pointer, depth) : undefined) ??
    (Array.isArray(value) ? listProblem(value, known, document, pointer, depth) : undefined)
  )
}

/** `Error at "/name": …`, or the bare reason for the value itself. */
export function printProblem({ pointer, reason }: ValueProblem): string {
  return pointer === '' ? reason : `Error at "${pointer}": ${reason}`
}

function typeProblem(value: unknown, { type }: Json): string | undefined {
  const types = Array.isArray(type) ? textsOf(type) : typeof type === 'string' ? [type] : []
  if (types.length === 0 || types.some((name) => isOfType(value, name))) return undefined
  if (value === null) return 'Value is not nullable'
  const named = types.map((name) => (/^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`))
  return `value must be ${named.join(' or ')}`
}

function scalarProblem(value: unknown, schema: Json): string | undefined {
  const allowed = schema['enum']
  if (Array.isArray(allowed) && !allowed.some((one) => isSameJson(one, value))) {
    return `value is not one of the allowed values ${JSON.stringify(allowed)}`
  }
  if (Object.hasOwn(schema, 'const') && !isSameJson(schema['const'], value)) {
    return `value is not one of the allowed values ${JSON.stringify([schema['const']])}`
  }
  if (typeof value === 'number') return numberProblem(value, schema)
  if (typeof value === 'string') return textProblem(value, schema)
  return undefined
}

function numberProblem(value: number, schema: Json): string | undefined {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = schema
  const lower = typeof above === 'number' ? above : above === true ? minimum : undefined
  const upper = typeof below === 'number' ? below : below === true ? maximum : undefined
  if (typeof lower === 'number' && !(value > lower)) return `number must be more than ${lower}`
  if (typeof upper === 'number' && !(value < upper)) return `number must be less than ${upper}`
  if (typeof minimum === 'number' && value < minimum) return `number must be at least ${minimum}`
  if (typeof maximum === 'number' && value > maximum) return `number must be at most ${maximum}`
  if (typeof multipleOf === 'number' && multipleOf > 0 && !isMultiple(value, multipleOf)) {
    return `number must be a multiple of ${multipleOf}`
  }
  return undefined
}

/** Quotients of decimal fractions miss whole numbers by a little. */
function isMultiple(value: number, of: number): boolean {
  const quotient = value / of
  return Math.abs(quotient - Math.round(quotient)) < 1e-9
}

function textProblem(value: string, { minLength, maxLength, pattern, format }: Json): string | undefined {
  const length = [...value].length
  if (typeof minLength === 'number' && length < minLength) return `minimum string length is ${minLength}`
  if (typeof maxLength === 'number' && length > maxLength) return `maximum string length is ${maxLength}`
  if (typeof pattern === 'string') {
    const compiled = compileRe2(pattern)
    // A pattern that cannot be read admits nothing.
    if (compiled.problem !== undefined || !compiled.test(value)) {
      return `string doesn't match the regular expression "${pattern}"`
    }
  }
  if (typeof format === 'string' && !hasFormat(value, format)) return `string doesn't match the format "${format}"`
  return undefined
}

function combinedProblem(
  value: unknown,
  schema: Json,
  document: Json,
  pointer: string,
  depth: number,
): ValueProblem | undefined {
  const fits = (one: unknown) => checkValue(value, one, document, pointer, depth + 1) === undefined
  for (const one of listOf(schema['allOf'])) {
    const problem = checkValue(value, one, document, pointer, depth + 1)
    if (problem !== undefined) return problem
  }
  const { anyOf, oneOf, not } = schema
  if (Array.isArray(anyOf) && !anyOf.some(fits)) {
    return { pointer, reason: `value doesn't match any schema from "anyOf"` }
  }
  if (Array.isArray(oneOf) && oneOf.filter(fits).length !== 1) {
    return { pointer, reason: `value must match exactly one schema from "oneOf"` }
  }
  return not !== undefined && fits(not) ? { pointer, reason: `value must not match the schema of "not"` } : undefined
}

function objectProblem(
  value: Json,
  schema: Json,
  document: Json,
  pointer: string,
  depth: number,
): ValueProblem | undefined {
  const properties = isJson(schema['properties']) ? schema['properties'] : {}
  for (const name of textsOf(schema['required'])) {
    // What only answers hold need not be sent.
    const isReadOnly = deref(document, properties[name])?.['readOnly'] === true
    if (!Object.hasOwn(value, name) && !isReadOnly) {
      return { pointer: below(pointer, name), reason: `property "${name}" is missing` }
    }
  }
  const others = schema['additionalProperties']
  for (const [name, member] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : others
    if (known === false) return { pointer, reason: `property "${name}" is unsupported` }
    const problem = checkValue(member, known, document, below(pointer, name), depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}

function listProblem(
  value: readonly unknown[],
  schema: Json,
  document: Json,
  pointer: string,
  depth: number,
): ValueProblem | undefined {
  const { minItems, maxItems, uniqueItems, items } = schema
  if (typeof minItems === 'number' && value.length < minItems) {
    return { pointer, reason: `minimum number of items is ${minItems}` }
  }
  if (typeof maxItems === 'number' && value.length > maxItems) {
    return { pointer, reason: `maximum number of items is ${maxItems}` }
  }
  if (uniqueItems === true && new Set(value.map((one) => JSON.stringify(one))).size < value.length) {
    return { pointer, reason: 'duplicate items found' }
  }
  for (const [i, item] of value.entries()) {
    const problem = checkValue(item, items, document, `${pointer}/${i}`, depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}

function below(pointer: string, name: string): string {
  return `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
