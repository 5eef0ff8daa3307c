/** Mutants of the compatible rate algorithms: wrong limits, windows, counters, times and reports. */
import type { Millis } from '@turnpike/core/lib'
import { decideRolling, freshLog } from '@turnpike/core/rate-limit'
import { rollingLogProperty } from '../properties/property-01-rolling-log.ts'
import { fixedWindowProperty } from '../properties/property-02-fixed-window.ts'
import { noStarvationProperty } from '../properties/property-06-no-starvation.ts'
import { monotonicityProperty } from '../properties/property-07-monotonicity.ts'
import { nonInterferenceProperty } from '../properties/property-08-non-interference.ts'
import { timeProperty } from '../properties/property-09-time.ts'
import { remainingAndRetryProperty } from '../properties/property-10-remaining-and-retry.ts'
import { linearizabilityProperty, simultaneousRate } from '../properties/property-12-linearizability.ts'
import { compatibleRate } from '../properties/subjects/compatible-rates.ts'
import type { RateSubject } from '../properties/subjects/rate-subject.ts'
import { plainLogRate } from '../properties/subjects/textbook-rates.ts'
import { virtualEpoch } from '../virtual-clock.ts'
import {
  answerChanged,
  type Mutant,
  makeMutant,
  mutantsOf,
  patchLimit,
  patchRequest,
  patchResult,
  patchTake,
} from './mutant.ts'

const local = compatibleRate('local')
const rolling = compatibleRate('rolling')
const sentinel = compatibleRate('sentinel')
const fixed = compatibleRate('fixed')

/** The correct decision on a slightly longer or shorter window; for properties of one key. */
function rollingWithWindow(moreMs: Millis): RateSubject {
  return {
    ...rolling,
    make({ rate, per }) {
      const log = freshLog()
      const windowMs = Math.floor(per) * 1000 + moreMs
      return { take: (_key, at, amount) => decideRolling(log, at, Math.floor(rate), windowMs, amount) }
    },
  }
}

/** Counts from 0 again after each rejection. */
const forgetsWhenRejecting = (subject: RateSubject) =>
  patchTake(subject, () => {
    let generation = 0
    return (real, { key, at, amount }) =>
      answerChanged(real.take(`${key}${generation}`, at, amount), (taken) => {
        if (!taken.allowed) generation += 1
        return taken
      })
  })

export const rateMutants: readonly Mutant[] = [
  ...mutantsOf(rollingLogProperty, {
    'rolling: one too many (≤ for <)': patchLimit(rolling, ({ rate, per }) => ({ rate: rate + 1, per })),
    'rolling: a fraction is rounded up': patchLimit(rolling, ({ rate, per }) => ({ rate: Math.ceil(rate), per })),
    'rolling: refused requests are not counted': {
      ...plainLogRate,
      traits: { ...plainLogRate.traits, counted: 'all' },
    },
    'rolling: entries leave a millisecond early': rollingWithWindow(-1),
    'rolling: entries leave a millisecond late': rollingWithWindow(1),
    'rolling: the log forgets when it refuses': forgetsWhenRejecting(rolling),
  }),
  ...mutantsOf(fixedWindowProperty, {
    'fixed: one too many': patchLimit(fixed, ({ rate, per }) => ({ rate: rate + 1, per })),
    'fixed: windows begin half a second late': patchRequest(fixed, ({ at }) => ({ at: at + 500 })),
    'fixed: a refusal resets the count': forgetsWhenRejecting(fixed),
    'local: refilled a millisecond early': patchTake(local, () => {
      // A request in the last millisecond of a window counts in the next window.
      const ends = new Map<string, number>()
      return (real, { key, at, amount }) => {
        const end = ends.get(key)
        return answerChanged(real.take(key, at === (end ?? 0) - 1 ? at + 1 : at, amount), (taken) => {
          ends.set(key, taken.resetAt)
          return taken
        })
      }
    }),
  }),
  ...mutantsOf(noStarvationProperty, {
    'local: the window starts again with each request': patchTake(local, (windowMs) => {
      let last = Number.NEGATIVE_INFINITY
      let generation = 0
      return (real, { key, at, amount }) => {
        if (at - last >= windowMs) generation += 1
        last = at
        return real.take(`${key}${generation}`, virtualEpoch, amount)
      }
    }),
    'local: the window never ends': patchTake(local, () => {
      let first: number | undefined
      return (real, { key, at, amount }) => {
        first ??= at
        return real.take(key, first, amount)
      }
    }),
    'local: a clock that steps back blocks until it has caught up': patchTake(local, () => {
      let latest = Number.NEGATIVE_INFINITY
      return (real, { key, at, amount }) => {
        latest = Math.max(latest, at)
        return real.take(key, latest, amount)
      }
    }),
    'fixed: no room for the last request': patchLimit(fixed, ({ rate, per }) => ({ rate: rate - 1, per })),
    'sentinel: the mark is prolonged by each request': patchTake(sentinel, () => {
      let shut = false
      return (real, { key, at, amount }) =>
        answerChanged(real.take(key, at, amount), (taken) => {
          shut = shut || !taken.allowed
          return { ...taken, allowed: !shut }
        })
    }),
  }),
  makeMutant(
    'local: of a high rate a quarter is let through',
    monotonicityProperty,
    patchLimit(local, ({ rate, per }) => ({ rate: rate > 6 ? rate / 4 : rate, per })),
  ),
  ...mutantsOf(nonInterferenceProperty, {
    'rolling: two keys share a counter': patchRequest(rolling, ({ key }) => ({ key: key === 'b' ? 'a' : key })),
    'fixed: names are cut, so counters meet': patchRequest(fixed, () => ({ key: '' })),
    'local: a refusal of one key shuts the others for the moment': patchTake(local, () => {
      let rejectedAt = Number.NEGATIVE_INFINITY
      return (real, { key, at, amount }) =>
        answerChanged(real.take(key, at, amount), (taken) => {
          const allowed = taken.allowed && at !== rejectedAt
          if (!taken.allowed) rejectedAt = at
          return { ...taken, allowed }
        })
    }),
  }),
  ...mutantsOf(timeProperty, {
    'rolling: a clock that steps back opens the window': patchTake(rolling, () => {
      let last = Number.NEGATIVE_INFINITY
      let generation = 0
      return (real, { key, at, amount }) => {
        if (at < last) generation += 1
        last = at
        return real.take(`${key}${generation}`, at, amount)
      }
    }),
    'local: certain times of the day open every window': patchRequest(local, ({ key, at }) => ({
      key: `${key}${Math.floor(at / 7_000_000)}`,
    })),
  }),
  ...mutantsOf(remainingAndRetryProperty, {
    'local: remaining goes below 0': patchResult(local, (taken) =>
      taken.allowed ? taken : { ...taken, remaining: -1 },
    ),
    'rolling: remaining is the value before the request': patchResult(rolling, (taken, { amount }) =>
      taken.allowed && amount > 0 ? { ...taken, remaining: taken.remaining + 1 } : taken,
    ),
    'fixed: the reported time is a millisecond early': patchResult(fixed, (taken) => ({
      ...taken,
      resetAt: taken.resetAt - 1,
    })),
    'local: the reported time is a whole window late': patchResult(local, (taken, { at }) => ({
      ...taken,
      resetAt: 2 * taken.resetAt - at,
    })),
    'sentinel: a look counts': patchRequest(sentinel, ({ amount }) => ({ amount: amount === 0 ? 1 : amount })),
  }),
  makeMutant(
    'rolling: counted after the check, with a pause between',
    linearizabilityProperty,
    simultaneousRate(
      patchTake(rolling, () => async (real, { key, at, amount }) => {
        const look = await real.take(key, at, 0)
        await Promise.resolve()
        if (look.allowed) await real.take(key, at, amount)
        return look
      }),
    ),
  ),
]
