/**
 * What can be wrong with commands and scripts of a store on Redis, planted where a node sends them, and the property that
 * must catch each: of clusters where a decision of several nodes goes wrong, of crashes where something stays behind.
 */

import type { RedisConnection } from '@turnpike/adapters/store-redis'
import type { Clock, QuotaLimit } from '@turnpike/core/ports'
import { quotaCounterName } from '@turnpike/core/session'
import { crashProperty, type Mutant, mutantsOf } from '@turnpike/testkit'
import { clusterSubject } from '../properties/cluster-subject.ts'
import { linearizableProperty } from '../properties/property-12-linearizability.ts'
import { clusterBoundProperty } from '../properties/property-13-cluster-bound.ts'
import { crashSubject } from './crash-subject.ts'
import type { AroundRedis } from './open-redis-store.ts'
import type { RedisMockClass } from './redis-mock.ts'
import { redisMockServer } from './redis-mock-server.ts'

/** Other words in the texts of scripts. Their hashes are never known, so that all come with their texts. */
const rewriting = (from: RegExp, to: (clock: Clock) => string): AroundRedis => ({
  client(client, clock) {
    const changed: Readonly<Record<PropertyKey, unknown>> = {
      evalsha: () => Promise.reject(new Error('NOSCRIPT')),
      eval: (text: string, ...rest: [number, ...string[]]) => client.eval(text.replaceAll(from, to(clock)), ...rest),
    }
    return new Proxy(client, { get: (target, name) => changed[name] ?? Reflect.get(target, name) })
  },
})

type CountQuota = (connection: RedisConnection, name: string, limit: QuotaLimit, amount: number) => Promise<number>

/** Counts quotas by commands of its own, after the rate. */
const countingQuotas = (count: CountQuota): AroundRedis => ({
  counters: (counters, connection) => ({
    async consume(counter, amount) {
      const { quota: limit } = counter
      if (limit === undefined) return counters.consume(counter, amount)
      const { rate } = await counters.consume({ ...counter, quota: undefined }, amount)
      if (rate?.allowed === false) return { rate, quota: undefined }
      const used = await count(connection, quotaCounterName(counter, false), limit, amount)
      const quota = { allowed: used <= limit.max, remaining: Math.max(0, limit.max - used), renewsAt: undefined }
      return { rate, quota }
    },
  }),
})

/** Reads the counter, then writes it: two commands, between which other nodes send theirs. */
const readThenWrite = countingQuotas(async (connection, name, limit, amount) => {
  const used = Number(await connection.call((redis) => redis.get(name))) + amount
  await connection.call((redis) => redis.set(name, used, 'EX', limit.renewalSeconds))
  return used
})

/** Counts, and sets the end of the period with the next command. */
const endInASecondCommand = countingQuotas(async (connection, name, limit, amount) => {
  const used = await connection.call((redis) => redis.incrby(name, amount))
  await connection.call((redis) => redis.expire(name, limit.renewalSeconds))
  return used
})

/** Checks whether there is room, then counts, and believes the check. */
const lookThenCount: AroundRedis = {
  counters: ({ consume }) => ({
    async consume(counter, amount) {
      const look = await consume({ ...counter, quota: undefined }, 0)
      return { ...(await consume(counter, amount)), rate: look.rate }
    },
  }),
}

const timeOfTheNode = rewriting(
  /redis\.call\('TIME'\)/g,
  (clock) => `{'${Math.floor(clock.now() / 1000)}', '${(clock.now() % 1000) * 1000}'}`,
)
const without = (words: RegExp) => rewriting(words, () => '')

/** Named for what is wrong. */
export function redisMutants(Mock: RedisMockClass): readonly Mutant[] {
  const cluster = (around: AroundRedis) => clusterSubject('redis', { makeServer: redisMockServer(Mock, around) })
  const cut = (around: AroundRedis) => crashSubject('redis', Mock, around)
  return [
    ...mutantsOf(linearizableProperty, { 'a quota that is read and written in two commands': cluster(readThenWrite) }),
    ...mutantsOf(clusterBoundProperty, {
      'a rate that is looked at and counted in two scripts': cluster(lookThenCount),
      'windows by the time of each node': cluster(timeOfTheNode),
    }),
    ...mutantsOf(crashProperty, {
      'a period whose end is set by a second command': cut(endInASecondCommand),
      'a period without an end': cut(without(/, 'EX', renewal\b/g)),
      'a log without an end': cut(without(/redis\.call\('EXPIRE', key, per\)/g)),
      'a mark without an end': cut(without(/, 'EX', per\b/g)),
      'a fixed window without an end': cut(without(/redis\.call\('PEXPIRE', [^)]*\)/g)),
    }),
  ]
}
