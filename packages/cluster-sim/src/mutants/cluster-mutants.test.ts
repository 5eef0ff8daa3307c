import { showReport } from '@turnpike/testkit'
import { describe, expect, it } from 'vitest'
import { clusterMutants } from './cluster-mutants.ts'

describe('planted in the cluster, each is caught within 1,000 runs', () => {
  it.each(clusterMutants)('$name, by property $property', { timeout: 120_000 }, async (mutant) => {
    const report = await mutant.run({ requests: 20_000, shrink: false })
    expect(report.holds, showReport(report, mutant.name)).toBe(false)
  })
})
