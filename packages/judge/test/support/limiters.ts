/** Small limiters in virtual time: correct ones of every kind, and ones with a textbook mistake each. */

import type { LimiterDecision } from '../../../testkit/src/judge-limiter.ts'
import type { VirtualClock } from '../../../testkit/src/virtual-clock.ts'

export interface Limit {
  readonly count: number
  readonly periodMs: number
}
export type TryAcquire = (key: string) => LimiterDecision | Promise<LimiterDecision>
export type MakeLimiter = (limit: Limit, clock: VirtualClock) => TryAcquire

/** The state of each client, made at its first request. */
export function byKey<S>(make: (now: number) => S, now: () => number): (key: string) => S {
  const states = new Map<string, S>()
  return (key) => {
    const state = states.get(key) ?? make(now())
    states.set(key, state)
    return state
  }
}

/** `lengthMs` and `most` differ from the limit in limiters with a mistake. */
export const windowFromFirst =
  ({ times = 1, more = 0, longer = 1 } = {}): MakeLimiter =>
  ({ count, periodMs }, { now }) => {
    const of = byKey(() => ({ endsAt: 0, used: 0 }), now)
    return (key) => {
      const window = of(key)
      if (now() >= window.endsAt) Object.assign(window, { endsAt: now() + periodMs * longer, used: 0 })
      window.used += 1
      return window.used <= Math.ceil(count * times) + more
    }
  }

export const windowOnGrid: MakeLimiter = ({ count, periodMs }, { now }) => {
  const of = byKey(() => ({ number: 0, used: 0 }), now)
  return (key) => {
    const window = of(key)
    const number = Math.floor((now() + 333) / periodMs)
    if (window.number !== number) Object.assign(window, { number, used: 0 })
    window.used += 1
    return window.used <= count
  }
}

export const rollingLog =
  ({ countsRejected = false, longer = 1 } = {}): MakeLimiter =>
  ({ count, periodMs }, { now }) => {
    const of = byKey(() => ({ log: [] as number[] }), now)
    return (key) => {
      const client = of(key)
      client.log = client.log.filter((at) => now() - at < periodMs * longer)
      const allowed = client.log.length < count
      if (allowed || countsRejected) client.log.push(now())
      return allowed
    }
  }

/** A log with the resolution of a tenth of the period, which counts too long. */
export const coarseLog: MakeLimiter = ({ count, periodMs }, { now }) => {
  const step = periodMs / 10
  const of = byKey(() => ({ log: [] as number[] }), now)
  return (key) => {
    const client = of(key)
    const part = Math.floor(now() / step)
    client.log = client.log.filter((at) => part - at <= 10)
    if (client.log.length >= count) return false
    client.log.push(part)
    return true
  }
}

export const slidingCounter =
  (share = (left: number) => left): MakeLimiter =>
  ({ count, periodMs }, { now }) => {
    const of = byKey(() => ({ number: 0, used: 0, before: 0 }), now)
    return (key) => {
      const client = of(key)
      const number = Math.floor(now() / periodMs)
      const before = number === client.number + 1 ? client.used : 0
      if (number !== client.number) Object.assign(client, { number, before, used: 0 })
      const left = 1 - (now() % periodMs) / periodMs
      if (client.used + Math.floor(client.before * share(left)) >= count) return false
      client.used += 1
      return true
    }
  }

export interface BucketOptions {
  /** Room and rate, as multiples of those of the limit. */
  readonly room?: number
  readonly rate?: number
  /** Tokens of a new bucket, as a share of the room. */
  readonly first?: number
  /** Changes what has flowed in. */
  readonly flow?: (tokens: number) => number
  /** A rejected request starts the time of the next token again. */
  readonly isReset?: boolean
}

export const tokenBucket =
  ({ room = 1, rate = 1, first = 1, flow = (tokens) => tokens, isReset = true }: BucketOptions = {}): MakeLimiter =>
  ({ count, periodMs }, { now }) => {
    const full = room * count
    const of = byKey((at) => ({ tokens: first * full, at }), now)
    return (key) => {
      const bucket = of(key)
      const flowed = flow(((now() - bucket.at) * count * rate) / periodMs)
      const tokens = Math.min(full, bucket.tokens + flowed)
      const allowed = tokens >= 1 - 1e-9
      if (allowed || isReset) Object.assign(bucket, { at: now(), tokens: allowed ? tokens - 1 : tokens })
      return allowed
    }
  }

/** One request in each interval, or up to `earlyMs` too early. */
export const spacing =
  (earlyMs = 0): MakeLimiter =>
  ({ count, periodMs }, { now }) => {
    const of = byKey(() => ({ at: Number.NEGATIVE_INFINITY }), now)
    return (key) => {
      const client = of(key)
      if (now() - client.at < periodMs / count - earlyMs) return false
      client.at = now()
      return true
    }
  }

export interface BlockOptions {
  /** In periods. */
  readonly block?: number
  readonly isExtended?: boolean
  /** True if a window counts, instead of the trailing period. */
  readonly isWindow?: boolean
}

export const blocking =
  ({ block = 1, isExtended = false, isWindow = false }: BlockOptions = {}): MakeLimiter =>
  (limit, clock) => {
    const { now } = clock
    const make = () => (isWindow ? windowFromFirst() : rollingLog())(limit, clock)
    const of = byKey(() => ({ until: 0, decide: make() }), now)
    return (key) => {
      const client = of(key)
      if (now() < client.until) {
        if (isExtended) client.until = now() + block * limit.periodMs
        return false
      }
      if (client.until > 0) Object.assign(client, { until: 0, decide: make() })
      if (client.decide(key) === true) return true
      client.until = now() + block * limit.periodMs
      return false
    }
  }

/** A request passes if each of the limiters admits it. */
export const both =
  (first: MakeLimiter, second: MakeLimiter): MakeLimiter =>
  (limit, clock) => {
    const limiters = [first(limit, clock), second(limit, clock)]
    return (key) => limiters.every((decide) => decide(key) === true)
  }
