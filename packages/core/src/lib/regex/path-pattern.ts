/**
 * The path of a rule as a matcher. Source: spec/apis-and-pipeline.md 2.4: `{name}` takes one segment, a segment `*`
 * too, a star at the end takes all the rest; what is left is a regular expression, found anywhere in the path.
 */
import { compileRe2, type Re2 } from './re2.ts'

/** Gateway-wide ways of matching (`http_server_options`), and case. */
export interface PathPatternOptions {
  /** A pattern that begins with a slash matches from the start of the path. */
  readonly prefix?: boolean
  /** A pattern must match to the end of the path. */
  readonly suffix?: boolean
  readonly ignoreCase?: boolean
}

const variable = /\{([A-Za-z_][\w.-]*)(?::([^{}]+(?:\{[\d,]+\}[^{}]*)*))?\}/g

/** Compiles a rule's path; `problem` tells what is wrong with one that is no pattern, which then matches nothing. */
export function compilePathPattern(path: string, options: PathPatternOptions = {}): Re2 | { readonly problem: string } {
  return compileRe2(pathPatternSource(path, options), { ignoreCase: options.ignoreCase ?? false })
}

/** The RE2 pattern that a rule's path stands for. */
export function pathPatternSource(path: string, options: PathPatternOptions = {}): string {
  let source = path.replace(variable, (_, _name: string, pattern?: string) => `(${pattern ?? '[^/]+'})`)
  // Twice, since two neighbouring stars share a slash.
  source = source.replaceAll('/*/', '/[^/]+/').replaceAll('/*/', '/[^/]+/').replaceAll('/*', '/.*')
  if (options.prefix && source.startsWith('/')) source = `^${source}`
  if (options.suffix && !source.endsWith('$')) source = `${source}$`
  return source
}

/**
 * Whether the rule is meant for a request, by its three readings in order: behind listen path and version segment,
 * behind the listen path, and the whole path.
 */
export function matchesRequestPath(pattern: Re2, path: string, pathWithVersion: string, wholePath: string): boolean {
  return (
    pattern.test(path) ||
    (pathWithVersion !== path && pattern.test(pathWithVersion)) ||
    (wholePath !== pathWithVersion && pattern.test(wholePath))
  )
}
