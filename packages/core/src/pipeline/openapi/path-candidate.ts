/**
 * One of several rules whose paths differ in the names of parameters only: how specific its parameters are, and whether
 * the values of a request fit them (docs/reference/openapi-validation.md#path-candidates).
 */
import { type DocumentOperation, deref } from '../../definition/openapi/operations.ts'
import { isJson, type Json, listOf, textOf } from '../../lib/json.ts'
import { compileRe2 } from '../../lib/regex/re2.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import { pathValueReader } from './path-segment.ts'
import { isDecimal, readText } from './read-value.ts'
import { timeProblem } from './time-problem.ts'

export interface Candidate<T> {
  readonly path: string
  readonly use: T
  /** Sum of the ranks of its parameters. */
  readonly rank: number
  /** Total length of its patterns. */
  readonly patternLength: number
  /** `path`: path of the request below the listen path. */
  fits(path: string): boolean
}

type Fits = (value: string) => boolean

/** Only the path parameters of the operation count, not those of its path. */
export function compileCandidate<T>(document: Json, { path, operation }: DocumentOperation, use: T): Candidate<T> {
  const parameters = listOf(operation['parameters'])
    .map((given) => deref(document, given))
    .filter((parameter) => parameter?.['in'] === 'path')
    .map((parameter) => {
      const schema = deref(document, parameter?.['schema']) ?? {}
      return { schema, read: pathValueReader(path, textOf(parameter?.['name'])), fits: fitsOf(schema) }
    })
  const schemas = parameters.map(({ schema }) => schema)
  return {
    path,
    use,
    rank: schemas.reduce((sum, schema) => sum + rankOf(schema), 0),
    patternLength: schemas.reduce((sum, schema) => sum + textOf(schema['pattern']).length, 0),
    fits: (requestPath) => parameters.every(({ read, fits }) => fits(read(requestPath) ?? '')),
  }
}

const rankByType: Readonly<Record<string, number>> = { integer: 7, number: 6, boolean: 5, array: 4, object: 3 }

function typeOf({ type }: Json): string {
  // OpenAPI 3.1 allows lists of types.
  return textOf(Array.isArray(type) ? type.find((name) => name !== 'null') : type)
}

function rankOf(schema: Json): number {
  const type = typeOf(schema)
  const known = rankByType[type]
  if (known !== undefined) return known
  const { pattern, enum: values, format, minLength, maxLength } = schema
  const isLimited = [pattern, values, format, maxLength].some((limit) => limit !== undefined)
  return (type === 'string' || type === '') && (isLimited || Number(minLength) > 0) ? 2 : 0
}

/** Limits of numbers and lists do not count. */
function fitsOf(schema: Json): Fits {
  const { pattern, enum: values, minLength, maxLength, format } = schema
  const tests: Fits[] = [typeTests[typeOf(schema)], formatTests[textOf(format)]].filter((test) => test !== undefined)
  if (typeof pattern === 'string') {
    const compiled = compileRe2(pattern)
    tests.push((value) => compiled.problem === undefined && compiled.test(value))
  }
  if (Array.isArray(values)) {
    const texts = new Set(values.map((one) => (isJson(one) ? JSON.stringify(one) : String(one))))
    tests.push((value) => texts.has(value))
  }
  if (typeof minLength === 'number') tests.push((value) => utf8Bytes(value).length >= minLength)
  if (typeof maxLength === 'number') tests.push((value) => utf8Bytes(value).length <= maxLength)
  return (value) => tests.every((test) => test(value))
}

const typeTests: Readonly<Record<string, Fits>> = {
  integer: isInt64,
  number: isDecimal,
  boolean: (value) => 'value' in readText(value, ['boolean']),
}

const formatTests: Readonly<Record<string, Fits>> = {
  date: (value) => timeProblem(value, 'date') === undefined,
  'date-time': (value) => timeProblem(value, 'date-time') === undefined,
  email: (value) => value.includes('@'),
  uuid: (value) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value),
}

function isInt64(value: string): boolean {
  // The bound keeps `BigInt` from reading a long text.
  if (!/^[+-]?\d{1,1000}$/.test(value)) return false
  const number = BigInt(value.startsWith('+') ? value.slice(1) : value)
  return BigInt.asIntN(64, number) === number
}
