/** Reads texts of parameters, path segments and form fields with the type that their schema gives. */

import { deref } from '../../definition/openapi/operations.ts'
import { formFields } from '../../lib/form.ts'
import { isJson, type Json, parseJsonObject } from '../../lib/json.ts'
import { decodePercent } from '../../lib/text/percent.ts'

export type ReadText = { readonly value: unknown } | { readonly problem: string }

const booleans = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
])

export function readValue(text: string, schema: Json): ReadText {
  switch (schema['type']) {
    case 'integer':
      return /^[+-]?\d+$/.test(text) ? { value: Number(text) } : invalid(text, 'an invalid integer')
    case 'number':
      return isDecimal(text) ? { value: Number(text) } : invalid(text, 'an invalid number')
    case 'boolean':
      return booleans.has(text) ? { value: booleans.get(text) } : invalid(text, 'an invalid boolean')
    case 'object':
      return readObject(text)
    default:
      return { value: text }
  }
}

/** Whether a text is a decimal number, with a point or an exponent too. */
export function isDecimal(text: string): boolean {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)
}

function invalid(text: string, what: string): ReadText {
  return { problem: `value ${text}: ${what}: invalid syntax` }
}

/** Objects are read as JSON; their other notations are not supported. */
function readObject(text: string): ReadText {
  const value = parseJsonObject(text)
  return value === undefined ? invalid(text, 'an invalid object') : { value }
}

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

/**
 * Returns a function that reads the value of a parameter: the segment of a path that is at the place of the parameter
 * in the template, counted from the start. Text around the parameter in its segment does not belong to the value.
 */
export function pathValueReader(template: string, name: string): (path: string) => string | undefined {
  const segments = template.split('/')
  const index = segments.findIndex((segment) => segment.includes(`{${name}}`))
  const [before = '', after = ''] = (segments[index] ?? '').split(`{${name}}`)
  return (path) => {
    const given = index === -1 ? undefined : path.split('/')[index]
    if (given === undefined || given === '') return undefined
    const value = decodePercent(given)
    const isAround = value.length > before.length + after.length && value.startsWith(before) && value.endsWith(after)
    return isAround ? value.slice(before.length, value.length - after.length) : value
  }
}
