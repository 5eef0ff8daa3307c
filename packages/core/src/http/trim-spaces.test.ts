import { expect, it } from 'vitest'
import { trimSpaces } from './trim-spaces.ts'

it('removes spaces and tabs around a value, and no other characters', () => {
  const texts = ['', ' ', '\t a\tb \t', 'a', '\u00a0a\u00a0', ' \n ']
  expect(texts.map(trimSpaces)).toEqual(['', '', 'a\tb', 'a', '\u00a0a\u00a0', '\n'])
})
