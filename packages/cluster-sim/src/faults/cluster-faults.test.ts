import { showReport } from '@turnpike/testkit'
import { describe, expect, it } from 'vitest'
import { clusterFaults } from './cluster-faults.ts'

describe('planted in the cluster, each is caught within 1,000 runs', () => {
  it.each(clusterFaults)('$name, by property $property', { timeout: 120_000 }, async (fault) => {
    const report = await fault.run({ requests: 20_000, shrink: false })
    expect(report.holds, showReport(report, fault.name)).toBe(false)
  })
})
