/** Reads counters of a redis-server with `INFO`. */
import type { RedisServer } from '@turnpike/testkit/redis-server'

/** Numbers by name, such as `used_memory` or `cmdstat_evalsha.calls`. */
export type RedisInfo = ReadonlyMap<string, number>

export async function readRedisInfo(redis: RedisServer): Promise<RedisInfo> {
  const text = await redis.read('INFO everything')
  const found = new Map<string, number>()
  for (const [, name = '', value = ''] of text.matchAll(/^([a-z_A-Z0-9|]+):(.*?)\r?$/gm)) {
    if (!name.startsWith('cmdstat_')) found.set(name, Number(value))
    else
      for (const [, part = '', number] of value.matchAll(/([a-z_]+)=([\d.]+)/g))
        found.set(`${name}.${part}`, Number(number))
  }
  return found
}

/** The differences of all commands between two readings, by command. */
export function commandsBetween(before: RedisInfo, after: RedisInfo): Map<string, number> {
  const differences = new Map<string, number>()
  for (const [name, value] of after) {
    const command = /^cmdstat_(.+)\.calls$/.exec(name)?.[1]
    const calls = value - (before.get(name) ?? 0)
    if (command !== undefined && command !== 'info' && calls > 0) differences.set(command, calls)
  }
  return differences
}
