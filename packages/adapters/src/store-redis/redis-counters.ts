/**
 * Quota and rate counters under the names of the original gateway (docs/reference/redis-layout.md#redis-layout). A
 * decision about rate and quota is one script call and one round trip. The default rate algorithm counts in the memory of
 * this node: several nodes divide the rate, and a rate that is too small to divide is counted by the rolling window in
 * Redis.
 */
import { type Maybe, when } from '@turnpike/core/lib'
import type { Clock, Counter, CounterStore, QuotaResult, RateLimit, RateResult } from '@turnpike/core/ports'
import { makeMemoryCounters } from '@turnpike/core/store-memory'
import { makeDecisions } from './batch-decisions.ts'
import type { QuotaNotes } from './quota-notes.ts'
import type { RedisConnection } from './redis-connection.ts'
import { RedisLimits, type Results } from './redis-limits.ts'
import type { RedisNames } from './redis-names.ts'
import type { StoreTime } from './store-time.ts'

export interface RedisCountersOptions {
  readonly connection: RedisConnection
  readonly clock: Clock
  readonly time: StoreTime
  /** Returns the number of nodes that share rates of the default algorithm. */
  readonly nodes: () => number
  /** `drl_threshold`: a rate below this number of requests per second and node is not divided. */
  readonly threshold: number
  readonly names: RedisNames
  /** Writers of remaining quotas, for the sessions of keys and of organisations. */
  readonly notes: { readonly key: QuotaNotes; readonly organisation: QuotaNotes }
}

export interface RedisCounters extends CounterStore {
  close(): void
}

export function makeRedisCounters(options: RedisCountersOptions): RedisCounters {
  const { connection, clock, time, names, notes } = options
  const memory = makeMemoryCounters({ clock })
  // Without hash tags, the counters of one decision can be on different nodes of a cluster.
  const isSplit = connection.isCluster && !names.areTagged
  const limits = new RedisLimits(connection, makeDecisions(connection), time, isSplit)

  const decide = (counter: Counter, amount: number): Maybe<Results> => {
    const quota = counter.quota && { name: names.quota(counter), limit: counter.quota }
    const thenQuota = (rate: RateResult | undefined): Maybe<Results> =>
      quota === undefined || rate?.allowed === false
        ? { rate, quota: undefined }
        : limits.consumeQuota(quota, amount).then((result) => ({ rate, quota: result }))
    if (counter.rate === undefined) return thenQuota(undefined)
    const { limit, isLocal } = placeOf(counter.rate, options)
    if (isLocal) return thenQuota(memory.consumeRate(counter, limit, amount))
    const rate = { name: names.rate(counter), limit }
    const both = quota && limits.consumeBoth(rate, quota, amount)
    return both ?? when(limits.consumeRate(rate, amount), thenQuota)
  }

  /** For other programs, which read the remaining quota in the stored session. */
  const noteQuota = ({ subject, kind, scope }: Counter, quota: QuotaResult) => {
    if (kind !== 'api') notes[kind].note(subject, scope, quota)
  }

  return {
    consume(counter, amount) {
      const results = decide(counter, amount)
      if (counter.quota === undefined || amount === 0) return results
      return when(results, (settled) => {
        if (settled.quota !== undefined) noteQuota(counter, settled.quota)
        return settled
      })
    },
    async readQuota(id) {
      const name = names.quota(id)
      const [text, ttl] = await connection.call((redis) => Promise.all([redis.get(name), redis.pttl(name)]), name)
      const used = Number(text)
      // A TTL of 0 is the last millisecond of the key; the period has already ended.
      if (ttl === -2 || ttl === 0 || !(used > 0)) return undefined
      return { used, renewsAt: ttl < 0 ? undefined : clock.now() + ttl }
    },
    async resetQuotas(ids) {
      const quotaNames = ids.map((id) => names.quota(id))
      if (quotaNames.length > 0) await removeAll(connection, quotaNames)
    },
    async unblock(ids) {
      const flags = ids.map((id) => `${names.rate(id)}.BLOCKED`)
      if (flags.length > 0) await removeAll(connection, flags)
    },
    close: () => memory.close(),
  } satisfies RedisCounters
}

/** Selects where a rate is counted: in this node's memory, completely or divided, or in Redis for all nodes. */
function placeOf(
  limit: RateLimit,
  { nodes, threshold }: Pick<RedisCountersOptions, 'nodes' | 'threshold'>,
): { readonly limit: RateLimit; readonly isLocal: boolean } {
  if (limit.algorithm !== 'local') return { limit, isLocal: false }
  const n = nodes()
  if (n <= 1) return { limit, isLocal: true }
  if (n * threshold < limit.rate / limit.per) return { limit: { ...limit, rate: limit.rate / n }, isLocal: true }
  return { limit: { ...limit, algorithm: 'rolling' }, isLocal: false }
}

/** One command, or one per key in a cluster. */
async function removeAll(connection: RedisConnection, names: readonly string[]): Promise<void> {
  if (connection.isCluster) await Promise.all(names.map((name) => connection.call((redis) => redis.del(name), name)))
  else await connection.call((redis) => redis.del(...names))
}
