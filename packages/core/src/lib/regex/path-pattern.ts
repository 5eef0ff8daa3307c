/**
 * Compiles the path of a rule to a matcher. `{name}` and a segment `*` match one segment, and a star at the end matches
 * the rest of the path. Everything else is a regular expression that may match anywhere in the path. Source:
 * docs/reference/api-definition.md#path-matching.
 */
import { compileRe2, type Re2 } from './re2.ts'

/** Gateway-wide matching options (`http_server_options`), case sensitivity, and how a list reads variables. */
export interface PathPatternOptions {
  /** A pattern that begins with a slash matches from the start of the path. */
  readonly prefix?: boolean
  /** A pattern must match to the end of the path. */
  readonly suffix?: boolean
  readonly ignoreCase?: boolean
  /** `{name:pattern}` also matches segments that do not fit the pattern, so that a rule that rejects stays closed. */
  readonly anySegment?: boolean
}

/**
 * A variable `{name}` or `{name:pattern}`. A number in braces is a quantifier, except where a segment or a group begins
 * and nothing can be repeated: `/single/{1}` has a variable. The braces of `\{`, `\p{L}` and `\x{263a}` are no variable.
 */
const variable =
  /(?<!\\[pPx]?)(?:(?<=^\^?|[/(|]|\(\?:)\{\d+\}|\{(?!\d*,?\d*\})[^{}:\\]+(?::([^{}]+(?:\{[\d,]+\}[^{}]*)*))?\})/g

/** True if a variable in the path has a pattern of its own. */
export function hasVariablePattern(path: string): boolean {
  return [...path.matchAll(variable)].some(([, pattern]) => pattern !== undefined)
}

/**
 * Compiles a rule's path. `.` matches line feeds, so that `%0a` in a path does not bypass a rule.
 * If the path is not a valid pattern, `problem` says why.
 */
export function compilePathPattern(path: string, options: PathPatternOptions = {}): Re2 | { readonly problem: string } {
  return compileRe2(pathPatternSource(path, options), { ignoreCase: options.ignoreCase ?? false, dotAll: true })
}

/** Whether the path consists of text and `{name}`, so that its pattern is valid. */
export function isPlainPath(path: string): boolean {
  return !/[\\^$|?*+()[\]{}]/.test(path.replaceAll(/\{[A-Za-z_][\w.-]*\}/g, ''))
}

/** The RE2 pattern for a rule's path. */
export function pathPatternSource(path: string, options: PathPatternOptions = {}): string {
  const anySegment = options.anySegment ?? false
  let source = path.replace(variable, (_, pattern?: string) => {
    if (pattern === undefined) return '([^/]+)'
    return anySegment ? `([^/]+|${pattern})` : `(${pattern})`
  })
  // Twice, because two adjacent stars share a slash.
  source = source.replaceAll('/*/', '/[^/]+/').replaceAll('/*/', '/[^/]+/').replaceAll('/*', '/.*')
  if (options.prefix && source.startsWith('/')) source = `^${source}`
  if (options.suffix && !source.endsWith('$')) source = `${source}$`
  return source
}
