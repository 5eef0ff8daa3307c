import { expect, it } from 'vitest'
import { canonicalName, isToken } from './field-names.ts'

it('header names have a canonical form', () => {
  expect(['x-ratelimit-limit', 'etag', 'WWW-authenticate', 'x-1a'].map(canonicalName)).toEqual([
    'X-Ratelimit-Limit',
    'Etag',
    'Www-Authenticate',
    'X-1a',
  ])
})

it('names of methods and headers have no separators and no spaces', () => {
  expect(['M-SEARCH', 'x_1', "!#$%&'*+-.^_`|~"].map(isToken)).toEqual([true, true, true])
  expect(['', 'a b', 'a:', 'a/b', 'a\r\n', 'é'].map(isToken)).toEqual([false, false, false, false, false, false])
})
