import { describe, expect, it } from 'vitest'
import { cacheMutants, slowCache } from '../mutants/cache-mutants.ts'
import { expectProperty } from './property.ts'
import { cacheProperty } from './property-19-cache.ts'
import { engineCache } from './subjects/cache-subject.ts'

const subjects = [
  engineCache('cache_options, in memory'),
  engineCache('RFC 9111, in memory', { mode: 'rfc9111' }),
  slowCache,
]
const requests = process.env.CI === undefined ? 3_000 : 30_000

describe(`property 19, ${cacheProperty.statement}`, () => {
  it.each(subjects.map((subject) => [subject.name, subject] as const))('%s', async (_, subject) => {
    await expectProperty(cacheProperty, subject, { requests })
  })
})

describe('every seeded bug of the cache is detected', () => {
  it.each(cacheMutants.map((mutant) => [mutant.name, mutant] as const))('%s', async (_, mutant) => {
    const report = await mutant.run({ requests: 10_000, seed: 1 })
    expect(report.holds, `property ${mutant.property}`).toBe(false)
    if (!report.holds) expect(report.trace.split('\n').length).toBeLessThan(8)
  })
})
