import { expect, test } from 'vitest'
import { fuzzResponse } from './fuzz-response.ts'
import { hostileResponse } from './hostile-response.ts'
import { makeRandom } from './random.ts'

test('the parser reads hostile bytes the same in any pieces, and within its rules', () => {
  const first = Date.now()
  for (let seed = first; seed < first + 20_000; seed++) fuzzResponse(seed)
})

test('the grammar makes complete responses as well as malformed ones', () => {
  const texts = Array.from({ length: 2000 }, (_, seed) => hostileResponse(makeRandom(seed)))
  expect(new Set(texts).size).toBeGreaterThan(1500)
  expect(texts.filter((text) => text.startsWith('HTTP/1.1 200 OK\r\n')).length).toBeGreaterThan(100)
})
