/**
 * JSON that passes through the gateway: numbers keep the text that the sender wrote (`9007199254740993`, `1.0`, `1e400`),
 * which `JSON.parse` would round or rewrite. Text without such numbers is parsed and written by the runtime.
 */

/** A number whose text a JavaScript number does not keep. */
export class JsonNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  get value(): number {
    return Number(this.text)
  }

  /** Called by `JSON.stringify`, which cannot write the text; `stringifyExactly` notices it and writes the value itself. */
  toJSON(): number {
    found = true
    return this.value
  }
}

/** Set when `JSON.stringify` meets a number of this kind. */
let found = false

/** Which numbers of a text become a `JsonNumber`. */
export interface NumberRule {
  /** Matches every text with such a number, and maybe others: a fast check before the slower parser. */
  readonly mayHold: RegExp
  /**
   * Matches numbers that are written as they are. Others are a `JsonNumber` even if their text would not change, because
   * formatting a number to compare it takes five times as long as this.
   */
  readonly plain: RegExp
}

/** The pattern of numbers below 10^`digits` with at most 15 digits and without an exponent, as JavaScript writes them. */
export function plainNumbers(digits: number): RegExp {
  return new RegExp(`^(?:0|-?[1-9]\\d{0,${digits - 1}}|-?(?:0|[1-9]\\d{0,5})\\.(?!0000)\\d{0,8}[1-9])$`)
}

/** Numbers that `JSON.stringify` would write in another way. */
export const changedByJson: NumberRule = {
  mayHold: /(?:^|[\s:,[])(?:-0|-?[\d.]{16}|-?\d+(?:\.\d+)?[eE]|-?\d+\.\d*0(?!\d)|-?0\.000000)/,
  plain: plainNumbers(15),
}

/** As `JSON.parse`: throws a SyntaxError if the text is not JSON. Nesting must be limited by the caller. */
export function parseExactly(text: string, rule = changedByJson): unknown {
  const value: unknown = JSON.parse(text)
  return rule.mayHold.test(text) ? new Parser(text, rule).value() : value
}

/** As `JSON.stringify` without options, for values of `parseExactly` and parts of them. */
export function stringifyExactly(value: unknown): string {
  found = false
  const text = JSON.stringify(value)
  return found ? write(value) : text
}

/** The number of a value that may be a `JsonNumber`; other values are returned unchanged. */
export function plainNumber(value: unknown): unknown {
  return value instanceof JsonNumber ? value.value : value
}

function write(value: unknown): string {
  if (value instanceof JsonNumber) return value.text
  if (Array.isArray(value)) return writeList(value)
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? quoted(value) : JSON.stringify(value)
  const object = value as Readonly<Record<string, unknown>>
  let text = ''
  for (const name of Object.keys(object)) {
    const member = object[name]
    if (member !== undefined) text += `${text === '' ? '' : ','}${quoted(name)}:${write(member)}`
  }
  return `{${text}}`
}

function writeList(list: readonly unknown[]): string {
  let text = ''
  for (const item of list) text += `${text === '' ? '' : ','}${item === undefined ? 'null' : write(item)}`
  return `[${text}]`
}

/** Most names need no escapes, and calling the runtime for each of them takes longer than everything else. */
const needsEscapes = /[^ !#-[\]-~]/

function quoted(text: string): string {
  return needsEscapes.test(text) ? JSON.stringify(text) : `"${text}"`
}

const quote = 0x22
const comma = 0x2c
const listStart = 0x5b
const backslash = 0x5c
const listEnd = 0x5d
const objectStart = 0x7b
const objectEnd = 0x7d

/** Reads a text that is known to be valid JSON. */
class Parser {
  private readonly text: string
  private readonly rule: NumberRule
  private at = 0

  constructor(text: string, rule: NumberRule) {
    this.text = text
    this.rule = rule
  }

  value(): unknown {
    switch (this.skipBlank()) {
      case objectStart:
        return this.object()
      case listStart:
        return this.list()
      case quote:
        return this.string()
      default:
        return this.scalar()
    }
  }

  private scalar(): unknown {
    const { text, at } = this
    let end = at
    for (;;) {
      const code = text.charCodeAt(end)
      if (code === comma || code === listEnd || code === objectEnd || !(code > 0x20)) break
      end++
    }
    this.at = end
    const token = text.slice(at, end)
    if (token === 'null') return null
    if (token === 'true' || token === 'false') return token === 'true'
    return this.rule.plain.test(token) ? Number(token) : new JsonNumber(token)
  }

  private object(): unknown {
    const made: Record<string, unknown> = {}
    this.at++
    while (!this.ends(objectEnd)) {
      const name = this.string()
      this.skipBlank()
      this.at++
      const value = this.value()
      // Assigning this name would change the prototype.
      if (name !== '__proto__') made[name] = value
      else Object.defineProperty(made, name, { value, writable: true, enumerable: true, configurable: true })
    }
    return made
  }

  private list(): unknown[] {
    const made: unknown[] = []
    this.at++
    while (!this.ends(listEnd)) made.push(this.value())
    return made
  }

  /** Skips a comma, or the closing bracket: then the container ends. */
  private ends(bracket: number): boolean {
    let code = this.skipBlank()
    if (code === comma) {
      this.at++
      code = this.skipBlank()
    }
    if (code !== bracket) return false
    this.at++
    return true
  }

  private string(): string {
    const { text, at } = this
    let end = text.indexOf('"', at + 1)
    if (text.charCodeAt(end - 1) !== backslash) {
      const raw = text.slice(at + 1, end)
      if (!raw.includes('\\')) {
        this.at = end + 1
        return raw
      }
    }
    while (this.isEscaped(end)) end = text.indexOf('"', end + 1)
    this.at = end + 1
    return JSON.parse(text.slice(at, end + 1)) as string
  }

  /** Returns true if an odd number of backslashes is before the quote. */
  private isEscaped(at: number): boolean {
    let from = at
    while (this.text.charCodeAt(from - 1) === backslash) from--
    return (at - from) % 2 === 1
  }

  /** Returns the next character that is not blank. */
  private skipBlank(): number {
    const { text } = this
    let code = text.charCodeAt(this.at)
    while (code <= 0x20) code = text.charCodeAt(++this.at)
    return code
  }
}
