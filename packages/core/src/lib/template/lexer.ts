/**
 * Splits a template into text and actions, and actions into tokens. Source of the syntax: the documentation of Go's
 * text/template, "Text and spaces" and "Actions".
 */
import type { Place } from './ast.ts'
import { scanConstant } from './constants.ts'
import { TemplateError } from './template-problem.ts'

export type Token = {
  readonly at: Place
  /** True if white space precedes the token. It separates arguments: `.a .b` is not `.a.b`. */
  readonly spaced: boolean
} & (
  | { readonly kind: 'dot' }
  | { readonly kind: 'field' | 'variable' | 'word'; readonly text: string }
  | { readonly kind: 'constant'; readonly value: string | number | bigint }
  | { readonly kind: 'sign'; readonly text: '|' | '(' | ')' | ',' | ':=' | '=' }
)

export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly tokens: readonly Token[]; readonly at: Place }

/** White space that may appear next to a trim marker. */
const blank = /\s/

export function cutTemplate(source: string): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  let trimNext = false
  while (at < source.length) {
    const open = source.indexOf('{{', at)
    const end = open === -1 ? source.length : open
    const trimsBefore = open !== -1 && source[open + 2] === '-' && blank.test(source[open + 3] ?? '')
    let text = source.slice(at, end)
    if (trimNext) text = text.trimStart()
    if (trimsBefore) text = text.trimEnd()
    if (text !== '') pieces.push({ kind: 'text', text })
    if (open === -1) break
    const inside = open + (trimsBefore ? 3 : 2)
    const comment = skipComment(source, inside, open)
    const action = comment ?? scanAction(source, inside, open)
    if (action.tokens !== undefined) pieces.push({ kind: 'action', tokens: action.tokens, at: open })
    at = action.end
    trimNext = action.trims
  }
  return pieces
}

interface Scanned {
  readonly tokens: readonly Token[] | undefined
  /** Index after the closing braces. */
  readonly end: number
  readonly trims: boolean
}

/** A comment must be the only content of its action, apart from trim markers. */
function skipComment(source: string, inside: number, open: Place): Scanned | undefined {
  let start = inside
  if (source[inside - 1] === '-') while (blank.test(source[start] ?? '')) start++
  if (!source.startsWith('/*', start)) return undefined
  const close = source.indexOf('*/', start + 2)
  if (close === -1) throw new TemplateError('unclosed comment', open)
  const closing = closingAt(source, close + 2)
  if (closing === undefined) throw new TemplateError('comment ends before closing delimiter', close)
  return { tokens: undefined, ...closing }
}

/** Returns true if the action ends here, possibly after white space and a trim marker. */
function closingAt(source: string, at: number): { end: number; trims: boolean } | undefined {
  if (source.startsWith('}}', at)) return { end: at + 2, trims: false }
  if (!blank.test(source[at] ?? '')) return undefined
  let marker = at
  while (blank.test(source[marker] ?? '')) marker++
  return source.startsWith('-}}', marker) ? { end: marker + 3, trims: true } : undefined
}

function scanAction(source: string, inside: number, open: Place): Scanned {
  const tokens: Token[] = []
  let at = inside
  let spaced = false
  for (;;) {
    const closing = closingAt(source, at)
    if (closing !== undefined) return { tokens, ...closing }
    const char = source[at]
    if (char === undefined) throw new TemplateError('unclosed action', open)
    if (blank.test(char)) {
      spaced = true
      at++
      continue
    }
    const { token, end } = scanToken(source, at, spaced)
    tokens.push(token)
    at = end
    spaced = false
  }
}

const nameAt = /[\p{L}_][\p{L}\p{Nd}_]*/uy

function readName(source: string, at: number): string {
  nameAt.lastIndex = at
  return nameAt.exec(source)?.[0] ?? ''
}

function scanToken(source: string, at: Place, spaced: boolean): { token: Token; end: number } {
  const char = source[at] as string
  if (source.startsWith(':=', at)) return { token: { kind: 'sign', text: ':=', at, spaced }, end: at + 2 }
  if (char === '|' || char === '(' || char === ')' || char === ',' || char === '=') {
    return { token: { kind: 'sign', text: char, at, spaced }, end: at + 1 }
  }
  if (char === '$') {
    const name = readName(source, at + 1)
    return { token: { kind: 'variable', text: name, at, spaced }, end: at + 1 + name.length }
  }
  if (char === '.' && !/[0-9]/.test(source[at + 1] ?? '')) {
    const name = readName(source, at + 1)
    if (name === '') return { token: { kind: 'dot', at, spaced }, end: at + 1 }
    return { token: { kind: 'field', text: name, at, spaced }, end: at + 1 + name.length }
  }
  const word = readName(source, at)
  if (word !== '') return { token: { kind: 'word', text: word, at, spaced }, end: at + word.length }
  const constant = scanConstant(source, at)
  if (constant === undefined) throw new TemplateError(`unexpected ${JSON.stringify(char)} in action`, at)
  return { token: { kind: 'constant', value: constant.value, at, spaced }, end: constant.end }
}
