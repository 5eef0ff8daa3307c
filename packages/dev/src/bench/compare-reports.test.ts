import { describe, expect, it } from 'vitest'
import type { BenchReport, WayCost } from './bench-report.ts'
import { compareReports } from './compare-reports.ts'
import { mergeReports } from './merge-reports.ts'
import type { Metric } from './metric.ts'

const metric = (median: number, spread = 0): Metric => ({ median, low: median - spread, high: median + spread })

const wayOf = (name: string, total: Metric): WayCost => ({
  name,
  request: 'GET /x',
  status: 200,
  total,
  stages: [{ stage: 'key-limits', phase: '3-admit', cost: total }],
})

function reportOf(ways: readonly WayCost[], yardstick = metric(1000)): BenchReport {
  return {
    kind: 'turnpike-bench',
    version: '0.1.0',
    at: '2026-01-01T00:00:00.000Z',
    machine: { cpu: 'any', cores: 2, node: 'v20', platform: 'linux x64' },
    yardstick,
    ways,
    batches: [],
    reloads: [],
    leftOut: [],
  }
}

const verdictOf = (before: Metric, now: Metric, yardsticks = [metric(1000), metric(1000)] as const) => {
  const [change] = compareReports(
    reportOf([wayOf('a', before)], yardsticks[0]),
    reportOf([wayOf('a', now)], yardsticks[1]),
  ).changes
  return change?.verdict
}

describe('a result beside an earlier one', () => {
  it('is slower where both runs were steady and the figure grew', () => {
    expect(verdictOf(metric(10, 0.2), metric(12, 0.2))).toBe('slower')
  })

  it('is the same where the runs spread as far as they differ', () => {
    expect(verdictOf(metric(10, 1), metric(12, 1))).toBe('same')
  })

  it('is faster where the figure fell beyond noise', () => {
    expect(verdictOf(metric(10, 0.2), metric(6, 0.2))).toBe('faster')
  })

  it('is the same below a tenth, however steady', () => {
    expect(verdictOf(metric(10), metric(10.9))).toBe('same')
  })

  it('is the same where the difference is within the noise', () => {
    expect(verdictOf(metric(0.02), metric(0.09))).toBe('same')
  })

  it('is the same where the machine was slower by as much', () => {
    expect(verdictOf(metric(10), metric(20), [metric(1000), metric(2000)])).toBe('same')
    expect(verdictOf(metric(10), metric(20), [metric(2000), metric(2000)])).toBe('slower')
  })

  it('treats a calibration that differs within its noise as the same machine', () => {
    const before = reportOf([], metric(1000, 100))
    expect(compareReports(before, reportOf([], metric(1080, 100))).pace).toBe(1)
  })

  it('names what only one of them has', () => {
    const { gone, added } = compareReports(reportOf([wayOf('old', metric(1))]), reportOf([wayOf('new', metric(1))]))
    expect([gone, added]).toEqual([
      ['old: a request', 'old: stage key-limits'],
      ['new: a request', 'new: stage key-limits'],
    ])
  })
})

describe('results of several processes', () => {
  it('are one: the median of medians, as low and as high as any of them', () => {
    const merged = mergeReports([10, 14, 11].map((median) => reportOf([wayOf('a', metric(median, 1))])))
    expect(merged.ways.map(({ total }) => total)).toEqual([{ median: 11, low: 9, high: 15 }])
    expect(merged.ways[0]?.stages[0]?.cost).toEqual({ median: 11, low: 9, high: 15 })
  })

  it('keep what only some of them measured', () => {
    const merged = mergeReports([reportOf([wayOf('a', metric(1))]), reportOf([wayOf('b', metric(2))])])
    expect(merged.ways.map(({ name }) => name)).toEqual(['a', 'b'])
  })
})
