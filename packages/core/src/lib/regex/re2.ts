/**
 * Patterns in definitions are RE2: linear in time, whatever the pattern. JavaScript's RegExp is many times faster on
 * harmless patterns and may take for ever on others. So a pattern runs on RegExp only where `re2-safe.ts` has shown
 * that both mean the same and how the work grows with the input; everything else, and inputs that would make it long,
 * runs on re2js. Patterns without any special character do not run on an engine at all.
 */
import { RE2JS } from 're2js'
import { type LiteralPattern, literalOf } from './re2-literal.ts'
import { translateRe2 } from './re2-safe.ts'

/** What a pattern found first. */
export interface Re2Match {
  /** Where the find begins, in UTF-16 units. */
  readonly index: number
  /** The whole find, then the groups; `undefined` for groups that took no part. */
  readonly groups: readonly (string | undefined)[]
}

/** A compiled pattern. It finds anywhere in the text unless it is anchored. */
export interface Re2 {
  readonly problem: undefined
  /** What runs it; for tests and `explain`. */
  readonly engine: 'literal' | 'regexp' | 're2js'
  test(text: string): boolean
  exec(text: string): Re2Match | undefined
}

export interface Re2Options {
  readonly ignoreCase?: boolean
}

/** Elementary steps that one match may take on RegExp; longer inputs go to re2js. About a millisecond. */
const stepBudget = 2 ** 20

/** Compiles a pattern in RE2 syntax; `problem` tells what is wrong with a broken one. */
export function compileRe2(pattern: string, options: Re2Options = {}): Re2 | { readonly problem: string } {
  const ignoreCase = options.ignoreCase ?? false
  const literal = ignoreCase ? undefined : literalOf(pattern)
  if (literal !== undefined) return literalRe2(literal)
  const translated = translateRe2(pattern, ignoreCase)
  if (translated === undefined) return linearRe2(pattern, ignoreCase)
  const maxLength = Math.floor((stepBudget / translated.factor) ** (1 / translated.degree))
  return guardedRe2(translated.regExp, maxLength, () => linearRe2(pattern, ignoreCase))
}

function literalRe2({ text: wanted, atStart, atEnd }: LiteralPattern): Re2 {
  const test =
    atStart && atEnd
      ? (text: string) => text === wanted
      : atStart
        ? (text: string) => text.startsWith(wanted)
        : atEnd
          ? (text: string) => text.endsWith(wanted)
          : (text: string) => text.includes(wanted)
  const groups = [wanted]
  return {
    problem: undefined,
    engine: 'literal',
    test,
    exec(text) {
      if (!test(text)) return undefined
      return { index: atStart ? 0 : atEnd ? text.length - wanted.length : text.indexOf(wanted), groups }
    },
  }
}

function guardedRe2(regExp: RegExp, maxLength: number, makeLinear: () => Re2 | { readonly problem: string }): Re2 {
  let linear: Re2 | undefined
  const linearOne = (): Re2 => {
    if (linear !== undefined) return linear
    const made = makeLinear()
    // Cannot be: what the translation accepts is a part of RE2's syntax.
    if (made.problem !== undefined) throw new Error(`pattern accepted by one engine only: ${made.problem}`)
    linear = made
    return made
  }
  return {
    problem: undefined,
    engine: 'regexp',
    test: (text) => (text.length > maxLength ? linearOne().test(text) : regExp.test(text)),
    exec(text) {
      if (text.length > maxLength) return linearOne().exec(text)
      const found = regExp.exec(text)
      return found === null ? undefined : { index: found.index, groups: found }
    },
  }
}

function linearRe2(pattern: string, ignoreCase: boolean): Re2 | { readonly problem: string } {
  let compiled: RE2JS
  try {
    compiled = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
  return {
    problem: undefined,
    engine: 're2js',
    test: (text) => compiled.matcher(text).find(),
    exec(text) {
      const matcher = compiled.matcher(text)
      if (!matcher.find()) return undefined
      const groups: (string | undefined)[] = []
      for (let i = 0; i <= matcher.groupCount(); i++) groups.push(matcher.group(i) ?? undefined)
      return { index: matcher.start(), groups }
    },
  }
}
