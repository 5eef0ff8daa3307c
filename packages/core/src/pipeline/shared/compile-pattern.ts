/** Compiles regular expressions that a definition contains. */
import { compileRe2, type Re2 } from '../../lib/regex/re2.ts'
import type { CompileContext } from '../contract/stage.ts'

/** Returns `undefined`, with the warning, if the pattern is not valid. */
export function compilePattern(pattern: string, warning: string, { services, api }: CompileContext): Re2 | undefined {
  const compiled = compileRe2(pattern)
  if (compiled.problem === undefined) return compiled
  services.log.warn(warning, { api: api.id, pattern, reason: compiled.problem })
  return undefined
}
