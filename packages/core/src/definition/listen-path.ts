/**
 * A listen path taken apart: plain text, or text with variables `{name}` and `{name:pattern}`, where a variable takes
 * one path segment, or what its pattern says. Source: spec/apis-and-pipeline.md 2.1, 4.10.
 */
import { compileRe2, type Re2 } from '../lib/regex/re2.ts'

export interface ListenPath {
  readonly problem: undefined
  /** The text in front of the first variable; all of it when there is none. */
  readonly start: string
  /** Finds the listen path at the beginning of a path; `undefined` when there are no variables. */
  readonly pattern: Re2 | undefined
  /** Length without the variables: what decides which of several listen paths is taken. */
  readonly weight: number
}

const special = /[\\.+*?()|[\]{}^$]/g

/** Takes a listen path apart; `problem` tells why no request could ever match it. */
export function parseListenPath(listenPath: string): ListenPath | { readonly problem: string } {
  return parseTemplate(listenPath, '[^/]+')
}

/** The same for any text with variables; `segment` is what a variable without a pattern takes. */
export function parseTemplate(template: string, segment: string): ListenPath | { readonly problem: string } {
  const first = template.indexOf('{')
  if (first === -1) return { problem: undefined, start: template, pattern: undefined, weight: template.length }
  let source = '^'
  let weight = 0
  let at = 0
  while (at < template.length) {
    const open = template.indexOf('{', at)
    const plain = template.slice(at, open === -1 ? undefined : open)
    source += plain.replace(special, '\\$&')
    weight += plain.length
    if (open === -1) break
    const close = closingBrace(template, open)
    if (close === -1) return { problem: 'has a variable whose brace is never closed' }
    const variable = template.slice(open + 1, close)
    const colon = variable.indexOf(':')
    const pattern = colon === -1 ? segment : variable.slice(colon + 1)
    if (pattern === '' || variable === '') return { problem: 'has an empty variable' }
    source += `(?:${pattern})`
    at = close + 1
  }
  const compiled = compileRe2(source)
  if (compiled.problem !== undefined) return { problem: `has a variable with a broken pattern: ${compiled.problem}` }
  return { problem: undefined, start: template.slice(0, first), pattern: compiled, weight }
}

function closingBrace(text: string, open: number): number {
  let depth = 0
  for (let i = open; i < text.length; i++) {
    if (text[i] === '{') depth++
    else if (text[i] === '}' && --depth === 0) return i
  }
  return -1
}
