/**
 * Compiled path patterns of keys. Keys made from one policy have the same patterns, so a million of them share one
 * compiled copy; the number kept is bounded, since keys may also bring patterns of their own.
 */
import { compilePathPattern } from '../../lib/regex/path-pattern.ts'
import type { Re2 } from '../../lib/regex/re2.ts'
import type { GatewaySettings } from '../../ports/settings.ts'

export interface PathPatterns {
  /** `undefined`: the pattern is broken and matches nothing. */
  compile(pattern: string): Re2 | undefined
  /** Patterns match from the start of a path. */
  readonly anchored: boolean
}

export function makePathPatterns(routing: GatewaySettings['routing'], capacity = 10_000): PathPatterns {
  const compiled = new Map<string, Re2 | undefined>()
  const options = { prefix: routing.pathPrefixMatching, suffix: routing.pathSuffixMatching }
  return {
    anchored: routing.pathPrefixMatching,
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
