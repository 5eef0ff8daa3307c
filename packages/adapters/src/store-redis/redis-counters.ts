/**
 * Quota and rate counters under the names that existing nodes use (docs/reference/redis-layout.md#redis-layout). A decision is one
 * script and one round trip, for rate and quota together. The default rate algorithm counts in this node's memory: with
 * several nodes each takes its share, or, where the rate is too small to be shared, the rolling window in Redis counts
 * for all.
 */
import {
  type Clock,
  type Counter,
  type CounterStore,
  isPromise,
  type Maybe,
  type Millis,
  makeMemoryCounters,
  type QuotaLimit,
  type QuotaResult,
  quotaCounterName,
  type RateLimit,
  type RateResult,
  rateCounterName,
  type Smoothing,
} from '@turnpike/core'
import { type Decided, makeDecisions } from './decisions.ts'
import type { QuotaNotes } from './quota-notes.ts'
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
  readonly hashKeys: boolean
  /** Where what is left of quotas is noted, for the sessions of keys and of organisations. */
  readonly notes: { readonly key: QuotaNotes; readonly organisation: QuotaNotes }
}

/** What existing nodes hold the lock of a quota for is over in a few milliseconds. */
const lockPauseMs = 10
const lockTries = 20
/** Longest period that Redis accepts here; about a hundred years. */
const longestSeconds = 3_153_600_000

/** A limit with the name of its counter in Redis. */
interface Named<L> {
  readonly name: string
  readonly limit: L
}

interface Results {
  readonly rate: RateResult | undefined
  readonly quota: QuotaResult | undefined
}

/** The time of Redis, as a reply reported it. */
interface RedisTime {
  readonly now: Millis
  readonly tries: number
  /** The request is counted now, whatever the time is. */
  readonly isLast: boolean
}

/** An edge lies between naming a window and reaching Redis once; more often only where calls take a window's length. */
const windowTries = 4

export interface RedisCounters extends CounterStore {
  close(): void
}

export function makeRedisCounters(options: RedisCountersOptions): RedisCounters {
  const { link, clock, time, nodes, threshold, hashKeys, notes } = options
  const memory = makeMemoryCounters({ clock })
  const decisions = makeDecisions(link)

  const quotaResult = (count: number, left: number, { max }: QuotaLimit, amount: number): QuotaResult => ({
    allowed: amount === 0 ? count < max : count <= max,
    remaining: Math.max(0, max - count),
    renewsAt: left < 0 ? undefined : clock.now() + left,
  })

  const quotaKeys = (name: string) => (link.isCluster ? [name] : [name, `${name}-lock`])

  const consumeQuota = (quota: Named<QuotaLimit>, amount: number, tried = 0): Promise<QuotaResult> => {
    const { name, limit } = quota
    const args = [amount, renewalOf(limit), tried >= lockTries ? 1 : 0]
    const kind = link.isCluster ? 'alone' : 'quota'
    return decisions.ask({ kind, keys: quotaKeys(name), args }, ({ count, leftMs }) =>
      count === -1 ? consumeQuotaLater(quota, amount, tried + 1) : quotaResult(count, leftMs, limit, amount),
    )
  }

  /** Another node holds the counter's lock. */
  const consumeQuotaLater = async (quota: Named<QuotaLimit>, amount: number, tried: number): Promise<QuotaResult> => {
    await pause(link.timers, lockPauseMs)
    return consumeQuota(quota, amount, tried)
  }

  const consumeRate = (rate: Named<RateLimit>, amount: number, redisTime?: RedisTime): Maybe<RateResult> => {
    const call = rateCall(rate.name, rate.limit, amount, time, redisTime?.now, redisTime?.isLast)
    if ('taken' in call) return call.taken
    return decisions.ask({ kind: 'rate', ...call }, (decided) =>
      decided.allowed === -1
        ? consumeRate(rate, amount, redisTimeOf(decided, redisTime))
        : takenOf(rate.limit, amount, decided, time),
    )
  }

  /** One call for both. `undefined`: the rate needs no call, or its rule has a script of its own. */
  const consumeBoth = (
    rate: Named<RateLimit>,
    quota: Named<QuotaLimit>,
    amount: number,
    redisTime?: RedisTime,
  ): Promise<Results> | undefined => {
    // In a cluster the two counters may be on two nodes.
    if (link.isCluster || isSmoothed(rate.limit)) return undefined
    const call = rateCall(rate.name, rate.limit, amount, time, redisTime?.now, redisTime?.isLast)
    if ('taken' in call) return undefined
    const keys = [...call.keys, ...quotaKeys(quota.name)]
    const args = [...call.args, renewalOf(quota.limit)]
    return decisions.ask({ kind: 'both', keys, args }, (decided) => {
      if (decided.allowed === -1) {
        return consumeBoth(rate, quota, amount, redisTimeOf(decided, redisTime)) as Promise<Results>
      }
      const taken = takenOf(rate.limit, amount, decided, time)
      if (!taken.allowed) return { rate: taken, quota: undefined }
      const { count, leftMs } = decided
      if (count !== -1) return { rate: taken, quota: quotaResult(count, leftMs, quota.limit, amount) }
      return consumeQuota(quota, amount).then((result) => ({ rate: taken, quota: result }))
    })
  }

  /** Another fixed window was on than the one that this node named. */
  const redisTimeOf = ({ opensInMs: now }: Decided, before: RedisTime | undefined): RedisTime => {
    // Either only an edge, or the time is wrong for longer, which is found out beside the requests.
    void time.learn()
    const tries = (before?.tries ?? 0) + 1
    return { now, tries, isLast: tries >= windowTries }
  }

  /** The rate as it is counted by now: in this node's memory, whole or this node's share, or in Redis for all nodes. */
  const placeOf = (limit: RateLimit): { readonly limit: RateLimit; readonly isLocal: boolean } => {
    if (limit.algorithm !== 'local') return { limit, isLocal: false }
    const n = nodes()
    if (n <= 1) return { limit, isLocal: true }
    if (n * threshold < limit.rate / limit.per) return { limit: { ...limit, rate: limit.rate / n }, isLocal: true }
    return { limit: { ...limit, algorithm: 'rolling' }, isLocal: false }
  }

  const rateAlone = (counter: Counter, rate: RateLimit, amount: number): Maybe<RateResult> => {
    const { limit, isLocal } = placeOf(rate)
    if (isLocal) return memory.consumeRate(counter, limit, amount)
    const name = rateCounterName(counter, hashKeys)
    if (isSmoothed(limit)) return takeSmoothly(link, time, name, limit, limit.smoothing, amount)
    return consumeRate({ name, limit }, amount)
  }

  const decide = (counter: Counter, amount: number): Maybe<Results> => {
    const { rate, quota: quotaLimit } = counter
    const quota = quotaLimit && { name: quotaCounterName(counter, hashKeys), limit: quotaLimit }
    const withQuota = (result: RateResult | undefined): Maybe<Results> =>
      quota === undefined || result?.allowed === false
        ? { rate: result, quota: undefined }
        : consumeQuota(quota, amount).then((state) => ({ rate: result, quota: state }))
    if (rate === undefined) return withQuota(undefined)
    const { limit, isLocal } = placeOf(rate)
    if (quota !== undefined && !isLocal) {
      const both = consumeBoth({ name: rateCounterName(counter, hashKeys), limit }, quota, amount)
      if (both !== undefined) return both
    }
    const alone = rateAlone(counter, rate, amount)
    return isPromise(alone) ? alone.then(withQuota) : withQuota(alone)
  }

  /** For programs beside existing nodes, which read what is left of a quota in the stored session. */
  const noteQuota = ({ subject, kind, scope }: Counter, quota: QuotaResult) => {
    if (kind !== 'api') notes[kind].note(subject, scope, quota)
  }

  return {
    consume(counter, amount) {
      const results = decide(counter, amount)
      if (counter.quota === undefined || amount === 0 || !isPromise(results)) return results
      return results.then((settled) => {
        if (settled.quota !== undefined) noteQuota(counter, settled.quota)
        return settled
      })
    },
    async readQuota(id) {
      const name = quotaCounterName(id, hashKeys)
      const [text, ttl] = await link.call((redis) => Promise.all([redis.get(name), redis.pttl(name)]))
      const used = Number(text)
      // In the millisecond in which the period ends it is over.
      if (ttl === -2 || ttl === 0 || !(used > 0)) return undefined
      return { used, renewsAt: ttl < 0 ? undefined : clock.now() + ttl }
    },
    async resetQuotas(ids) {
      const names = ids.map((id) => quotaCounterName(id, hashKeys))
      if (names.length > 0) await removeAll(link, names)
    },
    async unblock(ids) {
      const flags = ids.map((id) => `${rateCounterName(id, hashKeys)}.BLOCKED`)
      if (flags.length > 0) await removeAll(link, flags)
    },
    close: () => memory.close(),
  } satisfies CounterStore & { close(): void }
}

/** Fixed windows are never smoothed. */
function isSmoothed(limit: RateLimit): limit is RateLimit & { readonly smoothing: Smoothing } {
  return limit.smoothing !== undefined && limit.algorithm !== 'fixed'
}

const renewalOf = ({ renewalSeconds }: QuotaLimit) => Math.min(Math.max(0, Math.ceil(renewalSeconds)), longestSeconds)

/** One command, or one for each key where they may lie on several nodes. */
async function removeAll(link: RedisLink, names: readonly string[]): Promise<void> {
  await link.call(async (redis) => {
    if (link.isCluster) await Promise.all(names.map((name) => redis.del(name)))
    else await redis.del(...names)
  })
}
