import { expect, it } from 'vitest'
import { maxJsonDepth, maxJsonValues, maxObjectMembers, readJson } from './read-json.ts'
import { utf8Bytes } from './utf8.ts'

it('limits the depth and the number of values, not the length of strings', () => {
  expect(readJson(utf8Bytes(`${'['.repeat(maxJsonDepth + 1)}`)).problem).toContain('max depth')
  expect(readJson(utf8Bytes(`[${'0,'.repeat(maxJsonValues)}0]`)).problem).toContain('number of')
  expect(readJson(utf8Bytes(`[${'{},'.repeat(maxJsonValues / 2)}{}]`)).problem).toContain('number of')
  const text = JSON.stringify({ a: ',[{'.repeat(maxJsonValues) })
  expect(readJson(utf8Bytes(text)).problem).toBeUndefined()
})

it('limits the members of each object', () => {
  const objectOf = (count: number) => `{${Array.from({ length: count }, (_, i) => `"${i}:":0`).join(',')}}`
  expect(readJson(utf8Bytes(`[${objectOf(maxObjectMembers)},${objectOf(10)}]`)).problem).toBeUndefined()
  expect(readJson(utf8Bytes(`[{},${objectOf(maxObjectMembers + 1)}]`)).problem).toContain('20000 members')
})
