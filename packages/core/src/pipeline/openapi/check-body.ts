/** Validates the body of a request against an OpenAPI document (docs/reference/openapi-validation.md). */

import { deref } from '../../definition/openapi/operations.ts'
import { formType } from '../../lib/form.ts'
import { isJson, type Json } from '../../lib/json.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import { readJson } from '../../lib/text/read-json.ts'
import { utf8Text } from '../../lib/text/utf8.ts'
import type { CheckValue, DocumentSchemas } from './openapi-schema.ts'
import { readFormBody } from './read-form-body.ts'

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
  return (body, contentType) =>
    when(check(body, contentType), (reason) =>
      reason === undefined ? undefined : `request body has an error: ${reason}`,
    )
}

function compileMedia(media: Json | undefined, schemas: DocumentSchemas): CheckBody | undefined {
  if (media === undefined) return undefined
  const schema = media['schema']
  if (schema === undefined) return () => undefined
  const checkValue = schemas.checkOf(schema)
  const reference = isJson(schema) && typeof schema['$ref'] === 'string' ? ` ${schema['$ref']}` : ''
  const check = (value: unknown): ReturnType<CheckValue> =>
    when(checkValue(value), (reason) =>
      reason === undefined ? undefined : `doesn't match schema${reference}: ${reason}`,
    )
  return (body, type) => {
    if (/^application\/(?:.+\+)?json$/.test(type)) {
      const read = readJson(body)
      return read.problem === undefined ? check(read.value) : `failed to decode request body: ${read.problem}`
    }
    if (type === formType) return check(readFormBody(utf8Text(body), schema, schemas.document))
    return type === 'text/plain' ? check(utf8Text(body)) : undefined
  }
}
