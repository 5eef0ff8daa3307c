import { describe, expect, it } from 'vitest'
import { cacheFaults, slowCache } from '../faults/law-19-cache-faults.ts'
import { expectLaw } from './law.ts'
import { cacheLaw } from './law-19-cache.ts'
import { engineCache } from './law-19-cache-subject.ts'

const subjects = [
  engineCache('cache_options, in memory'),
  engineCache('RFC 9111, in memory', { mode: 'rfc9111' }),
  slowCache,
]
const requests = process.env.CI === undefined ? 3_000 : 30_000

describe(`law 19, ${cacheLaw.statement}`, () => {
  it.each(subjects.map((subject) => [subject.name, subject] as const))('%s', async (_, subject) => {
    await expectLaw(cacheLaw, subject, { requests })
  })
})

describe('every planted fault of the cache is caught', () => {
  it.each(cacheFaults.map((fault) => [fault.name, fault] as const))('%s', async (_, fault) => {
    const report = await fault.run({ requests: 10_000, seed: 1 })
    expect(report.holds, `law ${fault.law}`).toBe(false)
    if (!report.holds) expect(report.trace.split('\n').length).toBeLessThan(8)
  })
})
