import { showReport } from '@turnpike/testkit'
import { describe, expect, it } from 'vitest'
import { clusterMutants } from './cluster-mutants.ts'

describe('planted in the cluster, each is caught within 1,000 runs', () => {
  it.each(clusterMutants)('$name, by property $property', { timeout: 120_000 }, async (fault) => {
    const report = await fault.run({ requests: 20_000, shrink: false })
    expect(report.holds, showReport(report, fault.name)).toBe(false)
  })
})
