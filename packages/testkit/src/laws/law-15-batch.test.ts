import { describe, expect, it } from 'vitest'
import { batchFaults } from '../faults/batch-faults.ts'
import { engineBatches } from './batch-subject.ts'
import { expectLaw } from './law.ts'
import { batchLaw } from './law-15-batch.ts'

const subjects = [
  engineBatches('the engine'),
  engineBatches('the engine with one place for items', {
    limits: { maxConcurrency: 1 },
  }),
]
const requests = process.env.CI === undefined ? 1_500 : 15_000

describe(`law 15, ${batchLaw.statement}`, () => {
  it.each(subjects.map((subject) => [subject.name, subject] as const))('%s', async (_, subject) => {
    await expectLaw(batchLaw, subject, { requests })
  })
})

describe('every planted fault of batches is caught', () => {
  it.each(batchFaults.map((fault) => [fault.name, fault] as const))('%s', async (_, fault) => {
    const report = await fault.run({ requests: 5_000, seed: 1 })
    expect(report.holds, `law ${fault.law}`).toBe(false)
    if (!report.holds) expect(report.trace.split('\n').length).toBeLessThan(10)
  })
})
