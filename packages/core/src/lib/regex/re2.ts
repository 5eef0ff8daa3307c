/**
 * Patterns in definitions are RE2, which takes linear time for every pattern and text. docs/decisions/0015-re2.md
 * describes the cost and why no pattern runs on JavaScript's RegExp.
 */
import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'

/** The first match of a pattern. */
export interface Re2Match {
  /** Start of the match, in UTF-16 units. */
  readonly index: number
  /**
   * The complete match, then the groups; `undefined` for groups that did not participate. Empty if the text is longer than
   * `maxLocatedLength`: it matches, but the place is not known.
   */
  readonly groups: readonly (string | undefined)[]
}

/** Start and end in UTF-16 units. */
export type Re2Span = readonly [start: number, end: number]

/** A compiled pattern. It matches anywhere in the text unless it is anchored. */
export interface Re2 {
  readonly problem: undefined
  /** Longer texts are only tested, because finding groups takes 10 to 20 times as long. */
  readonly maxLocatedLength: number
  test(text: string): boolean
  exec(text: string): Re2Match | undefined
  /** Start and end of the first match and of its groups, as `exec` orders them; `undefined` where a group is. */
  locate(text: string): readonly (Re2Span | undefined)[] | undefined
}

export interface Re2Options {
  readonly ignoreCase?: boolean
  /** `.` matches line feeds too. */
  readonly dotAll?: boolean
}

type Compiled = Re2 | { readonly problem: string }

/** Definitions repeat patterns, and a reload compiles them again; a compiled pattern costs 60 µs and 6 KB. */
const compiledPatterns = new LRUCache<string, Compiled>({ max: 10_000 })

/** Compiles a pattern in RE2 syntax; `problem` says what is wrong with an invalid one. */
export function compileRe2(pattern: string, options: Re2Options = {}): Compiled {
  const flags = (options.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | (options.dotAll ? RE2JS.DOTALL : 0)
  const key = `${flags} ${pattern}`
  const known = compiledPatterns.get(key)
  if (known !== undefined) return known
  const compiled = compile(pattern, flags)
  compiledPatterns.set(key, compiled)
  return compiled
}

function compile(pattern: string, flags: number): Compiled {
  try {
    return toRe2(RE2JS.compile(pattern, flags))
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

/** Steps that finding a match with its groups may take, about 50 ms: characters times instructions of the pattern. */
const maxLocateSteps = 4_000_000
/** Texts as long as headers and URLs are always searched. */
const minLocatedLength = 16 * 1024

function toRe2(compiled: RE2JS): Re2 {
  const maxLocatedLength = Math.max(minLocatedLength, Math.floor(maxLocateSteps / compiled.programSize()))
  return {
    problem: undefined,
    maxLocatedLength,
    test: (text) => compiled.test(text),
    locate(text) {
      if (text.length > maxLocatedLength) return compiled.test(text) ? [] : undefined
      const matcher = compiled.matcher(text)
      if (!matcher.find()) return undefined
      const spans: (Re2Span | undefined)[] = []
      for (let i = 0; i <= matcher.groupCount(); i++) {
        const start = matcher.start(i)
        spans.push(start < 0 ? undefined : [start, matcher.end(i)])
      }
      return spans
    },
    exec(text) {
      if (text.length > maxLocatedLength) return compiled.test(text) ? { index: -1, groups: [] } : undefined
      const matcher = compiled.matcher(text)
      if (!matcher.find()) return undefined
      const groups: (string | undefined)[] = []
      for (let i = 0; i <= matcher.groupCount(); i++) groups.push(matcher.group(i) ?? undefined)
      return { index: matcher.start(), groups }
    },
  }
}
