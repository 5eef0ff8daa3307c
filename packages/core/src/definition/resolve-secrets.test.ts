import { describe, expect, it } from 'vitest'
import type { SecretLookup } from '../lib/secret-lookup.ts'
import { resolveSecrets } from './resolve-secrets.ts'

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
    expect(resolveSecrets(document, lookup).resolved).toEqual({
      proxy: { target_url: 'http://a', listen_path: '/p/' },
      name: 'env://P',
      other: { target_url: 'http://env://P' },
    })
  })
})

it('the document keeps its references, and shares all parts without references with the result', () => {
  const document = { url: 'http://env://HOST', list: ['a', 'env://HOST', { b: 'x' }], plain: { c: [1, null] } }
  const original = structuredClone(document)
  const { resolved, values } = resolveSecrets(document, () => 'h')
  expect([document, values]).toEqual([original, ['h', 'h']])
  expect(resolved).toEqual({ ...original, url: 'http://h', list: ['a', 'h', { b: 'x' }] })
  expect((resolved as typeof document).plain).toBe(document.plain)
  expect((resolved as typeof document).list[2]).toBe(document.list[2])
  expect(resolveSecrets(document.plain, () => 'h').resolved).toBe(document.plain)
})
