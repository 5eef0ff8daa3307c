/**
 * Validates requests against an OpenAPI document: path, query, header and cookie parameters, and the body
 * (docs/reference/openapi-validation.md).
 */
import { type DocumentOperation, deref } from '../../definition/openapi/operations.ts'
import { formType } from '../../lib/form.ts'
import { isJson, type Json, textOf } from '../../lib/json.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import { readJson } from '../../lib/text/read-json.ts'
import { utf8Text } from '../../lib/text/utf8.ts'
import type { DocumentSchemas } from './openapi-schema.ts'
import { type ReadText, readFormBody, readValue } from './read-value.ts'

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
    const what = `parameter ${name} in ${place} has an error`
    return (source: ParameterSource) => prefixed(what, check(source))
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

/** Returns the reason why a body is invalid, for the client; `undefined` if it is valid. */
export type CheckBody = (body: Uint8Array, contentType: string) => Maybe<string | undefined>

/** Returns `undefined` if the operation describes no body. */
export function compileBodyCheck(operation: Json, schemas: DocumentSchemas): CheckBody | undefined {
  const { document } = schemas
  const described = deref(document, operation['requestBody'])
  if (described === undefined) return undefined
  const isRequired = described['required'] === true
  const content = isJson(described['content']) ? described['content'] : {}
  const media = new Map(
    Object.entries(content).map(([type, one]) => [type, compileMedia(deref(document, one), schemas)]),
  )
  const check: CheckBody = (body, contentType) => {
    if (body.length === 0) return isRequired ? 'value is required but missing' : undefined
    if (media.size === 0) return undefined
    const type = (contentType.split(';', 1)[0] as string).trim().toLowerCase()
    const found =
      media.get(contentType) ?? media.get(type) ?? media.get(`${type.split('/', 1)[0]}/*`) ?? media.get('*/*')
    if (found === undefined) return `header Content-Type has unexpected value ${JSON.stringify(contentType)}`
    return found(body, type)
  }
  return (body, contentType) => prefixed('request body has an error', check(body, contentType))
}

function compileMedia(media: Json | undefined, schemas: DocumentSchemas): CheckBody | undefined {
  if (media === undefined) return undefined
  const schema = media['schema']
  if (schema === undefined) return () => undefined
  const checkValue = schemas.checkOf(schema)
  const reference = isJson(schema) && typeof schema['$ref'] === 'string' ? ` ${schema['$ref']}` : ''
  const what = `doesn't match schema${reference}`
  const check = (value: unknown) => prefixed(what, checkValue(value))
  return (body, type) => {
    if (/^application\/(?:.+\+)?json$/.test(type)) {
      const read = readJson(body)
      return read.problem === undefined ? check(read.value) : `failed to decode request body: ${read.problem}`
    }
    if (type === formType) return check(readFormBody(utf8Text(body), schema, schemas.document))
    return type === 'text/plain' ? check(utf8Text(body)) : undefined
  }
}

/** The reason why something is invalid, after what it is about. */
function prefixed(what: string, found: Maybe<string | undefined>): Maybe<string | undefined> {
  return when(found, (reason) => (reason === undefined ? undefined : `${what}: ${reason}`))
}
