/**
 * Compiles the path of a rule to a matcher. `{name}` and a segment `*` match one segment, and a star at the end matches
 * the rest of the path. Everything else is a regular expression that may match anywhere in the path. Source:
 * docs/reference/api-definition.md#path-matching.
 */
import { compileRe2, type Re2 } from './re2.ts'

/** Gateway-wide matching options (`http_server_options`) and case sensitivity. */
export interface PathPatternOptions {
  /** A pattern that begins with a slash matches from the start of the path. */
  readonly prefix?: boolean
  /** A pattern must match to the end of the path. */
  readonly suffix?: boolean
  readonly ignoreCase?: boolean
}

const variable = /\{([A-Za-z_][\w.-]*)(?::([^{}]+(?:\{[\d,]+\}[^{}]*)*))?\}/g

/**
 * Compiles a rule's path. `.` matches line feeds, so that `%0a` in a path does not bypass a rule.
 * If the path is not a valid pattern, `problem` says why and the matcher matches nothing.
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
  let source = path.replace(variable, (_, _name: string, pattern?: string) => `(${pattern ?? '[^/]+'})`)
  // Twice, because two adjacent stars share a slash.
  source = source.replaceAll('/*/', '/[^/]+/').replaceAll('/*/', '/[^/]+/').replaceAll('/*', '/.*')
  if (options.prefix && source.startsWith('/')) source = `^${source}`
  if (options.suffix && !source.endsWith('$')) source = `${source}$`
  return source
}

/**
 * Returns true if the rule applies to a request. The path is tried in three forms: relative to the listen path and
 * version segment, relative to the listen path, and complete.
 */
export function matchesRequestPath(pattern: Re2, path: string, pathWithVersion: string, wholePath: string): boolean {
  return (
    pattern.test(path) ||
    (pathWithVersion !== path && pattern.test(pathWithVersion)) ||
    (wholePath !== pathWithVersion && pattern.test(wholePath))
  )
}
