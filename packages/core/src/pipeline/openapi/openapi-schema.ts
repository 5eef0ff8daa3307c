/** Validation by the schemas of an OpenAPI document (3.0 and 3.1). Only the first error is reported. */
import { discriminatedBy } from '../../definition/openapi/discriminator.ts'
import { deref } from '../../definition/openapi/operations.ts'
import { checkedPartOf, isVersion31 } from '../../definition/openapi/schema-keywords.ts'
import { isJson, type Json, memberOf, textsOf } from '../../lib/json.ts'
import { type CompiledSchema, SchemaSet } from '../../lib/json-schema/compile-schema.ts'
import type { JsonObject } from '../../lib/json-schema/json-type.ts'
import type { Choice, Dialect, SchemaError } from '../../lib/json-schema/schema.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import { timeProblem } from './time-problem.ts'

/** Returns the first error of a value; `undefined` if the value is valid. */
export type CheckValue = (value: unknown) => Maybe<string | undefined>

/** The schemas of one document; each is compiled at its first use. */
export class DocumentSchemas {
  readonly document: Json
  readonly #set: SchemaSet

  constructor(document: Json) {
    this.document = document
    this.#set = new SchemaSet(document, dialectOf(document))
  }

  checkOf(schema: unknown): CheckValue {
    if (schema === undefined) return () => undefined
    let compiled: CompiledSchema | undefined
    return (value) => {
      // Invalid parts of the schema accept no value, so its problem is reported when a value meets them.
      compiled ??= this.#set.compile(schema)
      return when(compiled.findErrors(value), ([first]) => (first === undefined ? undefined : printError(first)))
    }
  }
}

function dialectOf(document: Json): Dialect {
  const is31 = isVersion31(document)
  return {
    rejectsLookalikes: true,
    formats: {
      date: (text) => timeProblem(text, 'date') === undefined,
      'date-time': (text) => timeProblem(text, 'date-time') === undefined,
    },
    arrange: inCheckOrder,
    adapt(schema) {
      // Made below.
      if (nullSchemas.has(schema)) return schema
      const checked = checkedPartOf(schema, is31)
      if (Object.hasOwn(checked, '$ref')) return checked
      const required = requiredInRequests(schema, document)
      const adapted = { ...checked, ...(required.length === 0 ? {} : { required }) }
      adaptedFrom.set(adapted, adaptedFrom.get(schema) ?? schema)
      if (schema['nullable'] !== true) return adapted
      const nullable = { if: { type: 'null' }, else: adapted }
      nullSchemas.add(nullable)
      return nullable
    },
    extrasOf: (schema) => ({ forbidden: readOnlyMembers(schema, document), choice: choiceOf(schema, document) }),
  }
}

/** The schemas of the document from which schemas were adapted. */
const adaptedFrom = new WeakMap<JsonObject, JsonObject>()

/** Schemas that accept `null` beside what another schema accepts. */
const nullSchemas = new WeakSet<JsonObject>()

function readOnlyMembers({ properties }: JsonObject, document: Json): readonly string[] {
  const members = Object.entries(isJson(properties) ? properties : {})
  return members.filter(([, schema]) => isReadOnly(schema, document)).map(([name]) => name)
}

function isReadOnly(schema: unknown, document: Json): boolean {
  return memberOf(schema, 'readOnly') === true || deref(document, schema)?.['readOnly'] === true
}

/** Clients cannot send properties that only responses have. */
function requiredInRequests({ required, properties }: JsonObject, document: Json): readonly string[] {
  return textsOf(required).filter((name) => !isJson(properties) || !isReadOnly(properties[name], document))
}

function choiceOf(schema: JsonObject, document: Json): Choice | undefined {
  const found = discriminatedBy(adaptedFrom.get(schema) ?? schema, document)
  if (found === undefined) return undefined
  const { property, schemas, inline, keyword } = found
  return {
    replaces: keyword,
    property,
    schemas,
    otherwise: keyword === undefined || inline.length === 0 ? undefined : { [keyword]: inline },
    plain: keyword === undefined ? {} : { [keyword]: schema[keyword] },
  }
}

/** `Error at "/name": …`, or the bare reason for the value itself. */
function printError(error: SchemaError): string {
  const { keyword, branches, instancePath } = error
  const [only] = branches?.[0] ?? []
  if (keyword === 'if' && only !== undefined) return printError(only)
  const pointer =
    keyword === 'required' ? `${instancePath}/${escapeToken(error.params['missingProperty'])}` : instancePath
  const reason = texts[keyword]?.(error) ?? unusable
  return pointer === '' ? reason : `Error at "${pointer}": ${reason}`
}

/** Reported for references to missing schemas, for cyclic references and for values that exceed the work limit. */
const unusable = 'the schema cannot be followed'

const texts: Readonly<Record<string, (error: SchemaError) => string>> = {
  type: ({ schema, data }) => (data === null ? 'Value is not nullable' : `value must be ${typeNames(schema)}`),
  enum: ({ schema }) => `value is not one of the allowed values ${JSON.stringify(schema)}`,
  const: ({ schema }) =>
    `value is not one of the allowed values ${JSON.stringify([(schema as { value: unknown }).value])}`,
  exclusiveMinimum: ({ schema }) => `number must be more than ${schema}`,
  exclusiveMaximum: ({ schema }) => `number must be less than ${schema}`,
  minimum: ({ schema }) => `number must be at least ${schema}`,
  maximum: ({ schema }) => `number must be at most ${schema}`,
  multipleOf: ({ schema }) => `number must be a multiple of ${schema}`,
  minLength: ({ schema }) => `minimum string length is ${schema}`,
  maxLength: ({ schema }) => `maximum string length is ${schema}`,
  pattern: ({ schema }) => `string doesn't match the regular expression "${schema}"`,
  format: ({ schema, data }) =>
    `string doesn't match the format "${schema}": ${timeProblem(String(data), schema as 'date' | 'date-time')}`,
  minItems: ({ schema }) => `minimum number of items is ${schema}`,
  maxItems: ({ schema }) => `maximum number of items is ${schema}`,
  uniqueItems: () => 'duplicate items found',
  minProperties: ({ schema }) => `there must be at least ${schema} properties`,
  maxProperties: ({ schema }) => `there must be at most ${schema} properties`,
  required: ({ params }) => `property "${params['missingProperty']}" is missing`,
  additionalProperties: ({ params }) => `property "${params['additionalProperty']}" is unsupported`,
  allOf: ({ branches }) => `doesn't match schema due to: ${printBranches(branches, ' And ')}`,
  anyOf: () => `doesn't match any schema from "anyOf"`,
  oneOf: ({ params, branches }) =>
    params['matches'] === 0
      ? `doesn't match schema due to: ${printBranches(branches, ' Or ')}`
      : 'input matches more than one oneOf schemas',
  not: () => `Doesn't match schema "not"`,
  contains: () => 'no item matches the schema "contains"',
  additionalItems: () => 'additional items are unsupported',
  propertyNames: ({ params }) => `the name of the property "${params['name']}" doesn't match the schema`,
  dependencies: ({ params }) => `property "${params['missingProperty']}" is missing`,
  never: ({ params }) => (params['reason'] === 'false' ? 'value is not allowed' : unusable),
  forbidden: ({ params }) => `readOnly property "${params['name']}" in request`,
  lookalike: ({ params }) => `property "${params['name']}" differs from "${params['known']}" in case only`,
  choose: ({ params, branches }) =>
    branches === undefined
      ? (discriminatorProblems[String(params['problem'])]?.(String(params['property'])) ?? unusable)
      : `doesn't match schema due to: ${printBranches(branches, ' Or ')}`,
}

const discriminatorProblems: Readonly<Record<string, (property: string) => string>> = {
  missing: (property) => `input does not contain the discriminator property "${property}"`,
  type: (property) => `value of discriminator property "${property}" is not a string`,
  unknown: (property) => `discriminator property "${property}" has invalid value`,
}

function typeNames(types: unknown): string {
  return textsOf(types)
    .map((name) => (/^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`))
    .join(' or ')
}

function printBranches(branches: SchemaError['branches'], separator: string): string {
  const text = (branches ?? []).map(printFirst).join(separator)
  return text.length > maxBranchLength ? `${text.slice(0, maxBranchLength)}…` : text
}

/** Branches can contain the same failures many times, so that a text could have exponential length. */
const maxBranchLength = 4_000
const printed = new WeakMap<readonly SchemaError[], string>()

function printFirst(errors: readonly SchemaError[]): string {
  const text = printed.get(errors) ?? (errors[0] === undefined ? '' : printError(errors[0]))
  printed.set(errors, text)
  return text
}

function escapeToken(name: unknown): string {
  return String(name).replaceAll('~', '~0').replaceAll('/', '~1')
}

/**
 * The order in which the original gateway checks a value, so that the same failure is the first one: a schema as a
 * whole, then its members in the order of their names, then missing members
 * (docs/reference/openapi-validation.md#first-failure).
 */
const beforeMembers = [
  ...['not', 'choose', 'oneOf', 'anyOf', 'allOf', 'enum', 'const', 'type'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'minimum', 'maximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'format'],
  ...['minProperties', 'maxProperties', 'minItems', 'maxItems', 'uniqueItems'],
]
const ranks: ReadonlyMap<string, number> = new Map(beforeMembers.map((keyword, i) => [keyword, i]))
const memberRank = beforeMembers.length

/** Sorts failures. Failures of equal rank keep their order. */
function inCheckOrder(errors: readonly SchemaError[]): readonly SchemaError[] {
  if (errors.length < 2) return errors
  return errors
    .map((error) => ({ error, place: placeOf(error), rank: rankOf(error) }))
    .sort(compare)
    .map(({ error }) => error)
}

interface Placed {
  readonly place: readonly string[]
  readonly rank: number
}

function compare(a: Placed, b: Placed): number {
  for (let i = 0; ; i++) {
    const [nameA, nameB] = [a.place[i], b.place[i]]
    if (nameA === undefined || nameB === undefined) {
      return (nameA === undefined ? a.rank : memberRank) - (nameB === undefined ? b.rank : memberRank)
    }
    if (nameA !== nameB) return compareNames(nameA, nameB)
  }
}

/** Names and indexes from the value to its invalid part. An unknown member is a part itself. */
function placeOf({ instancePath, keyword, params }: SchemaError): string[] {
  const place = instancePath.split('/').slice(1)
  if (keyword === 'additionalProperties') place.push(String(params['additionalProperty']))
  if (keyword === 'forbidden' || keyword === 'lookalike') place.push(String(params['name']))
  return place
}

function rankOf({ keyword }: SchemaError): number {
  return keyword === 'required' ? memberRank + 1 : (ranks.get(keyword) ?? 0)
}

function compareNames(a: string, b: string): number {
  const areIndexes = /^\d+$/.test(a) && /^\d+$/.test(b)
  if (areIndexes) return Number(a) - Number(b)
  return a < b ? -1 : 1
}
