import { describe, expect, it } from 'vitest'
import { machineFacts } from '../measurement/machine-facts.ts'
import { type Metric, mapPercentiles, metricOf } from '../measurement/metric.ts'
import type { BatchCost, BatchDuration, BenchReport, RequestCost } from './bench-report.ts'
import { compareReports } from './compare-reports.ts'
import { mergeReports } from './merge-reports.ts'

const steady = (value: number) => metricOf([value, value, value])

const requestCost = (api: string, total: Metric, more: Partial<RequestCost> = {}): RequestCost => ({
  api,
  version: '',
  name: `API ${api}`,
  request: 'GET /x',
  status: 200,
  total,
  latency: mapPercentiles(() => total),
  stages: [{ stage: 'key-limits', phase: '3-admit', cost: total }],
  ...more,
})

const durationOf = (upstreamMs: number): BatchDuration => ({
  upstreamMs,
  latencyMs: upstreamMs,
  parallel: { duration: steady(6), limitMs: 5 },
  inOrder: { duration: steady(60), limitMs: 50 },
})

const batchOf = (more: Partial<BatchCost> = {}): BatchCost => ({
  api: 'a',
  version: '',
  name: 'API a',
  request: 'GET /x',
  items: 10,
  answered: 10,
  perItem: { parallel: steady(20), inOrder: steady(30) },
  concurrency: 64,
  durations: [durationOf(5)],
  ...more,
})

const machine = machineFacts()
function reportOf(more: Partial<BenchReport>): BenchReport {
  return {
    kind: 'turnpike-bench',
    version: '0.1.0',
    at: '2026-01-01T00:00:00.000Z',
    machine,
    calibration: steady(1000),
    ways: [],
    batches: [],
    reloads: [],
    leftOut: [],
    ...more,
  }
}

const verdicts = (before: BenchReport, now: BenchReport) =>
  compareReports(before, now).changes.map(({ name, verdict, reason }) => [name, verdict, reason])

describe('a result beside an earlier one', () => {
  it('has a verdict for each metric', () => {
    const before = reportOf({ ways: [requestCost('a', steady(10))] })
    expect(verdicts(before, reportOf({ ways: [requestCost('a', steady(12))] }))).toEqual([
      ['API a: a request', 'slower', ''],
      ['API a: stage key-limits', 'slower', ''],
    ])
  })

  it('is the same where the machine was slower by as much', () => {
    const before = reportOf({ ways: [requestCost('a', steady(10))] })
    const now = reportOf({ ways: [requestCost('a', steady(20))], calibration: steady(2000) })
    const { pace, changes } = compareReports(before, now)
    expect([pace, changes[0]]).toEqual([2, expect.objectContaining({ verdict: 'same', before: 20, now: 20 })])
  })

  it('does not scale what only waits for a timer', () => {
    const now = reportOf({ batches: [batchOf()], calibration: steady(2000) })
    const inOrder = compareReports(reportOf({ batches: [batchOf()] }), now).changes.find(
      ({ name }) => name === 'API a: batch of 10, in order, upstream of 5 ms',
    )
    expect(inOrder).toMatchObject({ verdict: 'same', before: 60, now: 60 })
  })

  it('uses the tolerance that is given', () => {
    const before = reportOf({ ways: [requestCost('a', steady(10))] })
    const now = reportOf({ ways: [requestCost('a', steady(12))] })
    expect(compareReports(before, now, 0.3).changes[0]?.verdict).toBe('same')
  })

  it('does not compare what only one of them has, or what was measured under other conditions', () => {
    const before = reportOf({
      ways: [requestCost('old', steady(10)), requestCost('b', steady(10))],
      batches: [batchOf()],
    })
    const now = reportOf({
      ways: [requestCost('new', steady(10)), requestCost('b', steady(1), { status: 403 })],
      batches: [batchOf({ concurrency: 8 })],
    })
    const all = verdicts(before, now)
    expect(all.filter(([, verdict]) => verdict === 'not comparable').map(([name, , reason]) => [name, reason])).toEqual(
      [
        ['API new: a request', 'only the new result has it'],
        ['API new: stage key-limits', 'only the new result has it'],
        ['API b: a request', 'status: 200 before, 403 now'],
        ['API b: stage key-limits', 'status: 200 before, 403 now'],
        ['API a: batch of 10, at once, upstream of 5 ms', 'batch.max_concurrency: 64 before, 8 now'],
        ['API a: batch of 10, in order, upstream of 5 ms', 'batch.max_concurrency: 64 before, 8 now'],
        ['API old: a request', 'only the earlier result has it'],
        ['API old: stage key-limits', 'only the earlier result has it'],
      ],
    )
  })

  it('compares an API that has another name now', () => {
    const before = reportOf({ ways: [requestCost('a', steady(10), { name: 'Old name' })] })
    expect(verdicts(before, reportOf({ ways: [requestCost('a', steady(10))] }))[0]).toEqual([
      'API a: a request',
      'same',
      '',
    ])
  })

  it('names what differs between the machines', () => {
    const now = reportOf({ machine: { ...machine, node: 'v99.0.0' } })
    expect(compareReports(reportOf({}), now).machines).toEqual([`Node: ${machine.node} before, v99.0.0 now`])
  })
})

describe('results of several processes', () => {
  it('are one: the median of medians, the outermost quartiles, and the rounds of each process', () => {
    const merged = mergeReports(
      [10, 14, 11].map((median) => reportOf({ ways: [requestCost('a', metricOf([median - 2, median, median + 2]))] })),
    )
    const expected = {
      median: 11,
      low: 9,
      high: 15,
      rounds: [
        [8, 10, 12],
        [12, 14, 16],
        [9, 11, 13],
      ],
    }
    expect(merged.ways.map(({ total }) => total)).toEqual([expected])
    expect(merged.ways[0]?.stages[0]?.cost).toEqual(expected)
    expect(merged.ways[0]?.latency.p99).toEqual(expected)
  })

  it('have the median of the theoretical limits of batches', () => {
    const limits = [4, 9, 5].map((limitMs) => ({ ...durationOf(5), parallel: { duration: steady(6), limitMs } }))
    const [merged] = mergeReports(limits.map((one) => reportOf({ batches: [batchOf({ durations: [one] })] }))).batches
    expect(merged?.durations[0]?.parallel.limitMs).toBe(5)
    expect(merged?.durations[0]?.inOrder?.duration.rounds).toHaveLength(3)
  })

  it('keep what only some of them measured', () => {
    const merged = mergeReports([
      reportOf({ ways: [requestCost('a', steady(1))] }),
      reportOf({ ways: [requestCost('b', steady(2))] }),
    ])
    expect(merged.ways.map(({ api }) => api)).toEqual(['a', 'b'])
  })
})
