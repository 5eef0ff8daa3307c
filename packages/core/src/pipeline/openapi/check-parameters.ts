/**
 * Validates path, query, header and cookie parameters against an OpenAPI document
 * (docs/reference/openapi-validation.md).
 */

import { type DocumentOperation, deref } from '../../definition/openapi/operations.ts'
import { type Json, textOf } from '../../lib/json.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import type { DocumentSchemas } from './openapi-schema.ts'
import { type ReadText, readValue } from './read-value.ts'

/** Reads the values of a request. */
export interface ParameterSource {
  path(name: string): string | undefined
  query(name: string): readonly string[]
  header(name: string): string | undefined
  cookie(name: string): string | undefined
}

/** Returns the reason why the parameters are invalid, for the client; `undefined` if they are valid. */
export type CheckParameters = (source: ParameterSource) => Maybe<string | undefined>

/** The check reports the first invalid parameter. */
export function compileParameterCheck({ parameters }: DocumentOperation, schemas: DocumentSchemas): CheckParameters {
  const checks = parameters.map((parameter) => {
    const check = compileOne(parameter, schemas)
    const [name, place] = [JSON.stringify(textOf(parameter['name'])), textOf(parameter['in'])]
    return (source: ParameterSource) =>
      when(check(source), (reason) =>
        reason === undefined ? undefined : `parameter ${name} in ${place} has an error: ${reason}`,
      )
  })
  const checkFrom = (index: number, source: ParameterSource): Maybe<string | undefined> => {
    const check = checks[index]
    if (check === undefined) return undefined
    return when(check(source), (reason) => reason ?? checkFrom(index + 1, source))
  }
  return (source) => checkFrom(0, source)
}

function compileOne(parameter: Json, schemas: DocumentSchemas): CheckParameters {
  const { document } = schemas
  const schema = deref(document, parameter['schema'])
  const checkValue = schemas.checkOf(schema)
  return (source) => {
    const texts = textsFor(parameter, source)
    if (texts.length === 0) return parameter['required'] === true ? 'value is required but missing' : undefined
    if (schema === undefined) return undefined
    if (texts[0] === '' && parameter['allowEmptyValue'] === true) return undefined
    if (texts[0] === '' && schema['type'] !== 'array') return 'empty value is not allowed'
    const read =
      schema['type'] === 'array' ? readList(texts, schema, parameter, document) : readValue(texts[0] ?? '', schema)
    return 'problem' in read ? read.problem : checkValue(read.value)
  }
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

/** Lists are repeated parameters, or one text with commas (`explode: false`, and everywhere but in queries). */
function readList(texts: readonly string[], schema: Json, parameter: Json, document: Json): ReadText {
  const repeats = parameter['in'] === 'query' && parameter['explode'] !== false
  const parts = repeats ? texts : (texts[0] ?? '').split(',')
  const items = deref(document, schema['items']) ?? {}
  const values: unknown[] = []
  for (const [index, part] of parts.entries()) {
    const read = readValue(part, items)
    if ('problem' in read) return { problem: `path ${index}: ${read.problem}` }
    values.push(read.value)
  }
  return { value: values }
}
