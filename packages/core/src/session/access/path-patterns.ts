/**
 * Compiled path patterns of keys, cached by text because keys with the same policy have the same patterns. The cache is
 * bounded, because keys can also have their own patterns.
 */
import { compilePathPattern } from '../../lib/regex/path-pattern.ts'
import type { Re2 } from '../../lib/regex/re2.ts'
import type { GatewaySettings } from '../../ports/settings.ts'

export interface PathPatterns {
  /** Compiles a pattern. Returns `undefined` if it is invalid; an invalid pattern matches nothing. */
  compile(pattern: string): Re2 | undefined
  /** True if patterns match only from the start of a path. */
  readonly anchored: boolean
  /** Whether rules for GET apply to HEAD where no rule for HEAD matches. */
  readonly coversHead: boolean
}

export function makePathPatterns(routing: GatewaySettings['routing'], capacity = 10_000): PathPatterns {
  const compiled = new Map<string, Re2 | undefined>()
  const options = { prefix: routing.pathPrefixMatching, suffix: routing.pathSuffixMatching }
  return {
    anchored: routing.pathPrefixMatching,
    coversHead: routing.headRules !== 'recorded',
    compile(pattern) {
      if (compiled.has(pattern)) return compiled.get(pattern)
      const result = compilePathPattern(pattern, options)
      const matcher = result.problem === undefined ? result : undefined
      if (compiled.size >= capacity) compiled.clear()
      compiled.set(pattern, matcher)
      return matcher
    },
  }
}
