import { expect, it } from 'vitest'
import { readPairs } from './read-head.ts'

const cpuMs = () => process.cpuUsage().user / 1000

it('trims the values of trailers', () => {
  expect(readPairs([Buffer.from('X-A'), Buffer.from('\t a b \t')])).toEqual(['x-a', 'a b'])
})

it('trims a value with 60,000 spaces in its middle in linear time', () => {
  const raw = [Buffer.from('x'), Buffer.from(`a${' '.repeat(60_000)}b`)]
  const runs = [1, 2, 3].map(() => {
    const before = cpuMs()
    readPairs(raw)
    return cpuMs() - before
  })
  expect(Math.min(...runs)).toBeLessThan(50)
})
