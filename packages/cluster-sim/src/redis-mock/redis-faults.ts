/**
 * What can be wrong with commands and scripts of a store on Redis, planted where a node sends them, and the law that
 * must catch each: of clusters where a decision of several nodes goes wrong, of crashes where something stays behind.
 */

import type { Clock, QuotaLimit, QuotaSpent } from '@turnpike/core'
import { crashProperty, type Mutant, makeMutant } from '@turnpike/testkit'
import { clusterSubject } from '../laws/cluster-subject.ts'
import { linearizableLaw } from '../laws/law-12-linearizable.ts'
import { clusterBoundLaw } from '../laws/law-13-cluster-bound.ts'
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

const spentOf = (count: number, { max }: QuotaLimit): QuotaSpent => ({
  allowed: count <= max,
  remaining: Math.max(0, max - count),
  renewsAt: undefined,
})

/** Reads the counter, then writes it: two commands, between which others have their turn. */
const readThenWrite: AroundRedis = {
  counters: (_, link) => ({
    async spend(name, limit, amount) {
      const count = Number(await link.call((redis) => redis.get(name))) + amount
      await link.call((redis) => redis.set(name, count, 'EX', limit.renewalSeconds))
      return spentOf(count, limit)
    },
  }),
}

/** Counts, and sets the end of the period with the next command. */
const endInASecondCommand: AroundRedis = {
  counters: (_, link) => ({
    async spend(name, limit, amount) {
      const count = await link.call((redis) => redis.incrby(name, amount))
      await link.call((redis) => redis.expire(name, limit.renewalSeconds))
      return spentOf(count, limit)
    },
  }),
}

/** Asks whether there is room, then counts, and believes what it was told first. */
const lookThenCount: AroundRedis = {
  counters: ({ take }) => ({
    async take(name, limit, amount) {
      const looked = await take(name, limit, 0)
      await take(name, limit, amount)
      return looked
    },
  }),
}

const timeOfTheNode = rewriting(
  /redis\.call\('TIME'\)/g,
  (clock) => `{'${Math.floor(clock.now() / 1000)}', '${(clock.now() % 1000) * 1000}'}`,
)
const without = (words: RegExp) => rewriting(words, () => '')

/** Named for what is wrong. */
export function redisFaults(Mock: RedisMockClass): readonly Mutant[] {
  const cluster = (name: string, around: AroundRedis) =>
    clusterSubject(name, { makeServer: redisMockServer(Mock, around) })
  const cut = (name: string, around: AroundRedis) => crashSubject(name, Mock, around)
  return [
    makeMutant(
      'a quota that is read and written in two commands',
      linearizableLaw,
      cluster('read, write', readThenWrite),
    ),
    makeMutant(
      'a rate that is looked at and counted in two scripts',
      clusterBoundLaw,
      cluster('look, count', lookThenCount),
    ),
    makeMutant('windows by the time of each node', clusterBoundLaw, cluster('time of the node', timeOfTheNode)),
    makeMutant('a period whose end is set by a second command', crashProperty, cut('end later', endInASecondCommand)),
    makeMutant('a period without an end', crashProperty, cut('period', without(/, 'EX', renewal\b/g))),
    makeMutant('a log without an end', crashProperty, cut('log', without(/redis\.call\('EXPIRE', key, per\)/g))),
    makeMutant('a mark without an end', crashProperty, cut('mark', without(/, 'EX', per\b/g))),
    makeMutant(
      'a fixed window without an end',
      crashProperty,
      cut('window', without(/redis\.call\('PEXPIRE', [^)]*\)/g)),
    ),
  ]
}
