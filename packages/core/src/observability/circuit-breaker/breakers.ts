/**
 * All breakers of a gateway, shared by rules that say the same: a definition that is compiled anew because something
 * else in it changed goes on with the breaker, open or not.
 */
import type { Cancel, Clock } from '../../ports/clock.ts'
import type { BreakerChange, BreakerRule, BreakerStatus } from './breaker-rule.ts'
import { CircuitBreaker } from './breaker-state.ts'

export interface BreakerLease {
  readonly breaker: CircuitBreaker
  /** Gives the share back; the last one ends the breaker. */
  release(): void
}

export interface Breakers {
  /** The breaker of a rule; asked for when an API is compiled. */
  lease(rule: BreakerRule): BreakerLease
  /** Of all rules that are served, sorted by API, version, path and method. */
  list(): readonly BreakerStatus[]
}

interface Share {
  readonly breaker: CircuitBreaker
  users: number
  cancelClosing: Cancel | undefined
}

/** `onChange` hears of each breaker that opens or closes; it must not throw. */
export function makeBreakers(clock: Clock, onChange: (change: BreakerChange) => void): Breakers {
  const shares = new Map<string, Share>()

  const makeShare = (rule: BreakerRule): Share => {
    const breaker: CircuitBreaker = new CircuitBreaker(rule, (kind) => {
      share.cancelClosing?.()
      // A breaker that nobody calls closes all the same, and tells so at its time.
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
