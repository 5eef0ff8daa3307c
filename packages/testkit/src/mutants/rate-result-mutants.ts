/** Mutants of the rate result: the wrong counter, the wrong time, or a wrong report. */

import { nonInterferenceProperty } from '../properties/property-08-non-interference.ts'
import { timeProperty } from '../properties/property-09-time.ts'
import { remainingAndRetryProperty } from '../properties/property-10-remaining-and-retry.ts'
import { linearizabilityProperty, simultaneousRate } from '../properties/property-12-linearizability.ts'
import { compatibleRate } from '../properties/subjects/compatible-rates.ts'
import { answerChanged, type Mutant, makeMutant, patchMake, patchTake } from './mutant.ts'

const local = compatibleRate('local')
const rolling = compatibleRate('rolling')
const sentinel = compatibleRate('sentinel')
const fixed = compatibleRate('fixed')

export const rateResultMutants: readonly Mutant[] = [
  makeMutant(
    'rolling: two keys share a counter',
    nonInterferenceProperty,
    patchTake(
      rolling,
      () =>
        (real, { key, at, amount }) =>
          real.take(key === 'b' ? 'a' : key, at, amount),
    ),
  ),
  makeMutant(
    'fixed: names are cut, so counters meet',
    nonInterferenceProperty,
    patchTake(
      fixed,
      () =>
        (real, { at, amount }) =>
          real.take('', at, amount),
    ),
  ),
  makeMutant(
    'local: a refusal of one key shuts the others for the moment',
    nonInterferenceProperty,
    patchTake(local, () => {
      let refusedAt = Number.NEGATIVE_INFINITY
      return (real, { key, at, amount }) =>
        answerChanged(real.take(key, at, amount), (taken) => {
          const allowed = taken.allowed && at !== refusedAt
          if (!taken.allowed) refusedAt = at
          return { ...taken, allowed }
        })
    }),
  ),
  makeMutant(
    'rolling: a clock that steps back opens the window',
    timeProperty,
    patchTake(rolling, () => {
      let last = Number.NEGATIVE_INFINITY
      let generation = 0
      return (real, { key, at, amount }) => {
        if (at < last) generation += 1
        last = at
        return real.take(`${key}${generation}`, at, amount)
      }
    }),
  ),
  makeMutant(
    'local: certain times of the day open every window',
    timeProperty,
    patchTake(
      local,
      () =>
        (real, { key, at, amount }) =>
          real.take(`${key}${Math.floor(at / 7_000_000)}`, at, amount),
    ),
  ),
  makeMutant(
    'local: remaining goes below 0',
    remainingAndRetryProperty,
    patchTake(
      local,
      () =>
        (real, { key, at, amount }) =>
          answerChanged(real.take(key, at, amount), (taken) => (taken.allowed ? taken : { ...taken, remaining: -1 })),
    ),
  ),
  makeMutant(
    'rolling: remaining is the value before the request',
    remainingAndRetryProperty,
    patchTake(
      rolling,
      () =>
        (real, { key, at, amount }) =>
          answerChanged(real.take(key, at, amount), (taken) =>
            taken.allowed && amount > 0 ? { ...taken, remaining: taken.remaining + 1 } : taken,
          ),
    ),
  ),
  makeMutant(
    'fixed: the reported time is a millisecond early',
    remainingAndRetryProperty,
    patchTake(
      fixed,
      () =>
        (real, { key, at, amount }) =>
          answerChanged(real.take(key, at, amount), (taken) => ({ ...taken, resetAt: taken.resetAt - 1 })),
    ),
  ),
  makeMutant(
    'local: the reported time is a whole window late',
    remainingAndRetryProperty,
    patchTake(
      local,
      () =>
        (real, { key, at, amount }) =>
          answerChanged(real.take(key, at, amount), (taken) => ({ ...taken, resetAt: 2 * taken.resetAt - at })),
    ),
  ),
  makeMutant(
    'sentinel: a look counts',
    remainingAndRetryProperty,
    patchTake(
      sentinel,
      () =>
        (real, { key, at, amount }) =>
          real.take(key, at, amount === 0 ? 1 : amount),
    ),
  ),
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
