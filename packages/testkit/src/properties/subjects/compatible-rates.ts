/**
 * The compatible rate algorithms as subjects of the properties, on the memory store or on any store with a virtual
 * clock.
 */
import { when } from '@turnpike/core/lib'
import type { Clock, CounterStore, QuotaLimit, RateAlgorithm, RateLimit, RateResult, Store } from '@turnpike/core/ports'
import { makeMemoryCounters } from '@turnpike/core/store-memory'
import { aFlag, aFunction, checkInput, checkOptions, oneOf } from '../../check-input.ts'
import { rateCounter } from '../plain-counters.ts'
import type { StoreEnvironment } from '../store-environments.ts'
import type { StoreHarness } from '../store-harness.ts'
import { type CountersAt, countersOf, ownCounters, uniqueCounterName } from '../subject-counters.ts'
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
  neverRejected: (rate) => Math.max(1, cut(rate)),
  quietWindows: 1,
  monotone: true,
  stepBackMs: keptAfterEndMs,
  restartsAfterStepBack: true,
  remaining: 'counts-down',
  keepsBack: 0,
}

/**
 * The rolling window (docs/reference/rate-limits.md#rolling-window-limiter). Rejected requests count, so a client that
 * keeps calling stays blocked.
 */
const rollingTraits: RateTraits = {
  ...localTraits,
  restartsAfterStepBack: false,
  most: cut,
  counted: 'all',
  windows: 'trailing',
  neverRejected: cut,
}

/** The rolling window with the sentinel option admits one request fewer than `remaining` reports. */
const oneLessTraits: RateTraits = {
  ...rollingTraits,
  most: (rate) => cut(rate) - 1,
  neverRejected: (rate) => cut(rate) - 1,
  keepsBack: 1,
}

/**
 * The sentinel (docs/reference/rate-limits.md#sentinel-limiter). A client that reaches the limit is blocked for a whole
 * window, even if it never exceeds the limit. So only a client that stays below the limit is never rejected, and a
 * higher limit that blocks later may admit fewer requests in total.
 */
const sentinelTraits: RateTraits = {
  ...localTraits,
  restartsAfterStepBack: false,
  counted: 'all',
  windows: 'trailing',
  neverRejected: (rate) => cut(rate) - 1,
  monotone: false,
  remaining: 'always-0',
}

/** The fixed window (docs/reference/rate-limits.md#fixed-window-limiter). */
const fixedTraits: RateTraits = {
  ...localTraits,
  restartsAfterStepBack: false,
  most: cut,
  windows: 'aligned',
  neverRejected: cut,
}

const traitsOf: Record<RateAlgorithm, RateTraits> = {
  local: localTraits,
  rolling: rollingTraits,
  sentinel: sentinelTraits,
  fixed: fixedTraits,
}

/** A compatible algorithm of a store with a virtual clock. Default: the memory store. */
export function compatibleRate(
  algorithm: RateAlgorithm,
  options: { readonly oneLess?: boolean; readonly makeStore?: (clock: Clock) => Pick<Store, 'counters'> } = {},
): RateSubject {
  checkInput('compatibleRate', 'the algorithm', algorithm, oneOf(Object.keys(traitsOf)))
  checkOptions('compatibleRate', options, { oneLess: aFlag, makeStore: aFunction })
  return rateOf(algorithm, options.oneLess === true, () => ownCounters(options.makeStore))
}

export interface StoreRateOptions {
  readonly oneLess?: boolean
  /** Calls several stores in turn, as nodes do. Default: only the first. */
  readonly nodes?: readonly CounterStore[]
  /** Counts a quota with each rate. */
  readonly withQuota?: boolean
}

/** A compatible algorithm of a store under test. */
export function rateOnStore(
  { stepBackMs = {} }: Pick<StoreHarness, 'stepBackMs'>,
  environment: StoreEnvironment,
  algorithm: RateAlgorithm,
  { oneLess = false, nodes, withQuota = false }: StoreRateOptions = {},
): RateSubject {
  const at = countersOf(environment, nodes)
  const subject = rateOf(algorithm, oneLess, () => at, withQuota ? { max: 1e9, renewalSeconds: 3600 } : undefined)
  const ownStep = algorithm === 'local' ? undefined : stepBackMs[algorithm]
  const more = [...(nodes === undefined ? [] : [`${nodes.length} nodes`]), ...(withQuota ? ['with a quota'] : [])]
  return {
    ...subject,
    name: [subject.name, ...more].join(', '),
    traits: { ...subject.traits, stepBackMs: ownStep ?? subject.traits.stepBackMs },
  }
}

function rateOf(algorithm: RateAlgorithm, oneLess: boolean, open: () => CountersAt, quota?: QuotaLimit): RateSubject {
  return {
    name: oneLess ? `${algorithm}, one less` : algorithm,
    traits: oneLess ? oneLessTraits : traitsOf[algorithm],
    make({ rate, per }) {
      const prefix = uniqueCounterName(algorithm)
      const limit: RateLimit = { algorithm, rate, per, smoothing: undefined, oneLess }
      const at = open()
      return {
        take: (key, instant, amount) =>
          at(instant, (counters) =>
            when(
              counters.consume({ ...rateCounter(`${prefix}-${key}`, limit), quota }, amount),
              ({ rate: result }) => result as RateResult,
            ),
          ),
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
