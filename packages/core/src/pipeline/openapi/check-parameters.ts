/** Path, query, header and cookie parameters of a request against a document. Source: spec/oas-and-mcp.md 1.5. */

import { type DocumentOperation, deref } from '../../definition/openapi/operations.ts'
import { isJson, type Json, textOf } from '../../lib/json.ts'
import { checkValue, printProblem } from './check-value.ts'

/** Where the values of a request are read. */
export interface ParameterSource {
  path(name: string): string | undefined
  query(name: string): readonly string[]
  header(name: string): string | undefined
  cookie(name: string): string | undefined
}

/** The first parameter that is wrong, as clients are told; `undefined`: all fit. */
export function checkParameters(
  { parameters }: DocumentOperation,
  source: ParameterSource,
  document: Json,
): string | undefined {
  for (const parameter of parameters) {
    const reason = parameterProblem(parameter, source, document)
    const [name, place] = [textOf(parameter['name']), textOf(parameter['in'])]
    if (reason !== undefined) return `parameter ${JSON.stringify(name)} in ${place} has an error: ${reason}`
  }
  return undefined
}

function parameterProblem(parameter: Json, source: ParameterSource, document: Json): string | undefined {
  const texts = textsFor(parameter, source)
  if (texts.length === 0) return parameter['required'] === true ? 'value is required but missing' : undefined
  const schema = deref(document, parameter['schema'])
  if (schema === undefined) return undefined
  if (texts[0] === '' && parameter['allowEmptyValue'] === true) return undefined
  if (texts[0] === '' && schema['type'] !== 'array') return 'empty value is not allowed'
  const read =
    schema['type'] === 'array' ? readList(texts, schema, parameter, document) : readScalar(texts[0] ?? '', schema)
  if ('problem' in read) return read.problem
  const problem = checkValue(read.value, schema, document)
  return problem === undefined ? undefined : printProblem(problem)
}

function textsFor(parameter: Json, source: ParameterSource): readonly string[] {
  const name = textOf(parameter['name'])
  const one = (text: string | undefined) => (text === undefined ? [] : [text])
  switch (parameter['in']) {
    case 'path':
      return one(source.path(name))
    case 'query':
      return source.query(name)
    case 'header':
      return one(source.header(name.toLowerCase()))
    default:
      return one(source.cookie(name))
  }
}

type ReadText = { readonly value: unknown } | { readonly problem: string }

/** Lists are repeated parameters, or one text with commas (`explode: false`, and everywhere but in queries). */
function readList(texts: readonly string[], schema: Json, parameter: Json, document: Json): ReadText {
  const repeats = parameter['in'] === 'query' && parameter['explode'] !== false
  const parts = repeats ? texts : (texts[0] ?? '').split(',')
  const items = deref(document, schema['items']) ?? {}
  const values: unknown[] = []
  for (const part of parts) {
    const read = readScalar(part, items)
    if ('problem' in read) return read
    values.push(read.value)
  }
  return { value: values }
}

function readScalar(text: string, schema: Json): ReadText {
  switch (schema['type']) {
    case 'integer':
      return /^[+-]?\d+$/.test(text) ? { value: Number(text) } : invalid(text, 'an invalid integer')
    case 'number':
      return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)
        ? { value: Number(text) }
        : invalid(text, 'an invalid number')
    case 'boolean':
      return text === 'true' || text === 'false' ? { value: text === 'true' } : invalid(text, 'an invalid boolean')
    case 'object':
      return readObject(text)
    default:
      return { value: text }
  }
}

function invalid(text: string, what: string): ReadText {
  return { problem: `value ${text}: ${what}: invalid syntax` }
}

/** Objects as JSON; other styles of writing them are not checked further. */
function readObject(text: string): ReadText {
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? { value } : invalid(text, 'an invalid object')
  } catch {
    return invalid(text, 'an invalid object')
  }
}
