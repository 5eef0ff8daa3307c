import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import { compilePathPattern, isPlainPath } from '../../lib/regex/path-pattern.ts'
import { PathRuleIndex } from './path-rule-index.ts'

const words = ['a', 'ab', 'abc', 'b', 'K', 'k', 's', 'ſ', 'K', '', '{id}', '{x}.{y}', 'v{n}', '*', '.', 'a.b']
const rulePart = fc.constantFrom(...words, 'a?', 'a*', '(a|b)', '[ab]', '{id:[a/]+}', 'a|b', 'a$', '\\w', 'ab+', 'a{2}')
const rule = fc.record({
  path: fc
    .tuple(fc.constantFrom('/', '^/', ''), fc.array(rulePart, { maxLength: 4 }))
    .map(([start, parts]) => start + parts.join('/')),
  ignoreCase: fc.boolean(),
})
const pathPart = fc.constantFrom(
  'a',
  'ab',
  'abc',
  'aa',
  'b',
  'A',
  'K',
  'k',
  'S',
  'ſ',
  'K',
  '',
  'a.b',
  'v1',
  'a\nb',
  'ß',
  'İ',
)
const path = fc
  .tuple(fc.constantFrom('/', ''), fc.array(pathPart, { maxLength: 5 }))
  .map(([start, parts]) => start + parts.join('/'))
const options = fc.record({ prefix: fc.boolean(), suffix: fc.boolean() })

test.prop([fc.array(rule, { minLength: 1, maxLength: 12 }), path, options], { numRuns: 2_000 })(
  'the first rule that matches is found',
  (rules, given, matching) => {
    const compiled = rules.map(({ path: pattern, ignoreCase }) => {
      const found = compilePathPattern(pattern, { ...matching, ignoreCase })
      if (isPlainPath(pattern)) expect(found.problem).toBe(undefined)
      return found.problem === undefined && found.test(given)
    })
    const matches = (place: number) => compiled[place] === true
    const index = new PathRuleIndex(rules)
    expect(index.find([given], matches)).toBe(compiled.includes(true) ? compiled.indexOf(true) : undefined)
    // Also if none but the last one that matches is accepted.
    const last = compiled.lastIndexOf(true)
    expect(index.find([given], (place) => place === last)).toBe(last === -1 ? undefined : last)
  },
)

test('of many rules only those with the segments of the path are candidates', () => {
  const rules = Array.from({ length: 1_000 }, (_, i) => ({ path: `/repos/{owner}/r${i}/x`, ignoreCase: false }))
  const tried: number[] = []
  new PathRuleIndex(rules).find(['/d/repos/me/r7/xy', '/other'], (place) => tried.push(place) === 0)
  expect(tried).toEqual([7])
})
