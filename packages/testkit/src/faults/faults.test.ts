import { describe, expect, it } from 'vitest'
import { counterFaults } from './planted-faults.ts'

describe('every fault planted into counters is caught by its law', () => {
  it.each(counterFaults.map((fault) => [fault.name, fault] as const))('%s', async (_, fault) => {
    const report = await fault.run({ requests: 10_000, seed: 1 })
    expect(report.holds, `law ${fault.law}`).toBe(false)
    if (report.holds) return
    // Short enough to be read: a few requests, or a burst that just exceeds a limit.
    expect(report.trace.split('\n').length).toBeLessThan(60)
  })
})
