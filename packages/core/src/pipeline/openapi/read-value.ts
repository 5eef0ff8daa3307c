/** Reads texts of parameters, path segments and form fields with the types that their schema gives. */

import { type ValueFacts, valueFactsOf } from '../../definition/openapi/value-facts.ts'
import { isJson, type Json } from '../../lib/json.ts'
import { readUnambiguousJson } from '../../lib/text/unambiguous-json.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'

export type ReadText = { readonly value: unknown } | { readonly problem: string }

/** A value as it is written, before its types are known. */
export type Written = string | readonly Written[] | WrittenMembers
export type WrittenMembers = ReadonlyMap<string, Written>

const booleans = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
])

const readers: Readonly<Record<string, (text: string) => ReadText>> = {
  integer: (text) => (/^[+-]?\d+$/.test(text) ? { value: Number(text) } : invalid(text, 'an invalid integer')),
  number: (text) => (isDecimal(text) ? { value: Number(text) } : invalid(text, 'an invalid number')),
  boolean: (text) => (booleans.has(text) ? { value: booleans.get(text) } : invalid(text, 'an invalid boolean')),
  // Besides the notations of `style`, an object may be JSON.
  object: readObject,
}

/** Reads a text as one of the types: the first that can be read, a string last. */
export function readText(text: string, types: readonly string[]): ReadText {
  const isString = types.length === 0 || types.includes('string')
  let problem: ReadText | undefined
  for (const type of types) {
    const read = readers[type]?.(text)
    if (read === undefined) continue
    if ('value' in read) return read
    problem ??= read
  }
  return isString ? { value: text } : (problem ?? { value: text })
}

/** Whether a text is a decimal number, with a point or an exponent too. */
export function isDecimal(text: string): boolean {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)
}

function invalid(text: string, what: string): ReadText {
  return { problem: `value ${text}: ${what}: invalid syntax` }
}

function readObject(text: string): ReadText {
  const read = readUnambiguousJson([], utf8Bytes(text))
  return read.problem === undefined && isJson(read.value) ? { value: read.value } : invalid(text, 'an invalid object')
}

/** Reads a written value with the types of its schema. A problem names the item or member: `path 1: value x: …`. */
export function readWritten(written: Written, schema: unknown, document: Json): ReadText {
  const facts = valueFactsOf(document, schema)
  if (typeof written !== 'string') return readParts(written, facts, document)
  // A list with one item looks like a single value.
  const isItem = facts.types.includes('array') && !facts.types.includes('string')
  return isItem ? readParts([written], facts, document) : readText(written, facts.types)
}

function readParts(
  written: Exclude<Written, string>,
  { properties, others, items }: ValueFacts,
  document: Json,
): ReadText {
  const isList = !(written instanceof Map)
  const entries: Iterable<readonly [string | number, Written]> = written.entries()
  const values: (readonly [string, unknown])[] = []
  for (const [name, part] of entries) {
    const schema = isList ? items : (properties.get(String(name)) ?? others)
    const read = readWritten(part, schema, document)
    if ('problem' in read) return { problem: `path ${name}: ${read.problem}` }
    values.push([String(name), read.value])
  }
  return { value: isList ? values.map(([, value]) => value) : Object.fromEntries(values) }
}
