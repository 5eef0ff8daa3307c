/** Creates the analytics of a gateway: settings for stages, and one record buffer per sink. */
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Analytics, AnalyticsSettings, AnalyticsSink } from './analytics.ts'
import { RecordBuffer } from './record-buffer.ts'

export interface AnalyticsOptions {
  readonly settings: AnalyticsSettings
  readonly sinks: readonly AnalyticsSink[]
  readonly clock: Clock
  readonly log: Log
  /** `records_buffer_size`: records per batch. Default and minimum: 1,000. */
  readonly batch?: number
}

export interface RunningAnalytics extends Analytics {
  /** Over all sinks, since the start. */
  counts(): { readonly written: number; readonly dropped: number }
  /** Resolves when all buffered records were written. */
  flush(): Promise<void>
  /** Flushes, then closes the sinks. */
  close(): Promise<void>
}

export function makeAnalytics({ settings, sinks, clock, log, batch = 1000 }: AnalyticsOptions): RunningAnalytics {
  const buffers = sinks.map((sink) => new RecordBuffer({ sink, clock, log, batch: Math.max(1000, batch) }))
  const flush = async () => {
    await Promise.all(buffers.map((buffer) => buffer.flush()))
  }
  return {
    settings,
    write(record) {
      for (const buffer of buffers) buffer.add(record)
    },
    counts: () => ({
      written: buffers.reduce((sum, buffer) => sum + buffer.written, 0),
      dropped: buffers.reduce((sum, buffer) => sum + buffer.dropped, 0),
    }),
    flush,
    async close() {
      await flush()
      await Promise.all(sinks.map((sink) => sink.close()))
    },
  } satisfies RunningAnalytics
}
