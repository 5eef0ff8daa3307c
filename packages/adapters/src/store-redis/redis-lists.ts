/**
 * Ranked lists. Lists that are plain lists in the original gateway are plain lists here too: certificates and OAuth
 * clients of an organisation (docs/reference/redis-layout.md#redis-layout). The rank of a member is then its position. All
 * other lists, such as the tokens of a client, are sorted sets.
 */
import type { ListedMember, RankedLists } from '@turnpike/core/ports'
import type { RedisConnection } from './redis-connection.ts'
import { addToList } from './scripts/text-scripts.ts'

export function makeRedisLists(connection: RedisConnection): RankedLists {
  return {
    async addMember(list, member, rank) {
      if (isPlain(list)) await connection.run(addToList, [list], [member])
      else await connection.call((redis) => redis.zadd(list, scoreOf(rank), member), list)
    },
    removeMember: (list, member) =>
      connection.call(async (redis) => {
        if (isPlain(list)) return (await redis.lrem(list, 0, member)) > 0
        return (await redis.zrem(list, member)) > 0
      }, list),
    members: (list, fromRank = Number.NEGATIVE_INFINITY) =>
      connection.call(async (redis) => {
        if (isPlain(list)) {
          const members = await redis.lrange(list, 0, -1)
          return members.map((member, rank): ListedMember => ({ member, rank })).filter(({ rank }) => rank >= fromRank)
        }
        return pairsOf(await redis.zrangebyscore(list, scoreOf(fromRank), '+inf', 'WITHSCORES'))
      }, list),
    pruneMembers: (list, toRank) =>
      connection.call(async (redis) => {
        if (!isPlain(list)) return await redis.zremrangebyscore(list, '-inf', scoreOf(toRank))
        const length = await redis.llen(list)
        const pruned = Math.min(length, Math.max(0, Math.floor(toRank) + 1))
        if (pruned > 0) await redis.ltrim(list, pruned, -1)
        return pruned
      }, list),
  } satisfies RankedLists
}

function isPlain(list: string): boolean {
  return /^cert-.*-index$/s.test(list) || /^oauth-data\..*\.oauth-client-index\./s.test(list)
}

function scoreOf(rank: number): string | number {
  if (rank === Number.NEGATIVE_INFINITY) return '-inf'
  return rank === Number.POSITIVE_INFINITY ? '+inf' : rank
}

function pairsOf(flat: readonly string[]): ListedMember[] {
  const members: ListedMember[] = []
  for (let i = 0; i + 1 < flat.length; i += 2) members.push({ member: flat[i] as string, rank: Number(flat[i + 1]) })
  return members
}
