/** Counts quotas by calls of the script. */
import type { Clock, QuotaLimit, QuotaResult } from '@turnpike/core'
import type { DecisionReply, Decisions } from './decisions.ts'
import { maxSeconds } from './rate-script-arguments.ts'
import type { RedisLink } from './redis-link.ts'
import { pause } from './timers.ts'

/** A limit with the name of its counter in Redis. */
export interface Named<L> {
  readonly name: string
  readonly limit: L
}

/** Nodes of the original gateway hold the lock of a quota for a few milliseconds. */
const lockPauseMs = 10
const lockTries = 20

export class RedisQuotas {
  private readonly link: RedisLink
  private readonly decisions: Decisions
  private readonly clock: Pick<Clock, 'now'>
  private readonly isSplit: boolean

  /** `isSplit`: the names of one decision can be in different hash slots. */
  constructor(link: RedisLink, decisions: Decisions, clock: Pick<Clock, 'now'>, isSplit: boolean) {
    this.link = link
    this.isSplit = isSplit
    this.decisions = decisions
    this.clock = clock
  }

  consume(quota: Named<QuotaLimit>, amount: number, tried = 0): Promise<QuotaResult> {
    const { name, limit } = quota
    const args = [amount, this.renewalOf(limit), tried >= lockTries ? 1 : 0]
    const kind = this.isSplit ? 'quota-without-lock' : 'quota'
    return this.decisions.submit({ kind, keys: this.keysOf(name), args }, (reply) =>
      isLocked(reply) ? this.consumeLater(quota, amount, tried + 1) : this.resultOf(reply, limit, amount),
    )
  }

  /** The counter, and the lock of the original gateway if one call can read both. */
  keysOf(name: string): string[] {
    return this.isSplit ? [name] : [name, `${name}-lock`]
  }

  renewalOf({ renewalSeconds }: QuotaLimit): number {
    return Math.min(Math.max(0, Math.ceil(renewalSeconds)), maxSeconds)
  }

  resultOf(
    { count, leftMs }: Pick<DecisionReply, 'count' | 'leftMs'>,
    { max }: QuotaLimit,
    amount: number,
  ): QuotaResult {
    return {
      allowed: amount === 0 ? count < max : count <= max,
      remaining: Math.max(0, max - count),
      renewsAt: leftMs < 0 ? undefined : this.clock.now() + leftMs,
    }
  }

  private async consumeLater(quota: Named<QuotaLimit>, amount: number, tried: number): Promise<QuotaResult> {
    await pause(this.link.timers, lockPauseMs)
    return this.consume(quota, amount, tried)
  }
}

/** Returns true if nothing was counted because another node held the lock of the counter. */
export function isLocked({ count }: Pick<DecisionReply, 'count'>): boolean {
  return count === -1
}
