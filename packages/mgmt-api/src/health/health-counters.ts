/**
 * Counters of /svc/health, per API and second. Every request updates them, so they only add to fixed arrays; a call sums
 * the window.
 * Source: docs/reference/health.md#probe-paths.
 */
import type { RecordSink, RequestRecord } from '@turnpike/core/pipeline'
import type { Clock } from '@turnpike/core/ports'
import type { ApiHealth } from '../management.ts'

export interface HealthCounters extends RecordSink {
  of(apiId: string): ApiHealth
}

/** One slot per second: requests admitted, throttled, over quota, failed keys, and the sum of upstream times. */
interface Window {
  /** The second that each slot currently holds. */
  readonly seconds: Float64Array
  readonly counts: Float64Array
}

const fields = 5
const requests = 0
const throttled = 1
const overQuota = 2
const failedKeys = 3
const upstreamMs = 4

/** Counter per rejection code; other rejections are not counted. */
const fieldByCode: Readonly<Record<string, number>> = {
  'rate-exceeded': throttled,
  'api-rate-exceeded': throttled,
  'quota-exceeded': overQuota,
  'auth-missing': failedKeys,
  'key-unknown': failedKeys,
  'user-not-authorised': failedKeys,
  'key-inactive': failedKeys,
  'key-expired': failedKeys,
  'api-forbidden': failedKeys,
}

/** Windows of `seconds` (0: 60, which is also the default; at most an hour). */
export function makeHealthCounters(clock: Pick<Clock, 'now'>, seconds = 60): HealthCounters {
  const length = Math.min(3600, seconds > 0 ? Math.ceil(seconds) : 60)
  const windows = new Map<string, Window>()

  return {
    record(entry) {
      const second = Math.floor(clock.now() / 1000)
      const window = windows.get(entry.apiId) ?? addWindow(windows, entry.apiId, length)
      const slot = second % length
      if (window.seconds[slot] !== second) {
        window.seconds[slot] = second
        window.counts.fill(0, slot * fields, (slot + 1) * fields)
      }
      add(window.counts, slot * fields, entry)
    },

    of(apiId) {
      const window = windows.get(apiId)
      const sums = window === undefined ? new Float64Array(fields) : sum(window, Math.floor(clock.now() / 1000), length)
      const count = sums[requests] ?? 0
      return {
        throttledPerSecond: perSecond(sums[throttled] ?? 0, length),
        quotaViolationsPerSecond: perSecond(sums[overQuota] ?? 0, length),
        keyFailuresPerSecond: perSecond(sums[failedKeys] ?? 0, length),
        averageUpstreamLatency: count === 0 ? 0 : cut((sums[upstreamMs] ?? 0) / count),
        requestsPerSecond: perSecond(count, length),
      }
    },
  }
}

/** The counters of several processes together. */
export function addHealth(all: readonly ApiHealth[]): ApiHealth {
  const total = (of: (health: ApiHealth) => number) => all.reduce((sum, health) => sum + of(health), 0)
  const requestsPerSecond = total((health) => health.requestsPerSecond)
  const latency = total((health) => health.averageUpstreamLatency * health.requestsPerSecond)
  return {
    throttledPerSecond: total((health) => health.throttledPerSecond),
    quotaViolationsPerSecond: total((health) => health.quotaViolationsPerSecond),
    keyFailuresPerSecond: total((health) => health.keyFailuresPerSecond),
    averageUpstreamLatency: requestsPerSecond === 0 ? 0 : cut(latency / requestsPerSecond),
    requestsPerSecond,
  }
}

function addWindow(windows: Map<string, Window>, apiId: string, length: number): Window {
  const window = { seconds: new Float64Array(length), counts: new Float64Array(length * fields) }
  windows.set(apiId, window)
  return window
}

function add(counts: Float64Array, at: number, { rejection, upstreamMs: took }: RequestRecord): void {
  const bump = (field: number, by: number) => {
    counts[at + field] = (counts[at + field] as number) + by
  }
  // A rejection has no upstream time and would distort the average.
  if (rejection === undefined) {
    bump(requests, 1)
    bump(upstreamMs, took)
    return
  }
  const field = fieldByCode[rejection.code]
  if (field !== undefined) bump(field, 1)
}

function sum({ seconds, counts }: Window, now: number, length: number): Float64Array {
  const sums = new Float64Array(fields)
  for (let slot = 0; slot < length; slot++) {
    const second = seconds[slot] as number
    if (second <= now - length || second > now) continue
    for (let field = 0; field < fields; field++) {
      sums[field] = (sums[field] as number) + (counts[slot * fields + field] as number)
    }
  }
  return sums
}

/** One less than the number of events, as in original gateways. */
function perSecond(events: number, seconds: number): number {
  return cut(Math.max(0, events - 1) / seconds)
}

function cut(value: number): number {
  return Math.trunc(value * 100) / 100
}
