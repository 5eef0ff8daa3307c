import { describe, expect, it } from 'vitest'
import { compileRe2, type Re2 } from './re2.ts'

function compiled(pattern: string, ignoreCase = false): Re2 {
  const made = compileRe2(pattern, { ignoreCase })
  if (made.problem !== undefined) throw new Error(made.problem)
  return made
}

describe('a pattern in RE2 syntax', () => {
  it('matches anywhere in the text', () => {
    expect(compiled('/no').test('/deep/no/where')).toBe(true)
    expect(compiled('/item/[0-9]+$').test('/x/item/77')).toBe(true)
    expect(compiled('/item/[0-9]+$').test('/x/item/77a')).toBe(false)
  })

  it('can be a literal text, anchored or not', () => {
    for (const [pattern, yes, no] of [
      ['/a', 'x/a/b', '/b'],
      ['^/a', '/ab', 'x/a'],
      ['/a$', 'x/a', '/ab'],
      ['^/a$', '/a', '/ab'],
      ['', 'x', undefined],
    ] as const) {
      const re2 = compiled(pattern)
      expect(re2.test(yes)).toBe(true)
      if (no !== undefined) expect(re2.test(no)).toBe(false)
    }
    expect(compiled('^$').test('')).toBe(true)
    expect(compiled('b$').exec('abb')).toEqual({ index: 2, groups: ['b'] })
  })

  it('returns the match and its groups, and undefined for groups that did not participate', () => {
    const found = compiled('/(a)?/([^/]+)').exec('x//bc/d')
    expect(found?.index).toBe(1)
    expect([...(found?.groups ?? [])]).toEqual(['//bc', undefined, 'bc'])
  })

  it('has the semantics of RE2 where JavaScript differs', () => {
    // `$` matches only at the end of the text, the dot excludes only line feeds, and `\s` is ASCII white space.
    expect(compiled('a$').test('a\n')).toBe(false)
    expect(compiled('^a.b$').test('a\rb')).toBe(true)
    expect(compiled('^a.b$').test('a\nb')).toBe(false)
    expect(compiled('^\\s$').test('\u00a0')).toBe(false)
    expect(compiled('^.$').test('😀')).toBe(true)
    expect(compiled('a{,2}').test('a{,2}')).toBe(true)
    expect(compiled('\\Aab\\z').test('ab')).toBe(true)
    expect(compiled('\\Qa.b\\E').test('a.b')).toBe(true)
    expect(compiled('^[[:digit:]]+$').test('12')).toBe(true)
  })

  it('can ignore case, by option or by flag', () => {
    expect(compiled('/shout', true).test('/SHOUT')).toBe(true)
    expect(compiled('(?i)/shout').test('/ShOuT')).toBe(true)
    expect(compiled('^[^a]$', true).test('A')).toBe(false)
    expect(compiled('^é$', true).test('É')).toBe(true)
  })

  it.each(['(', '[a', 'a**', '(?=a)', '\\1', 'a{2,1}', 'a{1001}', '(?P<n>a', '[z-a]'])(
    'reports what is wrong with %s',
    (pattern) => {
      expect(compileRe2(pattern).problem).toEqual(expect.any(String))
    },
  )

  it('is fast for patterns that are exponential in other engines', () => {
    const text = `${'a'.repeat(20_000)}!`
    const started = performance.now()
    for (const pattern of [
      '(a+)+$',
      '(a|a)*$',
      'a*a*$',
      '[a-z]+x',
      '(a?){20}a{20}$',
      'a?a?a?a?a?a?a?a?a?a?aaaaaaaaaa$',
      '^(a|aa)+$',
    ]) {
      compiled(pattern).test(text)
    }
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  it('finds groups only in texts that it can search in time, and tests longer ones', () => {
    const pattern = compiled('^.*(x)(y)?(z)?$')
    expect(pattern.maxLocatedLength).toBeLessThan(400_000)
    const long = 'a'.repeat(1_000_000)
    expect([pattern.exec(long), pattern.locate(long)]).toEqual([undefined, undefined])
    expect([pattern.exec(`${long}x`), pattern.locate(`${long}x`)]).toEqual([{ index: -1, groups: [] }, []])
    expect(pattern.exec(`${'a'.repeat(1_000)}xy`)?.groups).toEqual(expect.arrayContaining(['x', 'y']))
    expect(compiled('a{1000}b{1000}').maxLocatedLength).toBe(16 * 1024)
  })

  it('compiles deep and long patterns without a stack overflow', () => {
    for (const pattern of ['('.repeat(100_000), '['.repeat(100_000), `${'('.repeat(5_000)}a${')'.repeat(5_000)}`]) {
      const made = compileRe2(pattern)
      expect(made.problem === undefined ? made.test('x') : made.problem).toBeDefined()
    }
  })
})
