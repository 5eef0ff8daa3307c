import { expect, it } from 'vitest'
import { makeHiddenTexts } from './stage-trace.ts'

function shownWith(secrets: readonly string[], text: string): string {
  const hidden = makeHiddenTexts()
  for (const secret of secrets) hidden.hide(secret)
  return hidden.shown(text)
}

it('replaces each secret once, also one that is part of the replacement', () => {
  expect(shownWith(['secret', 'long secret'], 'a long secret and a secret')).toBe('a [secret] and a [secret]')
})

it('replaces secrets with special characters of patterns, and no others', () => {
  expect(shownWith(['a.b*(c', '[x]+$'], 'a.b*(c axb [x]+$ x')).toBe('[secret] axb [secret] x')
})

it('replaces secrets that are added after a text was shown', () => {
  const hidden = makeHiddenTexts()
  expect(hidden.shown('first')).toBe('first')
  hidden.hide('first')
  expect(hidden.shown('first second')).toBe('[secret] second')
  hidden.hide('second')
  expect(hidden.shown('first second')).toBe('[secret] [secret]')
})

it('does not replace short parts of a URL', () => {
  expect(shownWith(['http://host.test/a?b'], 'host.test /a b')).toBe('[secret] /a b')
})
