/**
 * The media types that request validation reads (docs/reference/openapi-validation.md#body-types). A body of another type
 * is valid only if its schema is a string or says nothing.
 */
import { formType } from '../../lib/form.ts'
import { isJson, type Json, textOf } from '../../lib/json.ts'
import { multipartType } from '../../lib/multipart.ts'
import { deref } from './operations.ts'
import { valueFactsOf } from './value-facts.ts'

export type BodyKind = 'json' | 'form' | 'multipart' | 'text'

export function isJsonType(type: string): boolean {
  return /^application\/(?:.+\+)?json$/.test(type)
}

/** A media type or range in lower case, without parameters. */
export function baseTypeOf(contentType: string): string {
  return (contentType.split(';', 1)[0] as string).trim().toLowerCase()
}

/** How a body of this type is read with this schema; `undefined`: it cannot be read, so it is rejected. */
export function bodyKindOf(type: string, schema: unknown, document: Json): BodyKind | undefined {
  if (isJsonType(type)) return 'json'
  if (type === formType) return 'form'
  if (type === multipartType) return 'multipart'
  return type === 'text/plain' || acceptsText(schema, document) ? 'text' : undefined
}

/** Whether every body is a value of the schema, or a text that it limits. */
function acceptsText(schema: unknown, document: Json): boolean {
  if (schema === true) return true
  const found = deref(document, schema)
  const { types } = valueFactsOf(document, schema)
  if (types.length > 0) return types.includes('string')
  return isJson(found) && Object.keys(found).every(isNote)
}

const notes = ['description', 'title', 'format', 'example', 'examples', 'contentMediaType', 'contentEncoding']

function isNote(keyword: string): boolean {
  return notes.includes(keyword) || keyword.startsWith('x-')
}

/** Whether the schema limits no text, so that a check reads nothing of it. */
export function acceptsEveryText(schema: unknown, document: Json): boolean {
  const found = schema === true ? {} : deref(document, schema)
  if (found === undefined || textOf(found['format']).startsWith('date')) return false
  return Object.keys(found).every((keyword) => isNote(keyword) || keyword === 'type')
}
