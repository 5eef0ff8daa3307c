/**
 * Parses listen paths: text with variables `{name}` and `{name:pattern}`. A variable matches one path segment, or its
 * pattern. Source: docs/reference/routing.md#listen-path.
 */
import { compileRe2, type Re2 } from '../lib/regex/re2.ts'

export interface ListenPath {
  readonly problem: undefined
  /** The text before the first variable; the whole text if there is none. */
  readonly start: string
  /** Matches the listen path at the beginning of a path; `undefined` if there are no variables. */
  readonly pattern: Re2 | undefined
  /** Length without the variables. The listen path with the largest weight wins. */
  readonly weight: number
}

const special = /[\\.+*?()|[\]{}^$]/g

/** Parses a listen path; `problem` says why no request could match it. */
export function parseListenPath(listenPath: string): ListenPath | { readonly problem: string } {
  return parseTemplate(listenPath, '[^/]+')
}

/** Parses the name of a host with variables `{name}`, which match one label, and `{name:pattern}`. */
export function parseHostName(host: string): ListenPath | { readonly problem: string } {
  return parseTemplate(host, '[^.]+', '$')
}

/** `segment`: the pattern of variables without a pattern of their own. */
function parseTemplate(template: string, segment: string, end = ''): ListenPath | { readonly problem: string } {
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
    if (close === -1) return { problem: 'has a variable without a closing brace' }
    const variable = template.slice(open + 1, close)
    const colon = variable.indexOf(':')
    const pattern = colon === -1 ? segment : variable.slice(colon + 1)
    if (pattern === '' || variable === '') return { problem: 'has an empty variable' }
    source += `(?:${pattern})`
    at = close + 1
  }
  const compiled = compileRe2(source + end)
  if (compiled.problem !== undefined) return { problem: `has a variable with an invalid pattern: ${compiled.problem}` }
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
