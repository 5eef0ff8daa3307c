/**
 * Counts rates and quotas in Redis by calls of the scripts, each by itself or both together. A call that a lock or the end
 * of a window prevented is repeated. `redis-counters.ts` decides which rates are counted in Redis.
 */
import type { Maybe, Millis } from '@turnpike/core/lib'
import type { QuotaLimit, QuotaResult, RateLimit, RateResult } from '@turnpike/core/ports'
import type { DecisionReply, Decisions } from './batch-decisions.ts'
import { maxSeconds, rateResultOf, rateScriptArguments } from './rate-script-arguments.ts'
import type { RedisConnection } from './redis-connection.ts'
import { consumeSmoothed, isSmoothed, type SmoothedLimit } from './smoothed-rate.ts'
import type { StoreTime } from './store-time.ts'
import { pause } from './timers.ts'

/** A limit with the name of its counter in Redis. */
interface Named<L> {
  readonly name: string
  readonly limit: L
}

export interface Results {
  readonly rate: RateResult | undefined
  readonly quota: QuotaResult | undefined
}

/** The time of Redis from a reply. */
interface RedisTime {
  readonly now: Millis
  readonly tries: number
  /** True for the last attempt, which counts in any window. */
  readonly isLast: boolean
}

type QuotaReply = Pick<DecisionReply, 'count' | 'leftMs'>

/** Nodes of the original gateway hold the lock of a quota for a few milliseconds. */
const lockPauseMs = 10
const lockTries = 20
/** A window can end between naming it and executing the call. That happens repeatedly only if calls take as long as a window. */
const windowTries = 4

export class RedisLimits {
  private readonly connection: RedisConnection
  private readonly decisions: Decisions
  private readonly time: StoreTime
  private readonly isSplit: boolean

  /** `isSplit`: the names of one decision can be in different hash slots. */
  constructor(connection: RedisConnection, decisions: Decisions, time: StoreTime, isSplit: boolean) {
    this.connection = connection
    this.decisions = decisions
    this.time = time
    this.isSplit = isSplit
  }

  consumeQuota(quota: Named<QuotaLimit>, amount: number, tried = 0): Promise<QuotaResult> {
    const args = [amount, renewalOf(quota.limit), tried >= lockTries ? 1 : 0]
    const kind = this.isSplit ? 'quota-without-lock' : 'quota'
    return this.decisions.submit({ kind, keys: this.quotaKeys(quota), args }, (reply) =>
      isLocked(reply)
        ? pause(this.connection.timers, lockPauseMs).then(() => this.consumeQuota(quota, amount, tried + 1))
        : this.quotaResult(reply, quota, amount),
    )
  }

  consumeRate({ name, limit }: Named<RateLimit>, amount: number, redisTime?: RedisTime): Maybe<RateResult> {
    if (isSmoothed(limit)) {
      return consumeSmoothed(this.connection, this.time, { name, limit, amount }).then(({ rate }) => rate)
    }
    const call = rateScriptArguments(name, limit, amount, this.time, redisTime?.now, redisTime?.isLast)
    if ('result' in call) return call.result
    return this.decisions.submit({ kind: 'rate', ...call }, (reply) =>
      isOtherWindow(reply)
        ? this.consumeRate({ name, limit }, amount, this.timeOf(reply, redisTime))
        : rateResultOf(limit, amount, reply, this.time),
    )
  }

  /** Counts both in one call. `undefined`: the rate needs no call, or the two cannot share one. */
  consumeBoth(
    rate: Named<RateLimit>,
    quota: Named<QuotaLimit>,
    amount: number,
    redisTime?: RedisTime,
  ): Promise<Results> | undefined {
    if (this.isSplit) return undefined
    const { name, limit } = rate
    if (isSmoothed(limit)) return this.consumeSmoothedBoth({ name, limit }, quota, amount)
    const call = rateScriptArguments(name, limit, amount, this.time, redisTime?.now, redisTime?.isLast)
    if ('result' in call) return undefined
    const keys = [...call.keys, ...this.quotaKeys(quota)]
    const args = [...call.args, renewalOf(quota.limit)]
    return this.decisions.submit({ kind: 'both', keys, args }, (reply): Maybe<Results> => {
      if (isOtherWindow(reply)) {
        return this.consumeBoth(rate, quota, amount, this.timeOf(reply, redisTime)) as Promise<Results>
      }
      return this.resultsOf(rateResultOf(limit, amount, reply, this.time), reply, quota, amount)
    })
  }

  private async consumeSmoothedBoth(
    { name, limit }: Named<SmoothedLimit>,
    quota: Named<QuotaLimit>,
    amount: number,
  ): Promise<Results> {
    const { rate, quota: reply } = await consumeSmoothed(this.connection, this.time, {
      name,
      limit,
      amount,
      quota: { keys: this.quotaKeys(quota), renewalSeconds: renewalOf(quota.limit) },
    })
    return this.resultsOf(rate, reply, quota, amount)
  }

  private resultsOf(rate: RateResult, reply: QuotaReply, quota: Named<QuotaLimit>, amount: number): Maybe<Results> {
    if (!rate.allowed) return { rate, quota: undefined }
    if (!isLocked(reply)) return { rate, quota: this.quotaResult(reply, quota, amount) }
    return this.consumeQuota(quota, amount).then((result) => ({ rate, quota: result }))
  }

  /** The counter, and the lock of the original gateway if one call can read both. */
  private quotaKeys({ name }: Named<QuotaLimit>): string[] {
    return this.isSplit ? [name] : [name, `${name}-lock`]
  }

  private quotaResult({ count, leftMs }: QuotaReply, { limit }: Named<QuotaLimit>, amount: number): QuotaResult {
    return {
      allowed: amount === 0 ? count < limit.max : count <= limit.max,
      remaining: Math.max(0, limit.max - count),
      renewsAt: leftMs < 0 ? undefined : this.time.here() + leftMs,
    }
  }

  private timeOf({ redisNow: now }: DecisionReply, before: RedisTime | undefined): RedisTime {
    // The window may just have ended, or the estimated time is wrong. Update the estimate without delaying the request.
    void this.time.learn()
    const tries = (before?.tries ?? 0) + 1
    return { now, tries, isLast: tries >= windowTries }
  }
}

function renewalOf({ renewalSeconds }: QuotaLimit): number {
  return Math.min(Math.max(0, Math.ceil(renewalSeconds)), maxSeconds)
}

/** Returns true if nothing was counted because another node held the lock of the counter. */
function isLocked({ count }: QuotaReply): boolean {
  return count === -1
}

/** Returns true if nothing was counted because the named fixed window is not the current one in Redis. */
function isOtherWindow({ allowed }: DecisionReply): boolean {
  return allowed === -1
}
