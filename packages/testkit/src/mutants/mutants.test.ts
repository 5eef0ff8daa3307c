import { describe, expect, it } from 'vitest'
import { counterMutants } from './all-mutants.ts'

describe('the property of every counter mutant detects it', () => {
  it.each(counterMutants.map((mutant) => [mutant.name, mutant] as const))('%s', async (_, mutant) => {
    const report = await mutant.run({ requests: 10_000, seed: 1 })
    expect(report.holds, `property ${mutant.property}`).toBe(false)
    if (report.holds) return
    // Short enough to be read: a few requests, or a burst that just exceeds a limit.
    expect(report.trace.split('\n').length).toBeLessThan(60)
  })
})
