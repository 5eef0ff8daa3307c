/** Checks URL rewrites: their patterns, and whether their targets use groups that the pattern has. */

import { compileRe2 } from '../../lib/regex/re2.ts'
import type { JsonPath } from '../../lib/shape/shape.ts'
import type { Report } from '../findings/finding.ts'
import type { ExtendedPaths } from '../version-shape.ts'

type Rewrite = NonNullable<ExtendedPaths['urlRewrites']>[number]
type Triggers = NonNullable<Rewrite['triggers']>[number]['options']

/** `at` is the path of the list. */
export function lintRewrites(rewrites: readonly Rewrite[], at: JsonPath, report: Report): void {
  for (const [i, rewrite] of rewrites.entries()) {
    const path = [...at, i]
    lintRegExp(rewrite.matchPattern, [...path, 'match_pattern'], report)
    lintTarget(rewrite, rewrite.rewriteTo, [...path, 'rewrite_to'], report)
    for (const [t, { options, rewriteTo }] of (rewrite.triggers ?? []).entries()) {
      const trigger = [...path, 'triggers', t]
      lintTarget(rewrite, rewriteTo, [...trigger, 'rewrite_to'], report)
      lintOptions(options, [...trigger, 'options'], report)
    }
  }
}

/** Reports a pattern that is not valid. */
export function lintRegExp(pattern: string, at: JsonPath, report: Report): void {
  const { problem } = compileRe2(pattern)
  if (problem !== undefined) report('invalid-regular-expression', at, { problem })
}

/** Reports a pattern for bodies that is not valid, or that is too large to be searched in bodies of ordinary length. */
export function lintBodyRegExp(pattern: string, at: JsonPath, report: Report): void {
  lintRegExp(pattern, at, report)
  const compiled = compileRe2(pattern)
  if (compiled.problem !== undefined || compiled.maxLocatedLength >= ordinaryBodyLength) return
  report('large-regular-expression', at, { length: compiled.maxLocatedLength })
}

const ordinaryBodyLength = 64 * 1024

/** A variable that is the whole target can be a URL; at the beginning of a longer one its value is a path segment. */
const leadingVariable = /^\$(?:\w+_(?:context|meta)|secret_(?:env|conf))\.[\w.-]+[^\w.-]/

/** A number without a group stays in the URL as it is written. */
function lintTarget({ matchPattern, disabled }: Rewrite, target: string, at: JsonPath, report: Report): void {
  if (!disabled && leadingVariable.test(target)) report('rewrite-begins-with-variable', at)
  const count = disabled ? undefined : groupCount(matchPattern)
  if (count === undefined) return
  const numbers = new Set([...target.matchAll(/\$(\d+)/g)].map(([, digits]) => Number(digits)))
  for (const number of numbers) {
    if (number <= count) continue
    const groups = count === 0 ? 'no group' : count === 1 ? 'one group' : `${count} groups`
    report('rewrite-without-group', at, { number, groups })
  }
}

/** Number of groups; `undefined`: the pattern is not valid. The added alternative matches every text. */
function groupCount(pattern: string): number | undefined {
  const compiled = compileRe2(`${pattern}|`)
  return compiled.problem === undefined ? (compiled.exec('')?.groups.length ?? 1) - 1 : undefined
}

function lintOptions(options: Triggers, at: JsonPath, report: Report): void {
  for (const [group, matches] of Object.entries(options)) {
    const here = [...at, group.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]
    if (group === 'payloadMatches') {
      lintBodyRegExp((matches as { matchRx: string }).matchRx, [...here, 'match_rx'], report)
      continue
    }
    for (const [name, match] of Object.entries((matches ?? {}) as Record<string, { matchRx: string }>)) {
      lintRegExp(match.matchRx, [...here, name, 'match_rx'], report)
    }
  }
}
