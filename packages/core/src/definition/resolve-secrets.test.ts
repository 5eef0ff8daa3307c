import { describe, expect, it } from 'vitest'
import type { SecretLookup } from '../lib/secret-lookup.ts'
import { type ReplacedTexts, resolveSecrets, withReplacedTexts } from './resolve-secrets.ts'

const variables: Readonly<Record<string, string>> = {
  'env UP': 'http://a',
  'secret_env UP': 'http://b',
  'secret_env P': '/p/',
}
const lookup: SecretLookup = (from, name) => variables[`${from} ${name}`]

describe('a reference to a variable', () => {
  it('that is a whole target URL or listen path also finds secret variables', () => {
    const document = {
      proxy: { target_url: 'env://UP', listen_path: 'env://P' },
      name: 'env://P',
      other: { target_url: 'http://env://P' },
    }
    resolveSecrets(document, lookup)
    expect(document).toEqual({
      proxy: { target_url: 'http://a', listen_path: '/p/' },
      name: 'env://P',
      other: { target_url: 'http://env://P' },
    })
  })
})

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
