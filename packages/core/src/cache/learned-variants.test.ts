import { expect, it } from 'vitest'
import { makeLearnedVariants } from './learned-variants.ts'

const german = ['x-lang', 'de']

it('adds the headers that Vary named before to the cache key', () => {
  const variants = makeLearnedVariants(new Set())
  expect(variants.linesFor('GET-/a', german)).toBe('')
  expect(variants.learn('GET-/a', ['vary', 'X-Lang, Accept', 'vary', 'x-lang'])).toBe(true)
  expect(variants.linesFor('GET-/a', german)).toBe('\nx-lang-de\naccept-')
  expect(variants.linesFor('GET-/b', german)).toBe('')
  variants.learn('GET-/a', ['vary', 'x-b'])
  expect(variants.linesFor('GET-/a', german)).toBe('\nx-lang-de\naccept-\nx-b-')
})

it('does not store what everything selects, and leaves out what the key contains', () => {
  const variants = makeLearnedVariants(new Set(['x-lang']))
  expect(variants.learn('GET-/a', ['vary', 'accept, *'])).toBe(false)
  expect(variants.learn('GET-/a', ['vary', 'X-Lang'])).toBe(true)
  expect(variants.linesFor('GET-/a', german)).toBe('')
  expect(variants.fits('GET-/a', ['vary', 'x-lang'], german)).toBe(true)
})

it('serves no response whose Vary it has not learned, as after a start', () => {
  const variants = makeLearnedVariants(new Set())
  const stored = ['vary', 'x-lang']
  expect(variants.fits('GET-/a', stored, german)).toBe(false)
  variants.learn('GET-/a', stored)
  expect(variants.fits('GET-/a', stored, german)).toBe(true)
  expect(variants.fits('GET-/a', ['vary', '*'], german)).toBe(false)
})

it.each([
  ['gzip', 'gzip', true],
  ['br, gzip;q=0.5', 'gzip', true],
  ['*', 'br', true],
  ['gzip;q=0', 'gzip', false],
  ['br', 'gzip', false],
  [undefined, 'gzip', false],
  [undefined, undefined, true],
  ['br', 'identity', true],
  ['gzip', 'br, gzip', false],
])('with Accept-Encoding %s a body with the coding %s is served: %s', (accepted, coding, isServed) => {
  const request = accepted === undefined ? [] : ['accept-encoding', accepted]
  const stored = coding === undefined ? [] : ['content-encoding', coding]
  expect(makeLearnedVariants(new Set()).fits('GET-/a', stored, request)).toBe(isServed)
})

it('forgets all URLs when it knows too many', () => {
  const variants = makeLearnedVariants(new Set(), 2)
  for (const url of ['a', 'b', 'c']) variants.learn(url, ['vary', 'x-lang'])
  expect(['a', 'b', 'c'].map((url) => variants.linesFor(url, german) !== '')).toEqual([false, false, true])
})
