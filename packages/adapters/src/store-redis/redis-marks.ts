/** Notes that something was done, by any node: `SET … NX` (spec/redis-layout.md 12). */
import type { Marks } from '@turnpike/core'
import type { RedisLink } from './redis-link.ts'

export function makeRedisMarks(link: RedisLink): Marks {
  return {
    claim: (name, lifetimeMs) =>
      link.call(async (redis) => {
        if (lifetimeMs === undefined) return (await redis.set(name, '1', 'NX')) === 'OK'
        return (await redis.set(name, '1', 'PX', Math.max(1, Math.ceil(lifetimeMs)), 'NX')) === 'OK'
      }),
  } satisfies Marks
}
