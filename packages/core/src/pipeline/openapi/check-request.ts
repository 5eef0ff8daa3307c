/**
 * Validates requests against an OpenAPI document: path, query, header and cookie parameters, and the body
 * (docs/reference/openapi-validation.md).
 */
import { acceptsEveryText, baseTypeOf, bodyKindOf } from '../../definition/openapi/media-types.ts'
import { type DocumentOperation, deref } from '../../definition/openapi/operations.ts'
import { valueFactsOf } from '../../definition/openapi/value-facts.ts'
import { type HeaderPairs, headersOf } from '../../http/headers.ts'
import { isJson, type Json, memberOf, textOf } from '../../lib/json.ts'
import { isPromise, type Maybe, when } from '../../lib/maybe.ts'
import type { ReadJson } from '../../lib/text/read-json.ts'
import { codingProblem, readUnambiguousJson } from '../../lib/text/unambiguous-json.ts'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'
import type { CheckValue, DocumentSchemas } from './openapi-schema.ts'
import { compileStyle, type ParameterSource, textsOf, type WrittenForms } from './parameter-style.ts'
import { compileFormReader, compileMultipartReader } from './read-form.ts'
import { readWritten, type Written } from './read-value.ts'

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
  return (source) => firstProblem(checks, (check) => check(source))
}

/** The first reason that `check` returns for an item. */
function firstProblem<T>(
  items: readonly T[],
  check: (item: T) => Maybe<string | undefined>,
): Maybe<string | undefined> {
  for (const [i, item] of items.entries()) {
    const found = check(item)
    if (isPromise(found)) return found.then((reason) => reason ?? firstProblem(items.slice(i + 1), check))
    if (found !== undefined) return found
  }
  return undefined
}

function compileOne(parameter: Json, schemas: DocumentSchemas): CheckParameters {
  const missing = parameter['required'] === true ? 'value is required but missing' : undefined
  if (isJson(parameter['content'])) return compileContent(parameter, parameter['content'], missing, schemas)
  const { document } = schemas
  // The operation keeps a reference that leads nowhere.
  if (typeof parameter['$ref'] === 'string') return () => brokenReference(parameter['$ref'])
  const { schema } = parameter
  const [checkValue, readForms] = [schemas.checkOf(schema), compileStyle(parameter, schema, document)]
  const isList = valueFactsOf(document, schema).types.includes('array')
  return (source) => {
    const forms = readForms(source)
    if (forms.length === 0) return missing
    if (schema === undefined) return undefined
    if (isEmpty(forms[0])) {
      if (parameter['allowEmptyValue'] === true) return undefined
      if (!isList) return 'empty value is not allowed'
    }
    return firstProblem(forms, (form) => checkForm(form, schema, document, checkValue))
  }
}

function isEmpty(form: WrittenForms | undefined): boolean {
  const written = form === undefined || 'problem' in form ? undefined : form[0]
  return written === '' || (Array.isArray(written) && written.length === 1 && written[0] === '')
}

/** Returns `undefined` if one of the forms is valid, otherwise what is wrong with the last one. */
function checkForm(
  form: WrittenForms,
  schema: unknown,
  document: Json,
  checkValue: CheckValue,
): Maybe<string | undefined> {
  if ('problem' in form) return form.problem
  const check = (written: Written) => {
    const read = readWritten(written, schema, document)
    return 'problem' in read ? read.problem : checkValue(read.value)
  }
  const [first, ...others] = form
  if (first === undefined) return 'value cannot be read'
  return others.reduce<Maybe<string | undefined>>(
    (found, written) => when(found, (reason) => (reason === undefined ? undefined : check(written))),
    check(first),
  )
}

/** Nobody knows what a reference to nowhere would check, so it accepts no request. */
function brokenReference(reference: unknown): string {
  return typeof reference === 'string' ? `the reference ${reference} leads nowhere` : 'the schema is no schema'
}

/** A parameter with `content` has one media type, which describes its text. */
function compileContent(
  parameter: Json,
  content: Json,
  missing: string | undefined,
  schemas: DocumentSchemas,
): CheckParameters {
  const [type = '', media] = Object.entries(content)[0] ?? []
  const schema = deref(schemas.document, media)?.['schema']
  const checkValue = schemas.checkOf(schema)
  const own = { name: textOf(parameter['name']), place: textOf(parameter['in']) }
  const kind = bodyKindOf(baseTypeOf(type), schema, schemas.document)
  return (source) => {
    const texts = textsOf(own, source)
    if (texts.length === 0) return missing
    return firstProblem(texts, (text) => {
      if (schema === undefined) return undefined
      if (kind === 'text') return checkValue(text)
      if (kind !== 'json') return unreadable(type)
      return checkJson(readUnambiguousJson([], utf8Bytes(text)), checkValue)
    })
  }
}

function unreadable(type: string): string {
  return `failed to decode: unsupported content type ${JSON.stringify(type)}`
}

function checkJson(read: ReadJson, checkValue: CheckValue): Maybe<string | undefined> {
  return read.problem === undefined ? checkValue(read.value) : `failed to decode: ${read.problem}`
}

/** Returns the reason why a body is invalid, for the client; `undefined` if it is valid. */
export type CheckBody = (body: Uint8Array, headers: HeaderPairs) => Maybe<string | undefined>

/** Returns `undefined` if the operation describes no body. */
export function compileBodyCheck(operation: Json, schemas: DocumentSchemas): CheckBody | undefined {
  const { document } = schemas
  const described = deref(document, operation['requestBody'])
  if (described === undefined) {
    const given = operation['requestBody']
    return given === undefined || given === null ? undefined : () => brokenReference(memberOf(given, '$ref'))
  }
  const isRequired = described['required'] === true
  const content = isJson(described['content']) ? described['content'] : {}
  const media = new Map<string, CheckBody | undefined>()
  for (const [type, one] of Object.entries(content)) {
    const check = compileMedia(deref(document, one), schemas)
    media.set(type, check)
    // Parameters such as a charset do not select a schema.
    if (!Object.hasOwn(content, baseTypeOf(type))) media.set(baseTypeOf(type), check)
  }
  const check: CheckBody = (body, headers) => {
    // Readers that see several lines could take different ones.
    const contentType = headersOf(headers, 'content-type').join(',')
    if (body.length === 0) return isRequired ? 'value is required but missing' : undefined
    if (media.size === 0) return undefined
    const type = baseTypeOf(contentType)
    const found =
      media.get(contentType) ?? media.get(type) ?? media.get(`${type.split('/', 1)[0]}/*`) ?? media.get('*/*')
    if (found === undefined) return `header Content-Type has unexpected value ${JSON.stringify(contentType)}`
    return found(body, headers)
  }
  return (body, headers) => prefixed('request body has an error', check(body, headers))
}

function compileMedia(media: Json | undefined, schemas: DocumentSchemas): CheckBody | undefined {
  if (media === undefined) return undefined
  const schema = media['schema']
  if (schema === undefined) return () => undefined
  const checkValue = schemas.checkOf(schema)
  const reference = isJson(schema) && typeof schema['$ref'] === 'string' ? ` ${schema['$ref']}` : ''
  const what = `doesn't match schema${reference}`
  const check = (value: unknown) => prefixed(what, checkValue(value))
  const form = compileFormReader(media, schemas.document)
  const multipart = compileMultipartReader(media, schemas.document)
  const read = (found: ReadJson) =>
    found.problem === undefined ? check(found.value) : `${undecodable}: ${found.problem}`
  return (body, headers) => {
    const contentType = headersOf(headers, 'content-type').join(',')
    const type = baseTypeOf(contentType)
    const kind = bodyKindOf(type, schema, schemas.document)
    if (kind === 'json') return read(readUnambiguousJson(headers, body))
    const isRead = kind !== undefined && !(kind === 'text' && acceptsEveryText(schema, schemas.document))
    const coding = isRead ? codingProblem(headers) : undefined
    if (coding !== undefined) return `${undecodable}: ${coding}`
    switch (kind) {
      case 'form':
        return read(form(body, contentType))
      case 'multipart':
        return read(multipart(body, contentType))
      case 'text':
        return check(utf8Text(body))
      default:
        return `${undecodable}: unsupported content type ${JSON.stringify(type)}`
    }
  }
}

const undecodable = 'failed to decode request body'

/** The reason why something is invalid, after what it is about. */
function prefixed(what: string, found: Maybe<string | undefined>): Maybe<string | undefined> {
  return when(found, (reason) => (reason === undefined ? undefined : `${what}: ${reason}`))
}
