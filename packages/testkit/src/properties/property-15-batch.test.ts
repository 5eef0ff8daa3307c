import { describe, expect, it } from 'vitest'
import { batchMutants } from '../mutants/batch-mutants.ts'
import { expectProperty } from './property.ts'
import { batchProperty } from './property-15-batch.ts'
import { engineBatches } from './subjects/batch-subject.ts'

const subjects = [
  engineBatches('the engine'),
  engineBatches('the engine with one item at a time', {
    limits: { maxConcurrency: 1 },
  }),
]
const requests = process.env.CI === undefined ? 1_500 : 15_000

describe(`property 15, ${batchProperty.statement}`, () => {
  it.each(subjects.map((subject) => [subject.name, subject] as const))('%s', async (_, subject) => {
    await expectProperty(batchProperty, subject, { requests })
  })
})

describe('every mutant of batches is detected', () => {
  it.each(batchMutants.map((mutant) => [mutant.name, mutant] as const))('%s', async (_, mutant) => {
    const report = await mutant.run({ requests: 5_000, seed: 1 })
    expect(report.holds, `property ${mutant.property}`).toBe(false)
    if (!report.holds) expect(report.trace.split('\n').length).toBeLessThan(10)
  })
})
