/**
 * Replaces the variable parts of paths, so that statistics can be grouped by path.
 * Source: docs/reference/analytics.md#analytics.
 */
import { compileRe2, type Re2 } from '../../lib/regex/re2.ts'

export interface NormaliseOptions {
  readonly uuids: boolean
  readonly ulids: boolean
  readonly numbers: boolean
  /** RE2 patterns; what matches becomes `{var}`. A slash at its beginning stays, so that the result is a path. */
  readonly custom: readonly string[]
}

const uuid = /[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}/g
// The first digit of a ULID is at most 7 (48 bits of time in base 32).
const ulid = /(?<![0-9A-Za-z])[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}(?![0-9A-Za-z])/g
const number = /\/\d+(?=\/|$)/g

/** Calls `onProblem` for each invalid pattern and ignores the pattern. */
export function makeNormalisePath(options: NormaliseOptions, onProblem: (pattern: string, reason: string) => void) {
  const custom = options.custom.map((pattern) => {
    const compiled = compileRe2(pattern)
    if (compiled.problem === undefined) return { compiled, times: pattern.startsWith('^') ? 1 : maxReplacements }
    onProblem(pattern, compiled.problem)
    return undefined
  })
  return (path: string): string => {
    let out = path
    if (options.uuids) out = out.replace(uuid, '{uuid}')
    if (options.ulids) out = out.replace(ulid, '{ulid}')
    if (options.numbers) out = out.replace(number, '/{id}')
    for (const rule of custom) if (rule !== undefined) out = replaceMatches(out, rule.compiled, rule.times)
    return out
  }
}

/** Maximum replacements of one pattern in one path; limits the work for hostile paths. */
const maxReplacements = 50

function replaceMatches(text: string, pattern: Re2, times: number): string {
  let done = ''
  let rest = text
  for (let i = 0; i < times; i++) {
    const found = pattern.exec(rest)
    const length = found?.groups[0]?.length ?? 0
    if (found === undefined || length === 0) break
    done += `${rest.slice(0, found.index)}${rest[found.index] === '/' ? '/' : ''}{var}`
    rest = rest.slice(found.index + length)
  }
  return done + rest
}
