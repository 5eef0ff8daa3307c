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
  readonly isPlain: (text: string) => boolean
}

/** Numbers that `JSON.stringify` would write in another way. */
export const changedByJson: NumberRule = {
  mayHold: /(?:^|[\s:,[])(?:-0|-?[\d.]{16}|-?\d+(?:\.\d+)?[eE]|-?\d+\.\d*0(?!\d)|-?0\.000000)/,
  isPlain: (text) => String(Number(text)) === text,
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
  if (Array.isArray(value)) return `[${value.map((item) => (item === undefined ? 'null' : write(item))).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${write(member)}`).join(',')}}`
}

const backslash = 0x5c
const scalar = /[^\s,\]}]+/y

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
    this.skipBlank()
    const first = this.text[this.at]
    if (first === '{') return this.object()
    if (first === '[') return this.list()
    if (first === '"') return this.string()
    scalar.lastIndex = this.at
    const token = scalar.exec(this.text)?.[0] ?? ''
    this.at += token.length
    const isNumber = token !== 'true' && token !== 'false' && token !== 'null'
    return isNumber && !this.rule.isPlain(token) ? new JsonNumber(token) : (JSON.parse(token) as unknown)
  }

  private object(): unknown {
    const made: Record<string, unknown> = {}
    this.at++
    while (!this.ends('}')) {
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
    while (!this.ends(']')) made.push(this.value())
    return made
  }

  /** Skips a comma, or the closing bracket: then the container ends. */
  private ends(bracket: string): boolean {
    this.skipBlank()
    if (this.text[this.at] === ',') {
      this.at++
      this.skipBlank()
    }
    if (this.text[this.at] !== bracket) return false
    this.at++
    return true
  }

  private string(): string {
    const { text, at } = this
    let end = text.indexOf('"', at + 1)
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

  private skipBlank(): void {
    while (this.text.charCodeAt(this.at) <= 0x20) this.at++
  }
}
