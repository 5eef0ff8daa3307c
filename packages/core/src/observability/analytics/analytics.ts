/** Analytics as stages see them: what the configuration says, and where records go. Made by `make-analytics.ts`. */

import type { AnalyticsRecord } from '../../ports/analytics-record.ts'
import type { Millis } from '../../ports/clock.ts'

export interface AnalyticsSettings {
  /** Detailed records for all APIs. */
  readonly detailed: boolean
  /** Clients of whom no record is made; texts as `formatIpAddress` writes them. */
  readonly ignoredAddresses: ReadonlySet<string>
  /** `undefined`: paths are kept as they are. */
  readonly normalisePath: ((path: string) => string) | undefined
  /** Headers of which records get tags, on every API; lower case. */
  readonly tagHeaders: readonly string[]
  /** `data_expires` of organisations counts. */
  readonly orgDataAge: boolean
  /** Detailed recording that an organisation's session asks for counts. */
  readonly orgDetail: boolean
  /** Most bytes of each body in a detailed record. */
  readonly detailBytes: number
}

export interface Analytics {
  readonly settings: AnalyticsSettings
  /** Takes a record and returns at once; without room it is dropped and counted. */
  write(record: AnalyticsRecord): void
}

/** Where records end up: a file, a database, a list in Redis. */
export interface AnalyticsSink {
  /** For messages. */
  readonly name: string
  /** Keeps some records; asked again only after it has settled. Rejects when they could not be kept. */
  write(records: readonly AnalyticsRecord[]): Promise<void>
  /** Lets go of files and connections. */
  close(): Promise<void>
}

/** A hundred years: records of APIs that set no age. */
export const noExpiryMs: Millis = 36_500 * 86_400_000
