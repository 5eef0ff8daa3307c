/**
 * Rules for single tools, resources and prompts. A name is matched like any path of a rule: from its start, not to its
 * end, so that a rule for `get` also hits `getter`; a star at the end of a resource takes all the rest. A name also
 * stands for itself, letter by letter, since URIs are full of signs that mean something in patterns: a rule for
 * `db://rows?all` that did not hit `db://rows?all` would be a hole. Source: spec/oas-and-mcp.md 2.2.
 */
import { pathPatternSource } from '../../lib/regex/path-pattern.ts'
import { compileRe2 } from '../../lib/regex/re2.ts'
import { type Primitive, type PrimitiveKind, primitiveKinds, primitiveOfPath } from './primitive.ts'

export interface NameMatching {
  readonly ignoreCase: boolean
  /** Names match to their end (`enable_path_suffix_matching`). */
  readonly whole: boolean
}

/** Finds the rule for a primitive; `undefined` where none fits. */
export type FindPrimitiveRule<T> = (primitive: Primitive) => T | undefined

/**
 * Compiles the rules of a list that are about primitives. Of several that fit, the one with the longest name counts.
 * `null`: there are none.
 */
export function compilePrimitiveRules<R extends { readonly path: string; readonly ignoreCase?: boolean }, T>(
  rules: readonly R[],
  matching: NameMatching,
  make: (rule: R) => T | undefined,
): FindPrimitiveRule<T> | null {
  const byKind = new Map<PrimitiveKind, { length: number; fits: (name: string) => boolean; use: T }[]>()
  for (const rule of rules) {
    const primitive = primitiveOfPath(rule.path)
    const use = primitive === undefined ? undefined : make(rule)
    if (primitive === undefined || use === undefined) continue
    const list = byKind.get(primitive.kind) ?? []
    byKind.set(primitive.kind, list)
    const ignoreCase = matching.ignoreCase || (rule.ignoreCase ?? false)
    list.push({ length: primitive.name.length, fits: compileName(primitive.name, { ...matching, ignoreCase }), use })
  }
  if (byKind.size === 0) return null
  for (const kind of primitiveKinds) byKind.get(kind)?.sort((a, b) => b.length - a.length)
  return ({ kind, name }) => {
    for (const { fits, use } of byKind.get(kind) ?? []) if (fits(name)) return use
    return undefined
  }
}

/** Whether a name is meant by the name in a rule. */
export function compileName(written: string, { ignoreCase, whole }: NameMatching): (name: string) => boolean {
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text)
  const open = written.endsWith('/*')
  const start = fold(open ? written.slice(0, -1) : written)
  const literally =
    whole && !open ? (name: string) => fold(name) === start : (name: string) => fold(name).startsWith(start)
  const source = pathPatternSource(written)
  const own = compileRe2(source)
  const pattern = own.problem === undefined ? compileRe2(`^(?:${source})${whole ? '$' : ''}`, { ignoreCase }) : own
  // A name that is no pattern stands for itself alone.
  return pattern.problem === undefined ? (name) => literally(name) || pattern.test(name) : literally
}
