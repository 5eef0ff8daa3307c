import { expect, it } from 'vitest'
import { isSafeApiId } from './api-id.ts'

it.each(['a', 'a.b', '...', 'f81d4fae7dec', 'a b', 'ä', '50%', '%zz', '-oas'])('lets %j name a file', (id) => {
  expect(isSafeApiId(id)).toBe(true)
})

it.each([
  '',
  '.',
  '..',
  '../evil',
  'a/b',
  'a\\b',
  '%2e%2e',
  '%2fetc',
  '%252e%252e%252f',
  '%25252fx',
  '..%5cx',
  'a\u0000',
  'a%00',
  '%ff%2f',
])('does not let %j name a file', (id) => {
  expect(isSafeApiId(id)).toBe(false)
})
