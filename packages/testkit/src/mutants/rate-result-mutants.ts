/** Mutants of the rate result: the wrong counter, the wrong time, or a wrong report. */

import { nonInterferenceProperty } from '../properties/property-08-non-interference.ts'
import { timeProperty } from '../properties/property-09-time.ts'
import { remainingAndRetryProperty } from '../properties/property-10-remaining-and-retry.ts'
import { linearizabilityProperty, simultaneousRate } from '../properties/property-12-linearizability.ts'
import { compatibleRate } from '../properties/subjects/compatible-rates.ts'
import {
  answerChanged,
  type Mutant,
  makeMutant,
  mutantsOf,
  patchMake,
  patchRequest,
  patchResult,
  patchTake,
} from './mutant.ts'

const local = compatibleRate('local')
const rolling = compatibleRate('rolling')
const sentinel = compatibleRate('sentinel')
const fixed = compatibleRate('fixed')

export const rateResultMutants: readonly Mutant[] = [
  ...mutantsOf(nonInterferenceProperty, {
    'rolling: two keys share a counter': patchRequest(rolling, ({ key }) => ({ key: key === 'b' ? 'a' : key })),
    'fixed: names are cut, so counters meet': patchRequest(fixed, () => ({ key: '' })),
    'local: a refusal of one key shuts the others for the moment': patchTake(local, () => {
      let refusedAt = Number.NEGATIVE_INFINITY
      return (real, { key, at, amount }) =>
        answerChanged(real.take(key, at, amount), (taken) => {
          const allowed = taken.allowed && at !== refusedAt
          if (!taken.allowed) refusedAt = at
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
      patchMake(rolling, (real) => ({
        async take(key, at, amount) {
          const look = await real.take(key, at, 0)
          await Promise.resolve()
          if (look.allowed) await real.take(key, at, amount)
          return look
        },
      })),
    ),
  ),
]
