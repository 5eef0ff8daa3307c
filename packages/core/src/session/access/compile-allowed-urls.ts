/** Granular access of a key: the paths and methods that it may use. Source: docs/reference/request-checks.md#granular-access. */
import type { Re2 } from '../../lib/regex/re2.ts'
import type { AllowedUrl } from '../../ports/session.ts'
import type { PathPatterns } from './path-patterns.ts'

/** Returns true if `allowed_urls` permits the request. */
export type AllowsUrl = (method: string, path: string, pathWithListenPath: string) => boolean

/** Compiles the entries. Returns `undefined` if there are none, so that every request is permitted. */
export function makeAllowsUrl(entries: readonly AllowedUrl[] | null, patterns: PathPatterns): AllowsUrl | undefined {
  if (entries === null || entries.length === 0) return undefined
  const byMethod = new Map<string, Re2[]>()
  for (const { url, methods } of entries) {
    const pattern = patterns.compile(isBlank(url) && !patterns.anchored ? '' : url)
    if (pattern === undefined || (isBlank(url) && patterns.anchored)) continue
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
      // An anchored pattern may omit the listen path. An unanchored one that matches the path also matches the longer text.
      if (pattern.test(pathWithListenPath) || (anchored && pattern.test(path))) return true
    }
    return false
  }
}

/** Such a pattern, empty or of anchors only, matches every path; with prefix matching it matches none. */
function isBlank(url: string): boolean {
  return /^[\^$]*$/.test(url)
}
