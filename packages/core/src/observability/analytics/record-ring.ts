/** An in-memory sink for the last records, for tests and development. */

import type { AnalyticsRecord } from '../../ports/analytics-record.ts'
import type { AnalyticsSink } from './analytics.ts'

export interface RecordRing extends AnalyticsSink {
  /** Oldest first. */
  list(): readonly AnalyticsRecord[]
}

/** Keeps the last `capacity` records. */
export function makeRecordRing(capacity = 1000): RecordRing {
  const kept: AnalyticsRecord[] = []
  let next = 0
  return {
    name: 'memory',
    write(records) {
      for (const record of records) {
        kept[next] = record
        next = (next + 1) % capacity
      }
      return Promise.resolve()
    },
    list: () => (kept.length < capacity ? kept.slice() : [...kept.slice(next), ...kept.slice(0, next)]),
    close: () => Promise.resolve(),
  } satisfies RecordRing
}
