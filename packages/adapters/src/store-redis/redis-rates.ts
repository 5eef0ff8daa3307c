/** Counts rates by calls of the script `decide`, each by itself or together with a quota. */
import type { Maybe, Millis, QuotaLimit, QuotaResult, RateLimit, RateResult, Smoothing } from '@turnpike/core'
import type { DecisionReply, Decisions } from './decisions.ts'
import { rateResultOf, rateScriptArguments } from './rate-script-arguments.ts'
import type { RedisLink } from './redis-link.ts'
import { isLocked, type Named, type RedisQuotas } from './redis-quotas.ts'
import { consumeSmoothed } from './smoothed-rate.ts'
import type { StoreTime } from './store-time.ts'

export interface Results {
  readonly rate: RateResult | undefined
  readonly quota: QuotaResult | undefined
}

type SmoothedLimit = RateLimit & { readonly smoothing: Smoothing }

/** The time of Redis from a reply. */
interface RedisTime {
  readonly now: Millis
  readonly tries: number
  /** True for the last attempt, which counts in any window. */
  readonly isLast: boolean
}

/** A window can end between naming it and executing the call. That happens repeatedly only if calls take as long as a window. */
const windowTries = 4

export class RedisRates {
  private readonly link: RedisLink
  private readonly decisions: Decisions
  private readonly time: StoreTime
  private readonly quotas: RedisQuotas
  private readonly isSplit: boolean

  /** `isSplit`: the names of one decision can be in different hash slots. */
  constructor(link: RedisLink, decisions: Decisions, time: StoreTime, quotas: RedisQuotas, isSplit: boolean) {
    this.link = link
    this.decisions = decisions
    this.time = time
    this.quotas = quotas
    this.isSplit = isSplit
  }

  consume({ name, limit }: Named<RateLimit>, amount: number, redisTime?: RedisTime): Maybe<RateResult> {
    if (isSmoothed(limit)) {
      return consumeSmoothed(this.link, this.time, { name, limit, amount }).then(({ rate }) => rate)
    }
    const call = rateScriptArguments(name, limit, amount, this.time, redisTime?.now, redisTime?.isLast)
    if ('result' in call) return call.result
    return this.decisions.submit({ kind: 'rate', ...call }, (reply) =>
      isOtherWindow(reply)
        ? this.consume({ name, limit }, amount, this.timeOf(reply, redisTime))
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
    const { quotas } = this
    const { limit } = rate
    if (isSmoothed(limit)) return this.consumeSmoothedBoth({ ...rate, limit }, quota, amount)
    const call = rateScriptArguments(rate.name, rate.limit, amount, this.time, redisTime?.now, redisTime?.isLast)
    if ('result' in call) return undefined
    const keys = [...call.keys, ...quotas.keysOf(quota.name)]
    const args = [...call.args, quotas.renewalOf(quota.limit)]
    return this.decisions.submit({ kind: 'both', keys, args }, (reply): Maybe<Results> => {
      if (isOtherWindow(reply)) {
        return this.consumeBoth(rate, quota, amount, this.timeOf(reply, redisTime)) as Promise<Results>
      }
      const result = rateResultOf(rate.limit, amount, reply, this.time)
      if (!result.allowed) return { rate: result, quota: undefined }
      if (!isLocked(reply)) return { rate: result, quota: quotas.resultOf(reply, quota.limit, amount) }
      return quotas.consume(quota, amount).then((quotaResult) => ({ rate: result, quota: quotaResult }))
    })
  }

  private async consumeSmoothedBoth(
    { name, limit }: Named<SmoothedLimit>,
    quota: Named<QuotaLimit>,
    amount: number,
  ): Promise<Results> {
    const { quotas } = this
    const { rate, quota: reply } = await consumeSmoothed(this.link, this.time, {
      name,
      limit,
      amount,
      quota: { keys: quotas.keysOf(quota.name), renewalSeconds: quotas.renewalOf(quota.limit) },
    })
    if (!rate.allowed) return { rate, quota: undefined }
    if (isLocked(reply)) return { rate, quota: await quotas.consume(quota, amount) }
    return { rate, quota: quotas.resultOf(reply, quota.limit, amount) }
  }

  private timeOf({ redisNow: now }: DecisionReply, before: RedisTime | undefined): RedisTime {
    // The window may just have ended, or the estimated time is wrong. Update the estimate without delaying the request.
    void this.time.learn()
    const tries = (before?.tries ?? 0) + 1
    return { now, tries, isLast: tries >= windowTries }
  }
}

/** Returns true if nothing was counted because the named fixed window is not the current one in Redis. */
function isOtherWindow({ allowed }: DecisionReply): boolean {
  return allowed === -1
}

/** Fixed windows are never smoothed. */
function isSmoothed(limit: RateLimit): limit is SmoothedLimit {
  return limit.smoothing !== undefined && limit.algorithm !== 'fixed'
}
