import { batchMutants, batchProperty, engineBatches, expectProperty } from '@turnpike/testkit'
import { describe, expect, it } from 'vitest'
import { makeBatchEndpoint } from './batch-endpoint.ts'
import { defaultBatchSettings } from './batch-settings.ts'

const subjects = [
  engineBatches('the engine', makeBatchEndpoint),
  engineBatches('the engine with one item at a time', () =>
    makeBatchEndpoint({ ...defaultBatchSettings, maxConcurrency: 1 }),
  ),
]
const requests = process.env.CI === undefined ? 1_500 : 15_000

describe(`property 15, ${batchProperty.statement}`, () => {
  it.each(subjects.map((subject) => [subject.name, subject] as const))('%s', async (_, subject) => {
    await expectProperty(batchProperty, subject, { requests })
  })
})

describe('every mutant of batches is detected', () => {
  it.each(batchMutants(makeBatchEndpoint).map((mutant) => [mutant.name, mutant] as const))('%s', async (_, mutant) => {
    const report = await mutant.run({ requests: 5_000, seed: 1 })
    expect(report.holds, `property ${mutant.property}`).toBe(false)
    if (!report.holds) expect(report.trace.split('\n').length).toBeLessThan(10)
  })
})
