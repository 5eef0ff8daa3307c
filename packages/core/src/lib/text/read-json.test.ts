import { expect, it } from 'vitest'
import { maxJsonDepth, maxJsonValues, readJson } from './read-json.ts'
import { utf8Bytes } from './utf8.ts'

it('limits the depth and the number of values, not the length of strings', () => {
  expect(readJson(utf8Bytes(`${'['.repeat(maxJsonDepth + 1)}`)).problem).toContain('max depth')
  expect(readJson(utf8Bytes(`[${'0,'.repeat(maxJsonValues)}0]`)).problem).toContain('number of')
  expect(readJson(utf8Bytes(`[${'{},'.repeat(maxJsonValues / 2)}{}]`)).problem).toContain('number of')
  const text = JSON.stringify({ a: ',[{'.repeat(maxJsonValues) })
  expect(readJson(utf8Bytes(text)).problem).toBeUndefined()
})
