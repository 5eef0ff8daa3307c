/** Converts texts of parameters and form fields to the type that their schema gives. */
import { type Json, parseJsonObject } from '../../lib/json.ts'

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
