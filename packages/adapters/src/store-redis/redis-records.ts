/** A map of texts with a lifetime, one Redis key per text. */
import type { Millis, RankedLists, RecordStore } from '@turnpike/core'
import { clientRecordOf, replaceInClientSet } from './client-set.ts'
import type { RedisClient } from './connection-options.ts'
import type { RedisLink } from './redis-link.ts'
import { escapeGlob } from './redis-names.ts'
import { takeText } from './scripts/text-scripts.ts'

export function makeRedisRecords(link: RedisLink): Omit<RecordStore, keyof RankedLists> {
  return {
    get: (name) => link.call(async (redis) => (await redis.get(name)) ?? undefined, name),
    put: (name, text, lifetimeMs) =>
      link.call(async (redis) => {
        await setText(redis, name, text, lifetimeMs)
        const client = clientRecordOf(name)
        if (client !== undefined) await replaceInClientSet(redis, client, text)
      }, name),
    add: (name, text, lifetimeMs) =>
      link.call(async (redis) => {
        if (lifetimeMs === undefined) return (await redis.set(name, text, 'NX')) === 'OK'
        if (lifetimeMs <= 0) return (await redis.exists(name)) === 0
        return (await redis.set(name, text, 'PX', Math.ceil(lifetimeMs), 'NX')) === 'OK'
      }, name),
    async take(name) {
      const text = await link.run(takeText, [name], [])
      return typeof text === 'string' ? text : undefined
    },
    remove: (name) =>
      link.call(async (redis) => {
        const removed = await redis.del(name)
        const client = clientRecordOf(name)
        if (client !== undefined) await replaceInClientSet(redis, client, undefined)
        return removed > 0
      }, name),
    names: (prefix) => link.scan(`${escapeGlob(prefix)}*`),
  }
}

/** Stores a text until its lifetime ends; `undefined`: for ever. */
export async function setText(
  redis: RedisClient,
  name: string,
  text: string,
  lifetimeMs: Millis | undefined,
): Promise<void> {
  if (lifetimeMs === undefined) await redis.set(name, text)
  else if (lifetimeMs <= 0) await redis.del(name)
  else await redis.set(name, text, 'PX', Math.ceil(lifetimeMs))
}
