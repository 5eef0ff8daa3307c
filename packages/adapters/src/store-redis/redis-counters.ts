/**
 * Quota and rate counters (spec/redis-layout.md 5 and 6). One verb is one script is one round trip. The default rate
 * algorithm counts in this node's memory: with several nodes each takes its share, or, where the rate is too small to
 * be shared out, the rolling window in Redis counts for all.
 */
import {
  type Clock,
  type CountedLimit,
  type CounterStore,
  type Maybe,
  type Millis,
  makeMemoryCounters,
  type QuotaLimit,
  type QuotaSpent,
  type RateLimit,
  type RateTaken,
  type TakenAndSpent,
} from '@turnpike/core'
import { type Decided, makeDecisions } from './decisions.ts'
import { rateCall, takenOf } from './rate-call.ts'
import type { RedisLink } from './redis-link.ts'
import { takeSmoothly } from './smoothed-rate.ts'
import type { StoreTime } from './store-time.ts'
import { pause } from './timers.ts'

export interface RedisCountersOptions {
  readonly link: RedisLink
  readonly clock: Clock
  readonly time: StoreTime
  /** How many nodes share the default algorithm's rates now. */
  readonly nodes: () => number
  /** `drl_threshold`: requests a second and node below which a rate is not shared out. */
  readonly threshold: number
}

/** What existing nodes hold the lock of a quota for is over in a few milliseconds. */
const lockPauseMs = 10
const lockTries = 20
/** Longest period that Redis is told; about a hundred years. */
const longestSeconds = 3_153_600_000

/** The time of Redis, as it told it. */
interface Told {
  readonly now: Millis
  readonly tries: number
  /** It is counted now, whatever the time is. */
  readonly isLast: boolean
}

/** An edge lies between naming a window and reaching Redis once; more often only where calls take a window's length. */
const windowTries = 4

export interface RedisCounters extends CounterStore {
  close(): void
}

export function makeRedisCounters(options: RedisCountersOptions): RedisCounters {
  const { link, clock, time, nodes, threshold } = options
  const memory = makeMemoryCounters({ clock })
  const decisions = makeDecisions(link)

  const spentOf = (count: number, left: number, { max }: QuotaLimit, amount: number): QuotaSpent => ({
    allowed: amount === 0 ? count < max : count <= max,
    remaining: Math.max(0, max - count),
    renewsAt: left < 0 ? undefined : clock.now() + left,
  })

  const spend = (name: string, limit: QuotaLimit, amount: number, tried = 0): Promise<QuotaSpent> =>
    decisions.ask(
      {
        kind: link.isCluster ? 'alone' : 'quota',
        keys: quotaKeys(name),
        args: [amount, renewalOf(limit), tried >= lockTries ? 1 : 0],
      },
      ({ count, leftMs }) =>
        count === -1 ? spendLater(name, limit, amount, tried + 1) : spentOf(count, leftMs, limit, amount),
    )

  /** Another node holds the counter's lock. */
  const spendLater = async (name: string, limit: QuotaLimit, amount: number, tried: number): Promise<QuotaSpent> => {
    await pause(link.timers, lockPauseMs)
    return spend(name, limit, amount, tried)
  }

  const quotaKeys = (name: string) => (link.isCluster ? [name] : [name, `${name}-lock`])

  /** The limit as it is counted by now: here alone, shared out, or for all nodes in Redis. */
  const counted = (name: string, limit: RateLimit): { name: string; limit: RateLimit; here: boolean } => {
    if (limit.algorithm !== 'local') return { name, limit, here: false }
    const n = nodes()
    if (n <= 1) return { name, limit, here: true }
    if (n * threshold < limit.rate / limit.per) return { name, limit: { ...limit, rate: limit.rate / n }, here: true }
    // The name of the bucket has the session's last change behind it.
    return { name: name.slice(0, name.lastIndexOf(':')), limit: { ...limit, algorithm: 'rolling' }, here: false }
  }

  const take = (by: CountedLimit<RateLimit>, amount: number, told?: Told): Maybe<RateTaken> => {
    const call = rateCall(by.name, by.limit, amount, time, told?.now, told?.isLast)
    if ('taken' in call) return call.taken
    return decisions.ask({ kind: 'rate', ...call }, (decided) =>
      decided.allowed === -1 ? take(by, amount, hear(decided, told)) : takenOf(by.limit, amount, decided, time),
    )
  }

  const takeBoth = (
    by: CountedLimit<RateLimit>,
    quota: CountedLimit<QuotaLimit>,
    told?: Told,
  ): Promise<TakenAndSpent> | undefined => {
    const call = rateCall(by.name, by.limit, 1, time, told?.now, told?.isLast)
    if ('taken' in call) return undefined
    const keys = [...call.keys, ...quotaKeys(quota.name)]
    const args = [...call.args, renewalOf(quota.limit)]
    return decisions.ask({ kind: 'both', keys, args }, (decided) => {
      if (decided.allowed === -1) return takeBoth(by, quota, hear(decided, told)) as Promise<TakenAndSpent>
      const taken = takenOf(by.limit, 1, decided, time)
      if (!taken.allowed) return { taken, spent: undefined }
      const { count, leftMs } = decided
      if (count !== -1) return { taken, spent: spentOf(count, leftMs, quota.limit, 1) }
      return spend(quota.name, quota.limit, 1).then((spent) => ({ taken, spent }))
    })
  }

  /** Another fixed window was on than this node took for it. */
  const hear = ({ opensInMs: now }: Decided, before: Told | undefined): Told => {
    // Only an edge, or wrong for longer: that is found out beside the requests.
    void time.learn()
    const tries = (before?.tries ?? 0) + 1
    return { now, tries, isLast: tries >= windowTries }
  }

  return {
    spend: (name, limit, amount) => spend(name, limit, amount),
    async readQuota(name) {
      const [text, ttl] = await link.call((redis) => Promise.all([redis.get(name), redis.pttl(name)]))
      const used = Number(text)
      // In the millisecond in which the period ends it is over.
      if (ttl === -2 || ttl === 0 || !(used > 0)) return undefined
      return { used, renewsAt: ttl < 0 ? undefined : clock.now() + ttl }
    },
    async resetQuotas(names) {
      if (names.length > 0) await removeAll(link, names)
    },
    take(name, limit, amount) {
      const { here, ...by } = counted(name, limit)
      if (here) return memory.take(by.name, by.limit, amount)
      if (by.limit.smoothing !== undefined && by.limit.algorithm !== 'fixed') {
        return takeSmoothly(link, time, by.name, by.limit, by.limit.smoothing, amount)
      }
      return take(by, amount)
    },
    takeThenSpend(rate, quota) {
      // In a cluster the two counters may live on two nodes.
      if (link.isCluster) return undefined
      const { here, ...by } = counted(rate.name, rate.limit)
      if (here || by.limit.smoothing !== undefined) return undefined
      return takeBoth(by, quota)
    },
    async clearMarks(names) {
      const marks = names.map((name) => `${name}.BLOCKED`)
      if (marks.length > 0) await removeAll(link, marks)
    },
    close: () => memory.close(),
  } satisfies CounterStore & { close(): void }
}

const renewalOf = ({ renewalSeconds }: QuotaLimit) => Math.min(Math.max(0, Math.ceil(renewalSeconds)), longestSeconds)

/** One command, or one for each key where they may lie on several nodes. */
async function removeAll(link: RedisLink, names: readonly string[]): Promise<void> {
  await link.call(async (redis) => {
    if (link.isCluster) await Promise.all(names.map((name) => redis.del(name)))
    else await redis.del(...names)
  })
}
