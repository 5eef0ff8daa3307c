/**
 * All breakers of a gateway. Equal rules share one breaker, so a recompiled definition whose rule did not change keeps
 * its breaker and the breaker's state.
 */
import type { Cancel, Clock } from '../../ports/clock.ts'
import { CircuitBreaker } from './breaker.ts'
import type { BreakerChange, BreakerRule, BreakerStatus } from './breaker-rule.ts'

export interface BreakerLease {
  readonly breaker: CircuitBreaker
  /** Ends the lease; the last release removes the breaker. */
  release(): void
}

export interface Breakers {
  /** Leases the breaker of a rule, when an API is compiled. */
  lease(rule: BreakerRule): BreakerLease
  /** Status of all breakers, sorted by API, version, path and method. */
  list(): readonly BreakerStatus[]
}

interface Share {
  readonly breaker: CircuitBreaker
  users: number
  cancelClosing: Cancel | undefined
}

/** `onChange` is called when a breaker opens or closes; it must not throw. */
export function makeBreakers(clock: Clock, onChange: (change: BreakerChange) => void): Breakers {
  const shares = new Map<string, Share>()

  const makeShare = (rule: BreakerRule): Share => {
    const breaker: CircuitBreaker = new CircuitBreaker(rule, (kind) => {
      share.cancelClosing?.()
      // A timer closes the breaker, so that an idle one also closes and reports it in time.
      share.cancelClosing =
        kind === 'tripped'
          ? clock.after(rule.closesAfterMs, () => {
              share.cancelClosing = undefined
              breaker.closeWhenDue(clock.now())
            })
          : undefined
      onChange({ rule, kind })
    })
    const share: Share = { breaker, users: 0, cancelClosing: undefined }
    return share
  }

  return {
    lease(rule) {
      const name = nameOf(rule)
      let share = shares.get(name)
      if (share === undefined) {
        share = makeShare(rule)
        shares.set(name, share)
      }
      const leased = share
      let released = false
      leased.users++
      return {
        breaker: leased.breaker,
        release() {
          if (released) return
          released = true
          if (--leased.users > 0) return
          leased.cancelClosing?.()
          shares.delete(name)
        },
      }
    },
    list() {
      const now = clock.now()
      return [...shares.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { breaker }]) => breaker.status(now))
    },
  }
}

function nameOf(rule: BreakerRule): string {
  const { apiId, version, path, method, threshold, samples, closesAfterMs, halfOpens } = rule
  return JSON.stringify([apiId, version, path, method, threshold, samples, closesAfterMs, halfOpens])
}
