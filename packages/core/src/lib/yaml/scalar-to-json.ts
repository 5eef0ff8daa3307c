/** JSON of a YAML scalar, by the core schema of YAML 1.2 (section 10.3.2). */
import { getScalarValue, type ScalarEvent } from 'js-yaml'

const plain = 1
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/
const integer = /^[-+]?\d+$/
const based = /^0(?:o[0-7]+|x[0-9a-fA-F]+)$/
const float = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/

/** Texts of the core schema that are neither texts nor numbers. */
const words: ReadonlyMap<string, string> = new Map([
  ['', 'null'],
  ...['~', 'null', 'Null', 'NULL'].map((word) => [word, 'null'] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, 'true'] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, 'false'] as const),
])

/** Returns the JSON text. JSON has no infinity, so `.inf` and `.nan` stay texts. */
export function scalarToJson(source: string, event: ScalarEvent, isText: boolean): string {
  const value = getScalarValue(source, event)
  const tag = event.tagStart < 0 ? '' : source.slice(event.tagStart, event.tagEnd)
  if (event.style !== plain || isText || tag === '!!str' || tag === '!') return JSON.stringify(value)
  return words.get(value) ?? numberToJson(value) ?? JSON.stringify(value)
}

function numberToJson(value: string): string | undefined {
  const first = value.charCodeAt(0)
  // Digits, a sign or a point begin a number.
  if (!((first >= 0x30 && first <= 0x39) || first === 0x2d || first === 0x2b || first === 0x2e)) return undefined
  if (jsonNumber.test(value)) return value
  if (integer.test(value) || based.test(value) || float.test(value)) return String(Number(value))
  return undefined
}
