/** Analytics of a gateway: settings for stages, and a lane to each sink. */
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Analytics, AnalyticsSettings, AnalyticsSink } from './analytics.ts'
import { RecordBuffer } from './record-buffer.ts'

export interface AnalyticsOptions {
  readonly settings: AnalyticsSettings
  readonly sinks: readonly AnalyticsSink[]
  readonly clock: Clock
  readonly log: Log
  /** `records_buffer_size`: records that make a batch. Default: 1,000, which is also the least. */
  readonly batch?: number
}

export interface RunningAnalytics extends Analytics {
  /** Over all sinks, since the start. */
  counts(): { readonly written: number; readonly dropped: number }
  /** Settles when all that waits was written. */
  flush(): Promise<void>
  /** Flushes, then closes the sinks. */
  close(): Promise<void>
}

export function makeAnalytics({ settings, sinks, clock, log, batch = 1000 }: AnalyticsOptions): RunningAnalytics {
  const lanes = sinks.map((sink) => new RecordBuffer({ sink, clock, log, batch: Math.max(1000, batch) }))
  const flush = async () => {
    await Promise.all(lanes.map((lane) => lane.flush()))
  }
  return {
    settings,
    write(record) {
      for (const lane of lanes) lane.add(record)
    },
    counts: () => ({
      written: lanes.reduce((sum, lane) => sum + lane.written, 0),
      dropped: lanes.reduce((sum, lane) => sum + lane.dropped, 0),
    }),
    flush,
    async close() {
      await flush()
      await Promise.all(sinks.map((sink) => sink.close()))
    },
  } satisfies RunningAnalytics
}
