/** Regular expressions in RE2 syntax, which take linear time on any data of a client. */
import { compileRe2, type Re2 } from '../../regex/re2.ts'
import type { Budget } from '../budget.ts'
import { type FunctionTable, fixed, onText, textOf, wholeOf, withMust } from '../function-table.ts'
import { TemplateError } from '../template-problem.ts'

/** Patterns are usually few and constant; patterns built from data evict each other. */
const compiled = new Map<string, Re2>()
const maxCompiled = 128

function compile(pattern: string): Re2 {
  let re = compiled.get(pattern)
  if (re === undefined) {
    const made = compileRe2(pattern)
    if (made.problem !== undefined) throw new TemplateError(`error parsing regexp: ${made.problem}`)
    if (compiled.size >= maxCompiled) compiled.clear()
    compiled.set(pattern, made)
    re = made
  }
  return re
}

interface Find {
  readonly start: number
  readonly end: number
  readonly groups: readonly (string | undefined)[]
}

/**
 * Matches that do not overlap, at most `most` (negative: all). After an empty match the search advances by one
 * character. Anchors refer to the ends of the whole text, so an anchored pattern is searched only once.
 */
function findAll(pattern: string, text: string, most: bigint, budget: Budget): Find[] {
  const re = compile(pattern)
  const anchored = /\^|\\[AbB]/.test(pattern)
  const finds: Find[] = []
  let from = 0
  while (from <= text.length && (most < 0n || BigInt(finds.length) < most)) {
    budget.spend(128 + (text.length - from) * 4)
    const match = re.exec(from === 0 ? text : text.slice(from))
    if (match === undefined) break
    if (match.groups.length === 0) throw new TemplateError('the text is too long for the regexp')
    const start = from + match.index
    const end = start + (match.groups[0] ?? '').length
    finds.push({ start, end, groups: match.groups })
    if (anchored) break
    from = end === start ? end + 1 : end
  }
  return finds
}

/** Replaces matches; `${1}` and `$1` are groups unless the replacement is literal. */
function replaceAll(pattern: string, text: string, by: string, literal: boolean, budget: Budget): string {
  let out = ''
  let from = 0
  for (const { start, end, groups } of findAll(pattern, text, -1n, budget)) {
    const piece = literal ? by : expand(by, groups)
    budget.spend(piece.length)
    out += text.slice(from, start) + piece
    from = end
  }
  return out + text.slice(from)
}

function expand(by: string, groups: readonly (string | undefined)[]): string {
  return by.replace(/\$(?:\$|\{(\d+)\}|(\d+))/g, (whole, braced?: string, bare?: string) => {
    if (whole === '$$') return '$'
    return groups[Number(braced ?? bare)] ?? ''
  })
}

function split(pattern: string, text: string, most: bigint, budget: Budget): string[] {
  if (most === 0n) return []
  const parts: string[] = []
  let from = 0
  for (const { start, end } of findAll(pattern, text, -1n, budget)) {
    if (most > 0n && BigInt(parts.length) === most - 1n) break
    if (end === 0) continue
    parts.push(text.slice(from, start))
    from = end
  }
  parts.push(text.slice(from))
  return parts
}

const functions: FunctionTable = {
  regexMatch: fixed(2, ([pattern, text], budget) => {
    const subject = textOf(text, budget)
    budget.spend(subject.length * 4)
    return compile(textOf(pattern, budget)).test(subject)
  }),
  regexFind: fixed(2, ([pattern, text], budget) => {
    const [find] = findAll(textOf(pattern, budget), textOf(text, budget), 1n, budget)
    return find?.groups[0] ?? ''
  }),
  regexFindAll: fixed(3, ([pattern, text, most], budget) =>
    findAll(textOf(pattern, budget), textOf(text, budget), wholeOf(most), budget).map((find) => find.groups[0] ?? ''),
  ),
  regexReplaceAll: fixed(3, ([pattern, text, by], budget) =>
    replaceAll(textOf(pattern, budget), textOf(text, budget), textOf(by, budget), false, budget),
  ),
  regexReplaceAllLiteral: fixed(3, ([pattern, text, by], budget) =>
    replaceAll(textOf(pattern, budget), textOf(text, budget), textOf(by, budget), true, budget),
  ),
  regexSplit: fixed(3, ([pattern, text, most], budget) =>
    split(textOf(pattern, budget), textOf(text, budget), wholeOf(most), budget),
  ),
}

export const patternFunctions: FunctionTable = {
  ...functions,
  ...withMust(functions),
  regexQuoteMeta: onText((text) => text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')),
}
