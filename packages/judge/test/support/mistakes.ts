/** Limiters in virtual time with one textbook mistake each. */
import {
  blocking,
  byKey,
  type Limit,
  type MakeLimiter,
  rollingLog,
  slidingCounter,
  tokenBucket,
  windowFromFirst,
} from './limiters.ts'

/** A counter that is read, and written after the clock has advanced. `isLate`: at what requests that is so. */
const checkThenCount =
  (isLate: (used: number) => boolean): MakeLimiter =>
  ({ count, periodMs }, clock) => {
    const of = byKey(() => ({ endsAt: 0, used: 0 }), clock.now)
    const later = () => new Promise<void>((resolve) => clock.after(2, resolve))
    return async (key) => {
      const window = of(key)
      const isOver = clock.now() >= window.endsAt
      const used = isOver ? 0 : window.used
      if (isLate(used)) await later()
      if (used >= count) return false
      if (isOver) Object.assign(window, { endsAt: clock.now() + periodMs })
      window.used = used + 1
      return true
    }
  }

/** Several processes take the requests in turn, and each counts for itself. */
const processes =
  (number: number): MakeLimiter =>
  (limit, clock) => {
    const each = Array.from({ length: number }, () => windowFromFirst()(limit, clock))
    let next = 0
    return (key) => {
      next += 1
      return each[next % number]?.(key) ?? false
    }
  }

/** Another key has the same counter. */
const sharedKeys =
  (counterOf: (key: string) => string): MakeLimiter =>
  (limit, clock) => {
    const decide = rollingLog()(limit, clock)
    return (key) => decide(counterOf(key))
  }

const numberOf = (key: string) => Number(key.replace(/\D/g, ''))

/** Only this many clients are remembered. */
const evicting: MakeLimiter = ({ count, periodMs }, { now }) => {
  const windows = new Map<string, { endsAt: number; used: number }>()
  return (key) => {
    const old = windows.get(key)
    const window = old !== undefined && now() < old.endsAt ? old : { endsAt: now() + periodMs, used: 0 }
    // Each rejection is kept as a client of its own.
    if (window.used >= count) windows.set(`rejected ${now()} ${windows.size}`, window)
    window.used += 1
    windows.set(key, window)
    if (windows.size > 4) windows.clear()
    return window.used <= count
  }
}

/** Each request starts the time of the window again, so that a steady client never gets a new one. */
const neverEndingWindow: MakeLimiter = ({ count, periodMs }, { now }) => {
  const of = byKey(() => ({ endsAt: 0, used: 0 }), now)
  return (key) => {
    const window = of(key)
    if (now() >= window.endsAt) window.used = 0
    window.endsAt = now() + periodMs
    window.used += 1
    return window.used <= count
  }
}

const onlyFirstPeriod: MakeLimiter = (limit, clock) => {
  const decide = rollingLog()(limit, clock)
  const of = byKey((at) => ({ at }), clock.now)
  return (key) => decide(key) === true || clock.now() - of(key).at > 1.3 * limit.periodMs
}

const neverRenewed: MakeLimiter = ({ count }, { now }) => {
  const of = byKey(() => ({ used: 0 }), now)
  return (key) => {
    const client = of(key)
    client.used += 1
    return client.used <= count
  }
}

/** Rejections are counted instead of requests. */
const countsRejections: MakeLimiter = ({ count }, { now }) => {
  const of = byKey(() => ({ rejected: 0 }), now)
  return (key) => of(key).rejected < count
}

/** After a rejection the window begins again. */
const resetByRejection: MakeLimiter = ({ count, periodMs }, { now }) => {
  const of = byKey(() => ({ endsAt: 0, used: 0 }), now)
  return (key) => {
    const window = of(key)
    if (now() >= window.endsAt || window.used > count) Object.assign(window, { endsAt: now() + periodMs, used: 0 })
    window.used += 1
    return window.used <= count
  }
}

/** The bucket is forgotten after two intervals without a request. */
const forgetful: MakeLimiter = (limit, clock) => {
  const { now } = clock
  const of = byKey(() => ({ at: 0, decide: tokenBucket()(limit, clock) }), now)
  return (key) => {
    const client = of(key)
    if (now() - client.at > (2 * limit.periodMs) / limit.count && now() - client.at > limit.periodMs / 5)
      client.decide = tokenBucket()(limit, clock)
    client.at = now()
    return client.decide(key)
  }
}

interface Stated {
  readonly used: number
  readonly renewsInMs: number
  readonly limit: Limit
}

/** A correct window whose statements about later requests are wrong. */
const stating =
  (state: (stated: Stated) => { remaining?: number; retryAfterMs?: number }): MakeLimiter =>
  (limit, { now }) => {
    const of = byKey(() => ({ endsAt: 0, used: 0 }), now)
    return (key) => {
      const window = of(key)
      if (now() >= window.endsAt) Object.assign(window, { endsAt: now() + limit.periodMs, used: 0 })
      window.used += 1
      const stated = state({ used: window.used, renewsInMs: window.endsAt - now(), limit })
      return { allowed: window.used <= limit.count, ...stated }
    }
  }

export const mistakes: Readonly<Record<string, MakeLimiter>> = {
  'no limit': () => () => true,
  'one request more': windowFromFirst({ more: 1 }),
  'one request less': windowFromFirst({ more: -1 }),
  'one token less of room': (limit, clock) => tokenBucket({ room: (limit.count - 1) / limit.count })(limit, clock),
  'ten per cent more requests': windowFromFirst({ times: 1.1 }),
  'twice the requests': windowFromFirst({ times: 2 }),
  'half the period': windowFromFirst({ longer: 0.5 }),
  'a period that is 5 % too short': windowFromFirst({ longer: 0.95 }),
  'a period that is half as long again': windowFromFirst({ longer: 1.5 }),
  'a period that is 5 % too long': windowFromFirst({ longer: 1.05 }),
  'a log that is half as long again': rollingLog({ longer: 1.5 }),
  'a log that is 5 % too short': rollingLog({ longer: 0.95 }),
  'two processes that count for themselves': processes(2),
  'four processes that count for themselves': processes(4),
  'counts after it has waited': checkThenCount(() => true),
  'the first request of a window is counted late': checkThenCount((used) => used === 0),
  'never renewed': neverRenewed,
  'counts rejections': countsRejections,
  'a rejection begins a new window': resetByRejection,
  'applies to the first period only': onlyFirstPeriod,
  'each request extends the window': neverEndingWindow,
  'forgets its buckets': forgetful,
  'a bucket with room for twice the limit': tokenBucket({ room: 2 }),
  'a bucket that is filled 10 % too fast': tokenBucket({ rate: 1.1 }),
  'a bucket that is filled 5 % too slowly': tokenBucket({ rate: 0.95 }),
  'a bucket that loses parts of tokens': tokenBucket({ flow: Math.floor }),
  'the share of the window before is reversed': slidingCounter((left) => 1 - left),
  'one key in eight has the counter of another one': sharedKeys((key) => (numberOf(key) % 8 === 0 ? 'shared' : key)),
  'all clients are one': sharedKeys(() => 'all'),
  'forgets clients when there are many': evicting,
  'blocks forever': blocking({ block: 1e6 }),
  'states one request too many': stating(({ used, limit }) => ({ remaining: Math.max(0, limit.count - used + 1) })),
  'always states the same number': stating(({ limit }) => ({ remaining: limit.count - 1 })),
  'states a time that is too early': stating(({ renewsInMs }) => ({ retryAfterMs: renewsInMs / 2 })),
  'states a time that is too late': stating(({ renewsInMs, limit }) => ({
    retryAfterMs: renewsInMs + limit.periodMs + 2000,
  })),
}
