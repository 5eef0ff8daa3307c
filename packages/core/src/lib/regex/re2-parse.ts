/**
 * Reads the part of RE2's syntax that `re2-safe.ts` can judge. Everything else, mistakes included, gives `undefined`:
 * the linear engine then reads the pattern, and tells what is wrong with it.
 */
import { CharSet } from './char-set.ts'

export type Node =
  /** One character out of a set; `source` is the same for a RegExp with the `u` flag. */
  | { readonly kind: 'chars'; readonly set: CharSet; readonly source: string }
  | { readonly kind: 'anchor'; readonly sign: '^' | '$' | '\\b' | '\\B' }
  | { readonly kind: 'group'; readonly body: Node; readonly captures: boolean }
  | {
      readonly kind: 'repeat'
      readonly body: Node
      readonly min: number
      readonly max: number
      readonly source: string
    }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'either'; readonly options: readonly Node[] }

/** RE2 allows no more; also keeps a RegExp from growing without bound. */
const maxRepeat = 1000
const maxDepth = 40
const maxPatternLength = 4000
const loneSurrogate = /[\ud800-\udfff]/u

/** The pattern as a tree; `undefined` when it is not of the part that is known here. */
export function parseRe2(pattern: string, ignoreCase: boolean): { node: Node; ignoreCase: boolean } | undefined {
  if (pattern.length > maxPatternLength || loneSurrogate.test(pattern)) return undefined
  const flagged = pattern.startsWith('(?i)')
  const reader = new Reader(pattern, flagged ? 4 : 0, ignoreCase || flagged)
  const node = reader.either(0)
  return node === undefined || !reader.atEnd() ? undefined : { node, ignoreCase: ignoreCase || flagged }
}

const repeatSign = /([*+?]|\{(\d{1,4})(,(\d{0,4}))?\})(\??)/y
const groupStart = /\((\?:|\?P<[A-Za-z_]\w*>|(?!\?))/y
const hexEscape = /\\x(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]{1,6})\})/y
const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, a: 7 }

class Reader {
  private readonly text: string
  private readonly ignoreCase: boolean
  private at: number

  constructor(text: string, at: number, ignoreCase: boolean) {
    this.text = text
    this.at = at
    this.ignoreCase = ignoreCase
  }

  atEnd(): boolean {
    return this.at === this.text.length
  }

  either(depth: number): Node | undefined {
    const options: Node[] = []
    do {
      const option = this.sequence(depth)
      if (option === undefined) return undefined
      options.push(option)
    } while (this.take('|'))
    return options.length === 1 ? options[0] : { kind: 'either', options }
  }

  private sequence(depth: number): Node | undefined {
    const parts: Node[] = []
    while (!this.atEnd() && this.peek() !== '|' && this.peek() !== ')') {
      const atom = this.atom(depth)
      const part = atom === undefined ? undefined : this.repeated(atom)
      if (part === undefined) return undefined
      parts.push(part)
    }
    return { kind: 'sequence', parts }
  }

  private repeated(atom: Node): Node | undefined {
    const sign = this.match(repeatSign)
    if (sign === null) return atom
    const [source, kind, low, comma, high] = sign
    const min = low === undefined ? (kind === '+' ? 1 : 0) : Number(low)
    const unbounded = kind === '*' || kind === '+' || (comma !== undefined && high === '')
    const max = unbounded ? Number.POSITIVE_INFINITY : kind === '?' ? 1 : Number(high ?? low)
    if (min > maxRepeat || (max > maxRepeat && !unbounded) || max < min) return undefined
    repeatSign.lastIndex = this.at
    if (repeatSign.test(this.text)) return undefined
    const plain = atom.kind === 'chars'
    // A group that may be empty: the engines differ in what they keep of an empty round.
    const optionalGroup = atom.kind === 'group' && kind === '?' && !canBeEmpty(atom)
    return plain || optionalGroup ? { kind: 'repeat', body: atom, min, max, source } : undefined
  }

  private atom(depth: number): Node | undefined {
    const sign = this.peek()
    switch (sign) {
      case '(': {
        const start = this.match(groupStart)
        if (start === null || depth === maxDepth) return undefined
        const body = this.either(depth + 1)
        if (body === undefined || !this.take(')')) return undefined
        return { kind: 'group', body, captures: start[1] !== '?:' }
      }
      case '[':
        return this.charClass()
      case '.':
        this.at++
        return { kind: 'chars', set: CharSet.newline.negated(), source: '[^\\n]' }
      case '^':
      case '$':
        this.at++
        return { kind: 'anchor', sign }
      case '*':
      case '+':
      case '?':
        return undefined
      case '\\':
        return this.anchorEscape() ?? this.charsOf(this.escape())
      default: {
        repeatSign.lastIndex = this.at
        if (repeatSign.test(this.text)) return undefined
        return this.charsOf(this.plainChar())
      }
    }
  }

  private anchorEscape(): Node | undefined {
    const sign = { '\\A': '^', '\\z': '$', '\\b': '\\b', '\\B': '\\B' }[this.text.slice(this.at, this.at + 2)]
    // Folding changes which characters make up a word.
    if (sign === undefined || (this.ignoreCase && sign.startsWith('\\'))) return undefined
    this.at += 2
    return { kind: 'anchor', sign: sign as '^' | '$' | '\\b' | '\\B' }
  }

  private charClass(): Node | undefined {
    this.at++
    const negated = this.take('^')
    let set = CharSet.empty
    for (let first = true; first || this.peek() !== ']'; first = false) {
      if (this.atEnd() || this.text.startsWith('[:', this.at)) return undefined
      const low = this.classChar()
      if (low === undefined) return undefined
      if (this.peek() === '-' && this.text[this.at + 1] !== ']' && this.at + 1 < this.text.length) {
        this.at++
        const high = this.classChar()
        const from = singleOf(low)
        const to = high === undefined ? undefined : singleOf(high)
        if (from === undefined || to === undefined || to < from) return undefined
        set = set.with(CharSet.of([from, to]))
      } else set = set.with(low)
    }
    this.at++
    return this.charsOf(set, negated)
  }

  private classChar(): CharSet | undefined {
    return this.peek() === '\\' ? this.escape() : this.plainChar()
  }

  private plainChar(): CharSet {
    const code = this.text.codePointAt(this.at) as number
    this.at += code > 0xffff ? 2 : 1
    return CharSet.of([code, code])
  }

  /** What a backslash and its sign stand for, when it is characters. */
  private escape(): CharSet | undefined {
    const hex = this.match(hexEscape)
    if (hex !== null) {
      const code = Number.parseInt((hex[1] ?? hex[2]) as string, 16)
      return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? undefined : CharSet.of([code, code])
    }
    const sign = this.text[this.at + 1]
    if (sign === undefined) return undefined
    const known = this.namedSet(sign)
    const control = controls[sign]
    const code = control ?? (/[!-/:-@[-`{-~]/.test(sign) ? sign.charCodeAt(0) : undefined)
    if (known === undefined && code === undefined) return undefined
    this.at += 2
    return known ?? CharSet.of([code as number, code as number])
  }

  private namedSet(sign: string): CharSet | undefined {
    switch (sign) {
      case 'd':
        return CharSet.digits
      case 'D':
        return this.ignoreCase ? undefined : CharSet.digits.negated()
      case 's':
        return CharSet.blank
      case 'S':
        return this.ignoreCase ? undefined : CharSet.blank.negated()
      case 'w':
        return this.ignoreCase ? undefined : CharSet.word
      case 'W':
        return this.ignoreCase ? undefined : CharSet.word.negated()
      default:
        return undefined
    }
  }

  private charsOf(set: CharSet | undefined, negated = false): Node | undefined {
    if (set === undefined || set.ranges.length === 0) return undefined
    // Beyond ASCII the engines' tables for folding may differ.
    if (this.ignoreCase && !set.isAscii()) return undefined
    const wide = this.ignoreCase ? set.withBothCases() : set
    return {
      kind: 'chars',
      set: negated ? wide.negated() : wide,
      source: `[${negated ? '^' : ''}${set.toClassBody()}]`,
    }
  }

  private peek(): string | undefined {
    return this.text[this.at]
  }

  private take(sign: string): boolean {
    if (this.text[this.at] !== sign) return false
    this.at++
    return true
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (found !== null) this.at += found[0].length
    return found
  }
}

function singleOf(set: CharSet): number | undefined {
  const [range, ...others] = set.ranges
  return range !== undefined && others.length === 0 && range[0] === range[1] ? range[0] : undefined
}

function canBeEmpty(node: Node): boolean {
  switch (node.kind) {
    case 'chars':
      return false
    case 'anchor':
      return true
    case 'group':
      return canBeEmpty(node.body)
    case 'repeat':
      return node.min === 0 || canBeEmpty(node.body)
    case 'sequence':
      return node.parts.every(canBeEmpty)
    case 'either':
      return node.options.some(canBeEmpty)
  }
}
