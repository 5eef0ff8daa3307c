/**
 * Turns failures of ajv into the texts of JSON Schema failures that clients of original gateways expect
 * (docs/reference/transforms.md#json-validation).
 */
import { type Maybe, when } from '../maybe.ts'
import { SchemaSet } from './compile-schema.ts'
import { withoutNoise } from './composition.ts'
import { formats } from './formats.ts'
import { jsonType } from './json-type.ts'
import type { Dialect, SchemaError } from './schema.ts'
import { fieldOf, locateError, type SchemaProblem } from './schema-problem.ts'
import { maxErrors } from './work-limit.ts'

/** Returns the failures of a value; an empty list means that it is valid. */
export type Validate = (value: unknown) => Maybe<readonly SchemaProblem[]>

const jsonSchema: Dialect = { adapt: (schema) => schema, formats, arrange: withoutNoise }

/** Compiles a schema whose failures are reported with these texts, or returns why it is invalid. */
export function compileJsonSchema(
  schema: unknown,
  { now, ...dialect }: Pick<Dialect, 'rejectsLookalikes'> & { readonly now?: () => number } = {},
): { readonly validate: Validate; readonly problem: undefined } | { readonly problem: string } {
  const { findErrors, problem } = new SchemaSet(schema, { ...jsonSchema, ...dialect }, now).compile(schema)
  if (problem !== undefined) return { problem }
  return {
    problem: undefined,
    validate: (value) =>
      when(findErrors(value), (errors) => {
        const made: Made = new Map()
        const counts: Counts = new Map()
        return errors.flatMap((error) => problemsOf(error, value, made, counts)).slice(0, maxErrors)
      }),
  }
}

type Text = (error: SchemaError, field: string) => string

const param = (error: SchemaError, name: string) => String(error.params[name])
const json = (value: unknown) => JSON.stringify(value)

const texts: Readonly<Record<string, Text>> = {
  type: ({ schema, data }) => `Invalid type. Expected: ${[schema].flat().join('/')}, given: ${jsonType(data)}`,
  const: ({ schema }, field) => `${field} does not match: ${json((schema as { value: unknown }).value)}`,
  enum: ({ schema }, field) => `${field} must be one of the following: ${(schema as unknown[]).map(json).join(', ')}`,
  never: ({ params }) => (params['reason'] === 'loop' ? tooDeep : 'False always fails validation'),
  anyOf: () => 'Must validate at least one schema (anyOf)',
  oneOf: () => 'Must validate one and only one schema (oneOf)',
  allOf: () => 'Must validate all the schemas (allOf)',
  not: () => 'Must not validate the schema (not)',
  if: ({ params }) =>
    params['holds'] === true ? 'Must validate "then" as "if" was valid' : 'Must validate "else" as "if" was not valid',
  multipleOf: ({ schema }) => `Must be a multiple of ${schema}`,
  maximum: ({ schema }) => `Must be less than or equal to ${schema}`,
  exclusiveMaximum: ({ schema }) => `Must be less than ${schema}`,
  minimum: ({ schema }) => `Must be greater than or equal to ${schema}`,
  exclusiveMinimum: ({ schema }) => `Must be greater than ${schema}`,
  minLength: ({ schema }) => `String length must be greater than or equal to ${schema}`,
  maxLength: ({ schema }) => `String length must be less than or equal to ${schema}`,
  pattern: ({ schema }) => `Does not match pattern '${schema}'`,
  format: ({ schema }) => `Does not match format '${schema}'`,
  minItems: ({ schema }) => `Array must have at least ${schema} items`,
  maxItems: ({ schema }) => `Array must have at most ${schema} items`,
  uniqueItems: (error) => `array items[${param(error, 'first')},${param(error, 'second')}] must be unique`,
  contains: () => 'At least one of the items must match',
  additionalItems: () => 'No additional items allowed on array',
  minProperties: ({ schema }) => `Must have at least ${schema} properties`,
  maxProperties: ({ schema }) => `Must have at most ${schema} properties`,
  required: (error) => `${param(error, 'missingProperty')} is required`,
  propertyNames: (error) => `Property name of "${param(error, 'name')}" does not match`,
  dependencies: (error) => `Has a dependency on ${param(error, 'missingProperty')}`,
  additionalProperties: (error) => `Additional property ${param(error, 'additionalProperty')} is not allowed`,
  lookalike: (error) =>
    `Property ${param(error, 'name')} differs from ${param(error, 'known')} in case only; write ${param(error, 'known')}`,
  work: () => 'it takes too much work to check this',
  depth: () => tooDeep,
}

const tooDeep = 'the schema nests too deep'

/** Texts of lists of failures. Branches can contain the same list many times. */
type Made = Map<readonly SchemaError[], SchemaProblem[]>
/** Numbers of these texts. */
type Counts = Map<readonly SchemaError[], number>

function problemsOf(error: SchemaError, root: unknown, made: Made, counts: Counts): SchemaProblem[] {
  const path = locateError(error, root)
  const text = texts[error.keyword]
  if (text === undefined) throw new Error(`no text for failures of ${error.keyword}`)
  const own = { path, message: text(error, fieldOf(path)) }
  const { keyword, branches = [] } = error
  const below = (found: readonly SchemaError[]) => {
    const problems = made.get(found) ?? found.flatMap((one) => problemsOf(one, root, made, counts)).slice(0, maxErrors)
    made.set(found, problems)
    return problems
  }
  switch (keyword) {
    case 'allOf':
      return [...branches.flatMap(below), own]
    case 'anyOf':
    case 'if':
      return [own, ...below(nearest(branches, counts))]
    case 'oneOf':
      return error.params['matches'] === 0 ? [own, ...below(nearest(branches, counts))] : [own]
    default:
      return [own]
  }
}

/** The failures of the alternative that has the fewest. Texts are made for these only. */
function nearest(branches: readonly (readonly SchemaError[])[], counts: Counts): readonly SchemaError[] {
  let best = branches[0] ?? []
  for (const branch of branches) if (countOf(branch, counts) < countOf(best, counts)) best = branch
  return best
}

function countOf(errors: readonly SchemaError[], counts: Counts): number {
  const known = counts.get(errors)
  if (known !== undefined) return known
  let count = 0
  for (const error of errors) count += countOfOne(error, counts)
  counts.set(errors, Math.min(count, maxErrors))
  return Math.min(count, maxErrors)
}

/** The number of texts that `problemsOf` makes. */
function countOfOne({ keyword, params, branches = [] }: SchemaError, counts: Counts): number {
  const all = branches.map((branch) => countOf(branch, counts))
  if (keyword === 'allOf') return 1 + all.reduce((sum, count) => sum + count, 0)
  const chooses = keyword === 'anyOf' || keyword === 'if' || (keyword === 'oneOf' && params['matches'] === 0)
  return chooses ? 1 + (all.length === 0 ? 0 : Math.min(...all)) : 1
}
