/**
 * Notes on rules whose path is the beginning of another rule's path. Patterns are not anchored, and of one list the first
 * rule that matches counts, so the rule further down never applies (docs/reference/api-definition.md#path-matching).
 */

import type { JsonPath } from '../../lib/shape/shape.ts'
import type { Report } from '../findings/finding.ts'
import { isForPrimitive } from '../mcp/document-rules.ts'

interface LocatedRule {
  readonly path: string
  readonly at: JsonPath
  /** Empty: any. */
  readonly methods: readonly string[]
}

/** Bounds the time for a list with thousands of rules for one path. */
const maxCompared = 100

/** `list` holds the rules of one list of a version in their order, as the definition has them. */
export function lintRuleOrder(list: readonly unknown[], at: JsonPath, report: Report): void {
  const rules = list.flatMap((rule, i) => locatedRule(rule, [...at, i]) ?? [])
  // Sorted, a path stands directly before the paths that begin with it.
  const places = new Map(rules.map((rule, i) => [rule, i]))
  const sorted = [...rules].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  for (const [i, rule] of sorted.entries()) {
    for (let next = i + 1; next <= i + maxCompared && sorted[next]?.path.startsWith(rule.path); next++) {
      const other = sorted[next] as LocatedRule
      const isLater = (places.get(other) ?? 0) > (places.get(rule) ?? 0)
      if (!isLater || !isLonger(rule.path, other.path) || !haveSameMethod(rule, other)) continue
      report('rule-of-longer-paths', rule.at, { other: other.path })
      break
    }
  }
}

function locatedRule(rule: unknown, at: JsonPath): LocatedRule | undefined {
  if (typeof rule === 'string') return { path: withoutAnchor(rule), at, methods: [] }
  const { path, disabled, method, methodActions } = rule as Partial<Record<string, unknown>>
  if (typeof path !== 'string' || disabled === true || isForPrimitive(rule)) return undefined
  const actions = Object.keys((methodActions as object | null | undefined) ?? {})
  const methods = typeof method === 'string' && method !== '' ? [method] : actions
  return { path: withoutAnchor(path), at: [...at, 'path'], methods }
}

function withoutAnchor(path: string): string {
  return path.startsWith('^') ? path.slice(1) : path
}

/** A closing slash makes no other path. */
function isLonger(path: string, other: string): boolean {
  const rest = other.slice(path.length)
  return path !== '' && rest !== '' && rest !== '/' && !/^[$*+?{(|]/.test(rest)
}

function haveSameMethod(a: LocatedRule, b: LocatedRule): boolean {
  return a.methods.length === 0 || b.methods.length === 0 || a.methods.some((method) => b.methods.includes(method))
}
