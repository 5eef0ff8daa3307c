/**
 * Analytics records as elements of a list in Redis, which another program takes from there. A list that has no end is
 * given one, so that a reader that is missing cannot fill the storage. Source: docs/reference/analytics.md#analytics-storage.
 */
import { type AnalyticsSink, encodeRecord } from '@turnpike/core'
import { localUtcOffset } from '../records-jsonl/local-utc-offset.ts'
import type { RedisLink } from './redis-link.ts'

export interface RecordsSinkOptions {
  readonly link: RedisLink
  /** Vendor word, which stands in the name of the list. */
  readonly vendor: string
  /** `enable_multiple_analytics_keys`: ten lists, one of them at random for each batch. Default: false. */
  readonly several?: boolean
  /** `storage_expiration_time`: life of a list in seconds; -1: for ever. Default: 60. */
  readonly lifeSeconds?: number
  /** A number from 0 up to 1, to choose a list by. */
  readonly random?: () => number
}

/** Records in one command, so that a long batch does not hold Redis up. */
const recordsAtOnce = 200

export function makeRedisRecordsSink(options: RecordsSinkOptions): AnalyticsSink {
  const { link, vendor, several = false, lifeSeconds = 60, random = Math.random } = options
  const base = `analytics-${vendor}-system-analytics`
  return {
    name: 'redis',
    async write(records) {
      const list = several ? `${base}_${Math.floor(random() * 10)}` : base
      const elements = records.map((record) => Buffer.from(encodeRecord(record, localUtcOffset)))
      for (let i = 0; i < elements.length; i += recordsAtOnce) {
        await link.call((redis) => redis.rpush(list, ...elements.slice(i, i + recordsAtOnce)))
      }
      if (lifeSeconds > 0) await giveAnEnd(link, list, lifeSeconds)
    },
    close: () => Promise.resolve(),
  } satisfies AnalyticsSink
}

async function giveAnEnd(link: RedisLink, list: string, seconds: number): Promise<void> {
  await link.call(async (redis) => {
    if ((await redis.ttl(list)) === -1) await redis.expire(list, seconds)
  })
}
