import { describe, expect, it } from 'vitest'
import { plantedFaults } from './planted-faults.ts'

describe('every planted fault is caught by its law', () => {
  it.each(plantedFaults.map((fault) => [fault.name, fault] as const))('%s', async (_, fault) => {
    const report = await fault.run({ requests: 10_000, seed: 1 })
    expect(report.holds, `law ${fault.law}`).toBe(false)
    if (report.holds) return
    // Short enough to be read: a few requests, or a burst that just exceeds a limit.
    expect(report.trace.split('\n').length).toBeLessThan(60)
  })
})
