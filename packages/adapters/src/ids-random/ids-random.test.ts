import { expect, test } from 'vitest'
import { randomIds } from './ids-random.ts'

test('ids are version 4 UUIDs without dashes', () => {
  for (let i = 0; i < 1000; i++) expect(randomIds.uuid()).toMatch(/^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/)
})

test('ids are unique, also across buffers of random bytes', () => {
  const seen = new Set(Array.from({ length: 20_000 }, () => randomIds.uuid()))
  expect(seen.size).toBe(20_000)
})

test('each random digit takes every value', () => {
  const values = Array.from({ length: 32 }, () => new Set<string>())
  for (let i = 0; i < 2000; i++) {
    const id = randomIds.uuid()
    for (let at = 0; at < 32; at++) values[at]?.add(id.charAt(at))
  }
  const random = values.filter((_, at) => at !== 12 && at !== 16)
  expect(random.every((digits) => digits.size === 16)).toBe(true)
})
