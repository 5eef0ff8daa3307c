/** Reads forms as objects, whose members have the types of a schema. */

import { isJsonType } from '../../definition/openapi/media-types.ts'
import { deref } from '../../definition/openapi/operations.ts'
import { type ValueFacts, valueFactsOf } from '../../definition/openapi/value-facts.ts'
import { type FormFields, formFields } from '../../lib/form.ts'
import { type Json, memberOf, objectOf, textOf, textsOf } from '../../lib/json.ts'
import { type FormPart, parseMultipart } from '../../lib/multipart.ts'
import { readUnambiguousJson } from '../../lib/text/unambiguous-json.ts'
import { utf8Text } from '../../lib/text/utf8.ts'
import { compileStyle } from './parameter-style.ts'
import { type ReadText, readText, readWritten } from './read-value.ts'

export type ReadForm = { readonly value: Json; readonly problem?: undefined } | { readonly problem: string }
/** Reads a form. `contentType` is the whole header. */
export type FormReader = (body: Uint8Array, contentType: string) => ReadForm

/** Compiles the reader of `application/x-www-form-urlencoded`. `media` is the media type object of the document. */
export function compileFormReader(media: Json, document: Json): FormReader {
  const { schema } = media
  const { properties } = valueFactsOf(document, schema)
  const isRequired = requiredIn(document, schema)
  const readers = [...properties].map(([name, property]) => ({
    name,
    property,
    forms: compileStyle({ ...styleOf(media, name), name, in: 'query' }, property, document),
  }))
  return (body) => {
    const fields = formFields(utf8Text(body))
    const entries = new Map<string, unknown>()
    for (const { name, property, forms } of readers) {
      const reads = forms(sourceOf(fields)).map((form) => firstReadable(form, property, document))
      const wrong = reads.find((read) => 'problem' in read)
      const values = reads.flatMap((read) => ('value' in read ? [read.value] : []))
      // As in the original gateway, a required field that does not have its type counts as missing.
      if (wrong !== undefined && !isRequired(name)) return { problem: `field ${name}: ${wrong.problem}` }
      if (wrong === undefined && values.length > 0) entries.set(name, values.length === 1 ? values[0] : values)
    }
    for (const [name, texts] of fields) {
      const isRead = properties.has(name) || readers.some((reader) => name.startsWith(`${reader.name}[`))
      if (!isRead) entries.set(name, texts.length === 1 ? texts[0] : texts)
    }
    return { value: Object.fromEntries(entries) }
  }
}

function requiredIn(document: Json, schema: unknown): (name: string) => boolean {
  const names = new Set(textsOf(deref(document, schema)?.['required']))
  return (name) => names.has(name)
}

function styleOf(media: Json, name: string): Json {
  const { style, explode } = objectOf(memberOf(media, 'encoding', name))
  return { ...(style === undefined ? {} : { style }), ...(explode === undefined ? {} : { explode }) }
}

function sourceOf(fields: FormFields) {
  const none = () => undefined
  return {
    path: none,
    header: none,
    cookie: none,
    query: (name: string) => fields.get(name) ?? [],
    fields: () => fields,
  }
}

function firstReadable(
  form: ReturnType<ReturnType<typeof compileStyle>>[number],
  schema: unknown,
  document: Json,
): ReadText {
  if ('problem' in form) return form
  const reads = form.map((written) => readWritten(written, schema, document))
  return reads.find((read) => 'value' in read) ?? reads[0] ?? { problem: 'value is missing' }
}

/** Compiles the reader of `multipart/form-data`. `media` is the media type object of the document. */
export function compileMultipartReader(media: Json, document: Json): FormReader {
  const { properties, others } = valueFactsOf(document, media['schema'])
  return (body, contentType) => {
    const parsed = parseMultipart(body, contentType)
    if (parsed.problem !== undefined) return parsed
    const entries = new Map<string, unknown[]>()
    for (const part of parsed.parts) {
      const schema = properties.get(part.name) ?? others
      const facts = valueFactsOf(document, schema)
      const own = facts.types.includes('array') ? facts.items : schema
      const type = textOf(memberOf(media, 'encoding', part.name, 'contentType'))
      const read = readPart(part, valueFactsOf(document, own), type)
      if ('problem' in read) return { problem: `part ${part.name}: ${read.problem}` }
      entries.set(part.name, [...(entries.get(part.name) ?? []), read.value])
    }
    const isList = (name: string) => valueFactsOf(document, properties.get(name) ?? others).types.includes('array')
    const members = [...entries].map(([name, values]) => [name, isList(name) || values.length > 1 ? values : values[0]])
    return { value: Object.fromEntries(members) as Json }
  }
}

/** Objects are JSON unless the document says otherwise (OpenAPI 3.0.4, 4.7.15.1.1). */
function readPart({ type, headers, body }: FormPart, { types }: ValueFacts, documented: string): ReadText {
  const isComplex = types.length > 0 && types.every((one) => one === 'object' || one === 'array')
  if (!isJsonType(type ?? '') && !isComplex && !isJsonType(documented)) {
    const text = utf8Text(body)
    const read = readText(text, types)
    // The schema reports the wrong type, with the place of the member.
    return 'problem' in read ? { value: text } : read
  }
  const read = readUnambiguousJson(headers, body)
  return read.problem === undefined ? { value: read.value } : { problem: read.problem }
}
