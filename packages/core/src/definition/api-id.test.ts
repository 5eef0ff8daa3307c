import { expect, it } from 'vitest'
import { isApiId, isSafeApiId } from './api-id.ts'

it.each(['a', 'a.b', 'a...', 'f81d4fae7dec', 'a b', 'ä', '50%', '%zz', '-oas'])('accepts %j as a file name', (id) => {
  expect(isSafeApiId(id)).toBe(true)
})

it.each([
  '',
  '.',
  '..',
  '...',
  '.hidden',
  '%2ehidden',
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
])('rejects %j as a file name', (id) => {
  expect(isSafeApiId(id)).toBe(false)
})

it('an API has no id that makes its file the document of another API', () => {
  expect(['a-oas', 'a-mcp', '-oas', 'A-OAS', '../a', ''].filter(isApiId)).toEqual([])
  expect(['a', 'oas', 'a-oas-b', 'a_oas'].filter(isApiId)).toHaveLength(4)
})
