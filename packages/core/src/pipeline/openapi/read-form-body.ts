/** Reads bodies of type `application/x-www-form-urlencoded` as objects, with the types that the schema gives. */
import { deref } from '../../definition/openapi/operations.ts'
import { formFields } from '../../lib/form.ts'
import { isJson, type Json } from '../../lib/json.ts'
import { readValue } from './read-value.ts'

/** A field whose value does not have its type is omitted, so it counts as missing. */
export function readFormBody(text: string, schema: unknown, document: Json): Json {
  const properties = deref(document, schema)?.['properties']
  const entries: (readonly [string, unknown])[] = []
  for (const [name, texts] of formFields(text)) {
    const property = (isJson(properties) ? deref(document, properties[name]) : undefined) ?? {}
    const isList = property['type'] === 'array'
    const type = isList ? (deref(document, property['items']) ?? {}) : property
    const reads = (isList ? texts : texts.slice(0, 1)).map((one) => readValue(one, type))
    const values = reads.flatMap((read) => ('problem' in read ? [] : [read.value]))
    if (values.length === reads.length) entries.push([name, isList ? values : values[0]])
  }
  return Object.fromEntries(entries)
}
