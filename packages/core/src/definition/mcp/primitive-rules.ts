/**
 * Rules for tools, resources and prompts. The name in a rule matches like the path of a rule, as a prefix: a rule for
 * `get` also matches `getter`, and a star at the end of a resource matches the rest. The name also matches literally,
 * because URIs contain characters with a meaning in patterns; otherwise a rule that blocks `db://rows?all` would not
 * match `db://rows?all`. Source: docs/reference/mcp-proxies.md#primitives.
 */
import { pathPatternSource } from '../../lib/regex/path-pattern.ts'
import { compileRe2 } from '../../lib/regex/re2.ts'
import { type Primitive, type PrimitiveKind, primitiveKinds, primitiveOfPath } from './primitive.ts'
import { foldPatternHost, readResourceUri, resourceNames } from './resource-uri.ts'

export interface NameMatching {
  readonly ignoreCase: boolean
  /** Whether names must match to their end (`enable_path_suffix_matching`). */
  readonly whole: boolean
}

/** Finds the rule for a primitive; `undefined`: none matches. */
export type FindPrimitiveRule<T> = (primitive: Primitive) => T | undefined

/**
 * Compiles the rules for primitives of a list; `null`: there are none. Of several matching rules, the one with the
 * longest name counts.
 */
export function compilePrimitiveRules<R extends { readonly path: string; readonly ignoreCase?: boolean }, T>(
  rules: readonly R[],
  matching: NameMatching,
  make: (rule: R) => T | undefined,
): FindPrimitiveRule<T> | null {
  const byKind = new Map<PrimitiveKind, { length: number; matches: (name: string) => boolean; use: T }[]>()
  for (const rule of rules) {
    const primitive = primitiveOfPath(rule.path)
    const use = primitive === undefined ? undefined : make(rule)
    if (primitive === undefined || use === undefined) continue
    const list = byKind.get(primitive.kind) ?? []
    byKind.set(primitive.kind, list)
    const ignoreCase = matching.ignoreCase || (rule.ignoreCase ?? false)
    const compile = primitive.kind === 'resource' ? compileUri : compileName
    list.push({ length: primitive.name.length, matches: compile(primitive.name, { ...matching, ignoreCase }), use })
  }
  if (byKind.size === 0) return null
  for (const kind of primitiveKinds) byKind.get(kind)?.sort((a, b) => b.length - a.length)
  return ({ kind, name }) => {
    const names = kind === 'resource' ? resourceNames(name) : [name]
    for (const { matches, use } of byKind.get(kind) ?? []) if (names.some(matches)) return use
    return undefined
  }
}

/** Compiles the URI in a rule, which matches as it is written and in its canonical form. */
function compileUri(written: string, matching: NameMatching): (name: string) => boolean {
  const folded = foldPatternHost(written)
  const forms = new Set([folded, readResourceUri(written).canonical ?? folded])
  const tests = [...forms].map((form) => compileName(form, matching))
  return (name) => tests.some((test) => test(name))
}

/** Compiles the name in a rule to a predicate on names of primitives. */
export function compileName(written: string, { ignoreCase, whole }: NameMatching): (name: string) => boolean {
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text)
  const hasStar = written.endsWith('/*')
  const start = fold(hasStar ? written.slice(0, -1) : written)
  const literally =
    whole && !hasStar ? (name: string) => fold(name) === start : (name: string) => fold(name).startsWith(start)
  const source = pathPatternSource(written)
  const own = compileRe2(source)
  const pattern =
    own.problem === undefined ? compileRe2(`^(?:${source})${whole ? '$' : ''}`, { ignoreCase, dotAll: true }) : own
  // A name that is not a valid pattern matches only literally.
  return pattern.problem === undefined ? (name) => literally(name) || pattern.test(name) : literally
}
