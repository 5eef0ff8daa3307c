/** Granular access of a key: which paths and methods pass. Source: docs/reference/request-checks.md#granular-access. */
import type { Re2 } from '../../lib/regex/re2.ts'
import type { AllowedUrl } from '../../ports/session.ts'
import type { PathPatterns } from './path-patterns.ts'

/** Whether `allowed_urls` permits a request (7.5). */
export type AllowsUrl = (method: string, path: string, pathWithListenPath: string) => boolean

/** `undefined`: there are no entries, and all passes. */
export function makeAllowsUrl(entries: readonly AllowedUrl[] | null, patterns: PathPatterns): AllowsUrl | undefined {
  if (entries === null || entries.length === 0) return undefined
  const byMethod = new Map<string, Re2[]>()
  for (const { url, methods } of entries) {
    const pattern = patterns.compile(url)
    if (pattern === undefined) continue
    for (const method of new Set(methods ?? [])) {
      const known = byMethod.get(method)
      if (known === undefined) byMethod.set(method, [pattern])
      else known.push(pattern)
    }
  }
  const { anchored } = patterns
  return (method, path, pathWithListenPath) => {
    const candidates = byMethod.get(method)
    if (candidates === undefined) return false
    for (const pattern of candidates) {
      // An anchored pattern may be written with or without the listen path; one found anywhere is in both.
      if (pattern.test(pathWithListenPath) || (anchored && pattern.test(path))) return true
    }
    return false
  }
}
