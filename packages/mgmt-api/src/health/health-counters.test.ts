import type { RequestRecord } from '@turnpike/core/pipeline'
import { makeVirtualClock } from '@turnpike/testkit'
import { describe, expect, it } from 'vitest'
import { addHealth, makeHealthCounters } from './health-counters.ts'

function recordOf(code?: string, upstreamMs = 0): RequestRecord {
  const rejection = code === undefined ? undefined : { stage: 's', code, message: 'm' }
  return { apiId: 'a', upstreamMs, rejection } as RequestRecord
}

describe('the health of an API', () => {
  it('is all zero without traffic', () => {
    expect(makeHealthCounters(makeVirtualClock()).of('a')).toEqual({
      throttledPerSecond: 0,
      quotaViolationsPerSecond: 0,
      keyFailuresPerSecond: 0,
      averageUpstreamLatency: 0,
      requestsPerSecond: 0,
    })
  })

  it('is events less one over the window, cut to two decimals', () => {
    const counters = makeHealthCounters(makeVirtualClock(), 60)
    for (let i = 0; i < 11; i++) counters.record(recordOf('rate-exceeded'))
    for (let i = 0; i < 7; i++) counters.record(recordOf('quota-exceeded'))
    for (let i = 0; i < 4; i++) counters.record(recordOf('key-unknown'))
    const health = counters.of('a')
    expect(health.throttledPerSecond).toBe(0.16)
    expect(health.quotaViolationsPerSecond).toBe(0.1)
    expect(health.keyFailuresPerSecond).toBe(0.05)
    expect(health.requestsPerSecond).toBe(0)
  })

  it('averages the latency of the requests in the window that were not rejected', () => {
    const counters = makeHealthCounters(makeVirtualClock())
    counters.record(recordOf(undefined, 10))
    counters.record(recordOf(undefined, 15))
    counters.record(recordOf('key-unknown'))
    expect(counters.of('a').averageUpstreamLatency).toBe(12.5)
  })

  it('forgets what lies before the window', () => {
    const clock = makeVirtualClock()
    const counters = makeHealthCounters(clock, 10)
    for (let i = 0; i < 21; i++) counters.record(recordOf())
    clock.advance(9_000)
    expect(counters.of('a').requestsPerSecond).toBe(2)
    for (let i = 0; i < 11; i++) counters.record(recordOf())
    expect(counters.of('a').requestsPerSecond).toBe(3.1)
    clock.advance(1_000)
    expect(counters.of('a').requestsPerSecond).toBe(1)
    clock.advance(10_000)
    expect(counters.of('a').requestsPerSecond).toBe(0)
  })

  it('counts 60 s where no window is configured', () => {
    const counters = makeHealthCounters(makeVirtualClock(), 0)
    for (let i = 0; i < 61; i++) counters.record(recordOf())
    expect(counters.of('a').requestsPerSecond).toBe(1)
  })
})

it('adds the counters of several processes, and weights their latencies by requests', () => {
  const one = { throttledPerSecond: 1, quotaViolationsPerSecond: 2, keyFailuresPerSecond: 0, requestsPerSecond: 3 }
  const all = [
    { ...one, averageUpstreamLatency: 10 },
    { ...one, requestsPerSecond: 1, averageUpstreamLatency: 50 },
  ]
  expect(addHealth(all)).toEqual({
    ...{ throttledPerSecond: 2, quotaViolationsPerSecond: 4, keyFailuresPerSecond: 0 },
    ...{ requestsPerSecond: 4, averageUpstreamLatency: 20 },
  })
})
