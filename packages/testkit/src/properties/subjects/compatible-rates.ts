/**
 * The compatible rate algorithms as subjects of the properties, on the memory store or on any store with a virtual
 * clock.
 */
import {
  type Clock,
  makeMemoryCounters,
  makeMemoryStore,
  type RateAlgorithm,
  type RateLimit,
  type Store,
} from '@turnpike/core'
import { aFlag, aFunction, checkInput, checkOptions, oneOf } from '../../check-input.ts'
import { makeVirtualClock } from '../../virtual-clock.ts'
import { moveClock } from '../move-clock.ts'
import { consumeRate } from '../plain-counters.ts'
import type { RateSubject, RateTraits } from './rate-subject.ts'

/** The memory store removes a counter this many milliseconds after it expired. */
const keptAfterEndMs = 60_000

const cut = Math.floor
const windowMsOf = (per: number) => Math.floor(per) * 1000

/** The in-memory bucket of a single node (docs/reference/rate-limits.md#in-memory-limiter): at least one request passes. */
const localTraits: RateTraits = {
  most: (rate) => Math.max(1, cut(rate)),
  windowMs: windowMsOf,
  counted: 'admitted',
  windows: 'from-first',
  neverRefused: (rate) => Math.max(1, cut(rate)),
  quietWindows: 1,
  monotone: true,
  stepBackMs: keptAfterEndMs,
  remaining: 'counts-down',
  keepsBack: 0,
}

/**
 * The rolling window (docs/reference/rate-limits.md#rolling-window-limiter). Refused requests count, so a client that
 * keeps calling stays blocked.
 */
const rollingTraits: RateTraits = {
  ...localTraits,
  most: cut,
  counted: 'all',
  windows: 'trailing',
  neverRefused: cut,
}

/** The rolling window with the sentinel option admits one request fewer than `remaining` reports. */
const oneLessTraits: RateTraits = {
  ...rollingTraits,
  most: (rate) => cut(rate) - 1,
  neverRefused: (rate) => cut(rate) - 1,
  keepsBack: 1,
}

/**
 * The sentinel (docs/reference/rate-limits.md#sentinel-limiter). A client that reaches the limit is blocked for a whole
 * window, even if it never exceeds the limit. So only a client that stays below the limit is never refused, and a
 * higher limit that blocks later may admit fewer requests in total.
 */
const sentinelTraits: RateTraits = {
  ...localTraits,
  counted: 'all',
  windows: 'trailing',
  neverRefused: (rate) => cut(rate) - 1,
  monotone: false,
  remaining: 'always-0',
}

/** The fixed window (docs/reference/rate-limits.md#fixed-window-limiter). */
const fixedTraits: RateTraits = {
  ...localTraits,
  most: cut,
  windows: 'aligned',
  neverRefused: cut,
}

const traitsOf: Record<RateAlgorithm, RateTraits> = {
  local: localTraits,
  rolling: rollingTraits,
  sentinel: sentinelTraits,
  fixed: fixedTraits,
}

/** A compatible algorithm of a store. Default: the memory store. */
export function compatibleRate(
  algorithm: RateAlgorithm,
  options: { readonly oneLess?: boolean; readonly makeStore?: (clock: Clock) => Pick<Store, 'counters'> } = {},
): RateSubject {
  checkInput('compatibleRate', 'the algorithm', algorithm, oneOf(Object.keys(traitsOf)))
  checkOptions('compatibleRate', options, { oneLess: aFlag, makeStore: aFunction })
  const oneLess = options.oneLess === true
  const makeStore = options.makeStore ?? ((clock) => makeMemoryStore({ clock }))
  return {
    name: oneLess ? `${algorithm}, one less` : algorithm,
    traits: oneLess ? oneLessTraits : traitsOf[algorithm],
    make({ rate, per }) {
      const clock = makeVirtualClock()
      const { counters } = makeStore(clock)
      const limit: RateLimit = { algorithm, rate, per, smoothing: undefined, oneLess }
      return {
        take(key, at, amount) {
          moveClock(clock, at)
          return consumeRate(counters, key, limit, amount)
        },
      }
    },
  }
}

/** All compatible algorithms on the memory store. */
export const compatibleRates: readonly RateSubject[] = [
  compatibleRate('local'),
  compatibleRate('rolling'),
  compatibleRate('rolling', { oneLess: true }),
  compatibleRate('sentinel'),
  compatibleRate('fixed'),
]

/** The same decisions on counters that are never removed, so the clock may step back by any time. */
export const unsweptRates: readonly RateSubject[] = (['local', 'rolling', 'sentinel', 'fixed'] as const).map(
  (algorithm) => {
    const makeStore = (clock: Clock) => ({ counters: makeMemoryCounters({ clock, sweep: false }) })
    const subject = compatibleRate(algorithm, { makeStore })
    return {
      ...subject,
      name: `${algorithm}, without a sweep`,
      traits: { ...subject.traits, stepBackMs: Number.POSITIVE_INFINITY },
    }
  },
)
