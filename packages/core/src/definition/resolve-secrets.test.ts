import { expect, it } from 'vitest'
import { type ReplacedTexts, resolveSecrets, withReplacedTexts } from './resolve-secrets.ts'

it('the document with references shares all parts without references', () => {
  const document = { url: 'http://env://HOST', list: ['a', 'env://HOST', { b: 'x' }], plain: { c: [1, null] } }
  const original = structuredClone(document)
  const replaced: ReplacedTexts = new Map()
  expect(resolveSecrets(document, () => 'h', replaced)).toEqual(['h', 'h'])
  expect(document.list[1]).toBe('h')
  const restored = withReplacedTexts(document, replaced) as typeof document
  expect(restored).toEqual(original)
  expect(restored.plain).toBe(document.plain)
  expect(restored.list[2]).toBe(document.list[2])
  expect(withReplacedTexts(document.plain, replaced)).toBe(document.plain)
})
