/** Calls of the script that counts quotas. */
import type { Clock, QuotaLimit, QuotaResult } from '@turnpike/core'
import type { Decided, Decisions } from './decisions.ts'
import type { RedisLink } from './redis-link.ts'
import { pause } from './timers.ts'

/** A limit with the name of its counter in Redis. */
export interface Named<L> {
  readonly name: string
  readonly limit: L
}

/** Existing nodes hold the lock of a quota for a few milliseconds. */
const lockPauseMs = 10
const lockTries = 20
/** Longest period that Redis accepts here; about a hundred years. */
const longestSeconds = 3_153_600_000

export class QuotaCalls {
  private readonly link: RedisLink
  private readonly decisions: Decisions
  private readonly clock: Pick<Clock, 'now'>

  constructor(link: RedisLink, decisions: Decisions, clock: Pick<Clock, 'now'>) {
    this.link = link
    this.decisions = decisions
    this.clock = clock
  }

  consume(quota: Named<QuotaLimit>, amount: number, tried = 0): Promise<QuotaResult> {
    const { name, limit } = quota
    const args = [amount, this.renewalOf(limit), tried >= lockTries ? 1 : 0]
    const kind = this.link.isCluster ? 'alone' : 'quota'
    return this.decisions.ask({ kind, keys: this.keysOf(name), args }, (decided) =>
      isLocked(decided) ? this.consumeLater(quota, amount, tried + 1) : this.resultOf(decided, limit, amount),
    )
  }

  /** The counter, and beside it the lock of existing nodes where one call can look at both. */
  keysOf(name: string): string[] {
    return this.link.isCluster ? [name] : [name, `${name}-lock`]
  }

  renewalOf({ renewalSeconds }: QuotaLimit): number {
    return Math.min(Math.max(0, Math.ceil(renewalSeconds)), longestSeconds)
  }

  resultOf({ count, leftMs }: Decided, { max }: QuotaLimit, amount: number): QuotaResult {
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

/** Whether another node held the lock of the counter, so that nothing was counted. */
export function isLocked({ count }: Decided): boolean {
  return count === -1
}
