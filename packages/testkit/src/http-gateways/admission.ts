/** Consumes the limits of a gateway for one request. */
import { setTimeout as sleepFor } from 'node:timers/promises'
import type { Millis } from '@turnpike/core/lib'
import type { LimitedGatewayOptions } from './gateway-options.ts'
import { type Counters, type GatewayLimit, type MakeKeyLimiter, makeCounters } from './key-limiter.ts'
import { keyLimiters } from './key-limiters.ts'
import type { NamedDecision } from './rate-headers.ts'
import { type Fault, faults } from './seeded-bugs.ts'

/** The decisions of the limits that were consulted; the request is admitted if all of them allow it. */
export type Admission = readonly NamedDecision[]

/** Consumes one request of a key. `spelling` is the key as the client wrote it. */
export type Admit = (name: string, spelling: string) => Promise<Admission>

/** How long the imagined database of some faults takes: longer than a client needs to send a crowd of requests. */
const databaseMs: Millis = 100

/** Makes the limits of a gateway. The quota is not consumed by a request that the rate rejects. */
export function makeAdmission(options: LimitedGatewayOptions): Admit {
  const fault: Fault = options.fault === undefined ? { effect: 'none' } : faults[options.fault]
  const now = options.now ?? Date.now
  const { rate, quota } = options
  const limits: { name: 'rate' | 'quota'; limit: GatewayLimit; counters: Counters }[] = []
  if (rate !== undefined) {
    const make = keyLimiters[options.kind ?? fault.kind ?? 'window-from-first']
    const own = quota === undefined ? fault : {}
    limits.push({ name: 'rate', limit: rate, counters: countersFor(rate, make, own, options) })
  }
  if (quota !== undefined) {
    const counters = countersFor(quota, keyLimiters['window-from-first'], fault, options)
    limits.push({ name: 'quota', limit: quota, counters })
  }
  return async (name, spelling) => {
    const counterName = fault.counterName?.(name, spelling) ?? name
    const decisions: NamedDecision[] = []
    for (const { name, limit, counters } of limits) {
      const at = now()
      const decision = await counters.take(counterName, at)
      const most = limit.burst ?? limit.count
      const shown = { ...decision, remaining: Math.min(most, decision.remaining) }
      decisions.push({ name, limit, decision: fault.reported?.(shown, at, limit) ?? shown })
      if (!decision.allowed) break
    }
    return decisions
  }
}

function countersFor(
  limit: GatewayLimit,
  makeLimiter: MakeKeyLimiter,
  fault: Pick<Fault, 'limit' | 'counters'>,
  { sleep = sleepFor }: LimitedGatewayOptions,
): Counters {
  const enforced = fault.limit?.(limit) ?? limit
  const make = () => makeLimiter(enforced)
  return fault.counters?.({ limit: enforced, make, pause: () => sleep(databaseMs) }) ?? makeCounters(make)
}
