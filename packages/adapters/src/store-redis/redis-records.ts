/** A map of texts with a lifetime, one Redis key per text. */
import type { Millis } from '@turnpike/core/lib'
import type { RankedLists, RecordStore } from '@turnpike/core/ports'
import { clientRecordOf, replaceInClientSet } from './client-set.ts'
import type { RedisClient } from './connection-options.ts'
import type { RedisConnection } from './redis-connection.ts'
import { escapeGlob } from './redis-names.ts'
import { takeText } from './scripts/text-scripts.ts'

export function makeRedisRecords(connection: RedisConnection): Omit<RecordStore, keyof RankedLists> {
  return {
    get: (name) => connection.call(async (redis) => (await redis.get(name)) ?? undefined, name),
    put: (name, text, lifetimeMs) =>
      connection.call(async (redis) => {
        await setText(redis, name, text, lifetimeMs)
        const client = clientRecordOf(name)
        if (client !== undefined) await replaceInClientSet(redis, client, text)
      }, name),
    add: (name, text, lifetimeMs) =>
      connection.call(async (redis) => {
        if (lifetimeMs === undefined) return (await redis.set(name, text, 'NX')) === 'OK'
        if (lifetimeMs <= 0) return (await redis.exists(name)) === 0
        return (await redis.set(name, text, 'PX', Math.ceil(lifetimeMs), 'NX')) === 'OK'
      }, name),
    async take(name) {
      const text = await connection.run(takeText, [name], [])
      return typeof text === 'string' ? text : undefined
    },
    remove: (name) =>
      connection.call(async (redis) => {
        const removed = await redis.del(name)
        const client = clientRecordOf(name)
        if (client !== undefined) await replaceInClientSet(redis, client, undefined)
        return removed > 0
      }, name),
    names: (prefix) => connection.scan(`${escapeGlob(prefix)}*`),
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
