/** Calls of the scripts that count rates, alone or together with a quota. */
import type { Maybe, Millis, QuotaLimit, QuotaResult, RateLimit, RateResult, Smoothing } from '@turnpike/core'
import type { Decided, Decisions } from './decisions.ts'
import { isLocked, type Named, type QuotaCalls } from './quota-calls.ts'
import { rateCall, takenOf } from './rate-call.ts'
import type { RedisLink } from './redis-link.ts'
import { takeSmoothly } from './smoothed-rate.ts'
import type { StoreTime } from './store-time.ts'

export interface Results {
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

export class RateCalls {
  private readonly link: RedisLink
  private readonly decisions: Decisions
  private readonly time: StoreTime
  private readonly quotas: QuotaCalls

  constructor(link: RedisLink, decisions: Decisions, time: StoreTime, quotas: QuotaCalls) {
    this.link = link
    this.decisions = decisions
    this.time = time
    this.quotas = quotas
  }

  consume({ name, limit }: Named<RateLimit>, amount: number, redisTime?: RedisTime): Maybe<RateResult> {
    if (isSmoothed(limit)) return takeSmoothly(this.link, this.time, name, limit, limit.smoothing, amount)
    const call = rateCall(name, limit, amount, this.time, redisTime?.now, redisTime?.isLast)
    if ('taken' in call) return call.taken
    return this.decisions.ask({ kind: 'rate', ...call }, (decided) =>
      isOtherWindow(decided)
        ? this.consume({ name, limit }, amount, this.timeOf(decided, redisTime))
        : takenOf(limit, amount, decided, this.time),
    )
  }

  /** One call for both. `undefined`: the rate needs no call, or it and the quota cannot share one. */
  consumeBoth(
    rate: Named<RateLimit>,
    quota: Named<QuotaLimit>,
    amount: number,
    redisTime?: RedisTime,
  ): Promise<Results> | undefined {
    // In a cluster the two counters may be on two nodes.
    if (this.link.isCluster || isSmoothed(rate.limit)) return undefined
    const { quotas } = this
    const call = rateCall(rate.name, rate.limit, amount, this.time, redisTime?.now, redisTime?.isLast)
    if ('taken' in call) return undefined
    const keys = [...call.keys, ...quotas.keysOf(quota.name)]
    const args = [...call.args, quotas.renewalOf(quota.limit)]
    return this.decisions.ask({ kind: 'both', keys, args }, (decided): Maybe<Results> => {
      if (isOtherWindow(decided)) {
        return this.consumeBoth(rate, quota, amount, this.timeOf(decided, redisTime)) as Promise<Results>
      }
      const taken = takenOf(rate.limit, amount, decided, this.time)
      if (!taken.allowed) return { rate: taken, quota: undefined }
      if (!isLocked(decided)) return { rate: taken, quota: quotas.resultOf(decided, quota.limit, amount) }
      return quotas.consume(quota, amount).then((result) => ({ rate: taken, quota: result }))
    })
  }

  private timeOf({ opensInMs: now }: Decided, before: RedisTime | undefined): RedisTime {
    // Either only an edge, or the time is wrong for longer, which is found out beside the requests.
    void this.time.learn()
    const tries = (before?.tries ?? 0) + 1
    return { now, tries, isLast: tries >= windowTries }
  }
}

/** Whether another fixed window was on than the one that this node named, so that nothing was counted. */
function isOtherWindow({ allowed }: Decided): boolean {
  return allowed === -1
}

/** Fixed windows are never smoothed. */
function isSmoothed(limit: RateLimit): limit is RateLimit & { readonly smoothing: Smoothing } {
  return limit.smoothing !== undefined && limit.algorithm !== 'fixed'
}
