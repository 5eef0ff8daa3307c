/** Dedup keys shared by all nodes, by `SET … NX` (docs/reference/redis-records.md#sent-web-hooks). */
import type { DedupKeys } from '@turnpike/core/ports'
import type { RedisConnection } from './redis-connection.ts'

export function makeRedisDedupKeys(connection: RedisConnection): DedupKeys {
  return {
    claim: (name, lifetimeMs) =>
      connection.call(async (redis) => {
        if (lifetimeMs === undefined) return (await redis.set(name, '1', 'NX')) === 'OK'
        return (await redis.set(name, '1', 'PX', Math.max(1, Math.ceil(lifetimeMs)), 'NX')) === 'OK'
      }, name),
  } satisfies DedupKeys
}
