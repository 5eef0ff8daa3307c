/**
 * Constants in Go syntax: numbers in four bases, quoted and raw texts, characters. The whole interpreter represents
 * integers as `bigint` and floats as `number`, since Go prints and computes with them differently.
 */
import { TemplateError } from './template-problem.ts'

export interface Constant {
  readonly value: string | number | bigint
  /** Index after the constant. */
  readonly end: number
}

/** Reads the constant at `at`; `undefined` if there is no constant. */
export function scanConstant(source: string, at: number): Constant | undefined {
  const char = source[at]
  if (char === '"') return scanQuoted(source, at)
  if (char === '`') return scanRaw(source, at)
  if (char === "'") return scanCharacter(source, at)
  return scanNumber(source, at)
}

const numberAt =
  /[+-]?(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9]+)?)/y

function scanNumber(source: string, at: number): Constant | undefined {
  numberAt.lastIndex = at
  const text = numberAt.exec(source)?.[0]
  if (text === undefined) return undefined
  const end = at + text.length
  if (/[\p{L}\p{Nd}_]/u.test(source[end] ?? '')) throw new TemplateError(`bad number syntax near ${text}`, at)
  return { value: parseNumber(text.replaceAll('_', ''), at), end }
}

function parseNumber(text: string, at: number): number | bigint {
  const negative = text.startsWith('-')
  const digits = text.replace(/^[+-]/, '')
  if (/^0[xXbBoO]/.test(digits) || /^[0-9]+$/.test(digits)) {
    // A leading zero means octal in Go.
    const octal = /^0[0-9]+$/.test(digits)
    if (octal && /[89]/.test(digits)) throw new TemplateError(`illegal number syntax: ${text}`, at)
    const value = BigInt(octal ? `0o${digits.slice(1)}` : digits.toLowerCase())
    const signed = negative ? -value : value
    if (BigInt.asIntN(64, signed) !== signed) throw new TemplateError(`integer overflow: ${text}`, at)
    return signed
  }
  const value = Number(digits)
  return negative ? -value : value
}

const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
}
const codeEscape = /(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{3})/y

/** Decodes the escape after a backslash. */
function scanEscape(source: string, at: number): { text: string; end: number } {
  const simple = simpleEscapes[source[at] ?? '']
  if (simple !== undefined) return { text: simple, end: at + 1 }
  codeEscape.lastIndex = at
  const code = codeEscape.exec(source)?.[0]
  if (code === undefined) throw new TemplateError('invalid escape in a quoted text', at)
  const point = /^[0-7]/.test(code) ? Number.parseInt(code, 8) : Number.parseInt(code.slice(1), 16)
  if (point > 0x10ffff) throw new TemplateError('invalid escape in a quoted text', at)
  return { text: String.fromCodePoint(point), end: at + code.length }
}

function scanQuoted(source: string, at: number): Constant {
  let value = ''
  let i = at + 1
  for (;;) {
    const char = source[i]
    if (char === undefined || char === '\n') throw new TemplateError('unterminated quoted string', at)
    if (char === '"') return { value, end: i + 1 }
    if (char === '\\') {
      const escaped = scanEscape(source, i + 1)
      value += escaped.text
      i = escaped.end
    } else {
      value += char
      i++
    }
  }
}

function scanRaw(source: string, at: number): Constant {
  const end = source.indexOf('`', at + 1)
  if (end === -1) throw new TemplateError('unterminated raw quoted string', at)
  return { value: source.slice(at + 1, end), end: end + 1 }
}

/** The value of a character constant is its code point. */
function scanCharacter(source: string, at: number): Constant {
  const escaped =
    source[at + 1] === '\\'
      ? scanEscape(source, at + 2)
      : { text: String.fromCodePoint(source.codePointAt(at + 1) ?? 0), end: 0 }
  const end = escaped.end === 0 ? at + 1 + escaped.text.length : escaped.end
  if (source[end] !== "'" || escaped.text === "'" || escaped.text === '\n') {
    throw new TemplateError('malformed character constant', at)
  }
  return { value: BigInt(escaped.text.codePointAt(0) ?? 0), end: end + 1 }
}
