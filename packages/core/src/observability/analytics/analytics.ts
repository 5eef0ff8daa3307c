/** Analytics settings and record sinks for stages. Created by `make-analytics.ts`. */

import type { AnalyticsRecord } from '../../ports/analytics-record.ts'
import type { Millis } from '../../ports/clock.ts'

export interface AnalyticsSettings {
  /** Detailed records for all APIs. */
  readonly detailed: boolean
  /** Addresses of clients whose requests are not recorded, as `formatIpAddress` writes them. */
  readonly ignoredAddresses: ReadonlySet<string>
  /** `undefined`: paths are not normalised. */
  readonly normalisePath: ((path: string) => string) | undefined
  /** Lower-case names of the headers that become tags of records, for every API. */
  readonly tagHeaders: readonly string[]
  /** True if `data_expires` of organisations applies. */
  readonly orgDataAge: boolean
  /** True if the session of an organisation can enable detailed recording. */
  readonly orgDetail: boolean
  /** Maximum bytes of each body in a detailed record. */
  readonly detailBytes: number
}

export interface Analytics {
  readonly settings: AnalyticsSettings
  /** Queues a record and returns at once. If the queue is full, the record is dropped and counted. */
  write(record: AnalyticsRecord): void
}

/** Storage of records: a file, a database, a list in Redis. */
export interface AnalyticsSink {
  /** Name for log messages. */
  readonly name: string
  /** Stores a batch of records. The next call follows only after the promise settles. Rejects when storing fails. */
  write(records: readonly AnalyticsRecord[]): Promise<void>
  /** Closes files and connections. */
  close(): Promise<void>
}

/** Lifetime of records of APIs that set none: a hundred years. */
export const noExpiryMs: Millis = 36_500 * 86_400_000
