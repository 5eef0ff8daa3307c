/**
 * Appends analytics records to a list in Redis, from which another program removes them. A list without an expiry gets
 * one, so that records do not fill the memory if there is no reader.
 * Source: docs/reference/analytics.md#analytics-storage.
 */
import { type AnalyticsSink, encodeRecord } from '@turnpike/core/observability'
import { localUtcOffset } from '../records-jsonl/local-utc-offset.ts'
import type { RedisConnection } from './redis-connection.ts'

export interface RecordsSinkOptions {
  readonly connection: RedisConnection
  /** Vendor word in the name of the list. */
  readonly vendor: string
  /** `enable_multiple_analytics_keys`: each batch goes to a random one of ten lists. Default: false. */
  readonly several?: boolean
  /** `storage_expiration_time`: lifetime of a list in seconds; 0 or less: no expiry. Default: 60. */
  readonly lifeSeconds?: number
  /** Returns a number from 0 (inclusive) to 1 (exclusive), which selects the list. */
  readonly random?: () => number
}

/** Maximum records per command, so that a long batch does not block Redis. */
const recordsAtOnce = 200

export function makeRedisRecordsSink(options: RecordsSinkOptions): AnalyticsSink {
  const { connection, vendor, several = false, lifeSeconds = 60, random = Math.random } = options
  const base = `analytics-${vendor}-system-analytics`
  return {
    name: 'redis',
    async write(records) {
      const list = several ? `${base}_${Math.floor(random() * 10)}` : base
      const elements = records.map((record) => Buffer.from(encodeRecord(record, localUtcOffset)))
      for (let i = 0; i < elements.length; i += recordsAtOnce) {
        await connection.call((redis) => redis.rpush(list, ...elements.slice(i, i + recordsAtOnce)), list)
      }
      if (lifeSeconds > 0) await ensureExpiry(connection, list, lifeSeconds)
    },
    close: () => Promise.resolve(),
  } satisfies AnalyticsSink
}

async function ensureExpiry(connection: RedisConnection, list: string, seconds: number): Promise<void> {
  await connection.call(async (redis) => {
    if ((await redis.ttl(list)) === -1) await redis.expire(list, seconds)
  }, list)
}
