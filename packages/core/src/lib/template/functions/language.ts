/** Functions that belong to the template language: sizes, members, printing, escaping. */

import { encodeField } from '../../form.ts'
import { escapeHtml } from '../../text/escape-markup.ts'
import { utf8Bytes, utf8Text } from '../../text/utf8.ts'
import type { Budget } from '../budget.ts'
import { type FunctionTable, fixed, indexOf, textOf, variadic } from '../function-table.ts'
import { formatValue } from '../print.ts'
import { sprintf } from '../sprintf.ts'
import { TemplateError } from '../template-problem.ts'
import { entriesOf, isMapping, isNil, memberOf, typeName } from '../value.ts'

function len(value: unknown, budget: Budget): bigint {
  if (typeof value === 'string') return BigInt(byteLength(value))
  if (Array.isArray(value)) return BigInt(value.length)
  if (value instanceof Map) return BigInt(value.size)
  if (isMapping(value)) {
    const { length } = entriesOf(value)
    budget.spend(length)
    return BigInt(length)
  }
  throw new TemplateError(`len of type ${typeName(value)}`)
}

/** Go counts the length of a text in bytes. */
function byteLength(text: string): number {
  let length = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 0xd800 && unit < 0xdc00 && i + 1 < text.length) {
      length += 4
      i++
    } else length += unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3
  }
  return length
}

/** `index x 1 2` is x[1][2]. A missing map key gives nil; a list index out of range is an error. */
function index([value, ...keys]: readonly unknown[]): unknown {
  let at = value
  for (const key of keys) {
    if (isNil(at)) throw new TemplateError('index of untyped nil')
    if (isMapping(at)) {
      if (typeof key !== 'string') throw new TemplateError(`value has type ${typeName(key)}; should be string`)
      at = memberOf(at, key)
    } else {
      const list: ArrayLike<unknown> = typeof at === 'string' ? utf8Bytes(at) : listOrThrow(at)
      const place = indexOf(key, 'index slice/array')
      if (place < 0 || place >= list.length) throw new TemplateError(`index out of range: ${place}`)
      at = typeof at === 'string' ? BigInt(list[place] as number) : list[place]
    }
  }
  return at
}

function listOrThrow(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw new TemplateError(`can't index item of type ${typeName(value)}`)
}

/** `slice x 1 2` is x[1:2]; texts are sliced by bytes. */
export function slice([value, ...bounds]: readonly unknown[]): unknown {
  const isText = typeof value === 'string'
  const list = isText ? utf8Bytes(value) : listOrThrow(value)
  const [from = 0, to = list.length, most = list.length] = bounds.map((bound) => indexOf(bound, 'index slice/array'))
  if (from < 0 || to > list.length || from > to || most < to)
    throw new TemplateError(`slice out of range: ${from}:${to}`)
  return isText ? utf8Text((list as Uint8Array).subarray(from, to)) : list.slice(from, to)
}

/** Joins values, with a space between two values if neither is a text. */
function print(values: readonly unknown[], budget: Budget): string {
  let out = ''
  for (const [i, value] of values.entries()) {
    if (i > 0 && typeof value !== 'string' && typeof values[i - 1] !== 'string') out += ' '
    out += formatValue(value, budget)
  }
  return out
}

/** The escapers of Go templates: the same characters and the same character references. */
const scriptEscapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '"': '\\"',
  '<': '\\u003C',
  '>': '\\u003E',
  '&': '\\u0026',
  '=': '\\u003D',
}

function escapeScript(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression must find control characters
  return text.replace(/[\\'"<>&=\x00-\x1f\x7f\u2028\u2029]/g, (char) => {
    return scriptEscapes[char] ?? `\\u${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
  })
}

/** The escapers format their arguments as `print` does. */
const escaper = (run: (text: string) => string) =>
  variadic(1, (values, budget) => {
    const text = values.length === 1 ? textOrNoValue(values[0], budget) : print(values, budget)
    budget.spend(text.length * 6)
    return run(text)
  })

const textOrNoValue = (value: unknown, budget: Budget) => (isNil(value) ? '<no value>' : textOf(value, budget))

export const languageFunctions: FunctionTable = {
  // Bodies contain no functions that a template could call.
  call: variadic(1, ([value]) => {
    throw new TemplateError(`non-function of type ${typeName(value)}`)
  }),
  len: fixed(1, ([value], budget) => len(value, budget)),
  index: variadic(1, index),
  slice: variadic(1, slice, 4),
  print: variadic(0, print),
  println: variadic(0, (values, budget) => `${values.map((value) => formatValue(value, budget)).join(' ')}\n`),
  printf: variadic(1, ([format, ...values], budget) => sprintf(textOf(format, budget), values, budget)),
  html: escaper((text) => escapeHtml(text).replaceAll('\0', '\ufffd')),
  js: escaper(escapeScript),
  urlquery: escaper((text) => encodeField(text)),
}
