/** Faults planted into how the recorded rate algorithms count: limits, windows, refusals. */
import { decideRolling, freshLog, type Millis } from '@turnpike/core'
import { rollingLogLaw } from '../laws/law-01-rolling-log.ts'
import { fixedWindowLaw } from '../laws/law-02-fixed-window.ts'
import { noStarvationLaw } from '../laws/law-06-no-starvation.ts'
import { monotonicityLaw } from '../laws/law-07-monotonicity.ts'
import type { RateSubject } from '../laws/rate-subject.ts'
import { recordedRate } from '../laws/recorded-rates.ts'
import { plainLogRate } from '../laws/textbook-rates.ts'
import { virtualEpoch } from '../virtual-clock.ts'
import { answerChanged, type PlantedFault, patchLimit, patchTake, plant } from './fault.ts'

const local = recordedRate('local')
const rolling = recordedRate('rolling')
const sentinel = recordedRate('sentinel')
const fixed = recordedRate('fixed')

/** The real decision on a window that is a little longer or shorter; for laws of one key. */
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

export const countingFaults: readonly PlantedFault[] = [
  plant(
    'rolling: one too many (≤ for <)',
    rollingLogLaw,
    patchLimit(rolling, ({ rate, per }) => ({ rate: rate + 1, per })),
  ),
  plant(
    'rolling: a fraction is rounded up',
    rollingLogLaw,
    patchLimit(rolling, ({ rate, per }) => ({ rate: Math.ceil(rate), per })),
  ),
  plant('rolling: refused requests are not counted', rollingLogLaw, {
    ...plainLogRate,
    traits: { ...plainLogRate.traits, counted: 'all' },
  }),
  plant('rolling: entries leave a millisecond early', rollingLogLaw, rollingWithWindow(-1)),
  plant('rolling: entries leave a millisecond late', rollingLogLaw, rollingWithWindow(1)),
  plant(
    'rolling: the log forgets when it refuses',
    rollingLogLaw,
    patchTake(rolling, () => {
      let generation = 0
      return (real, { key, at, amount }) =>
        answerChanged(real.take(`${key}${generation}`, at, amount), (taken) => {
          if (!taken.allowed) generation += 1
          return taken
        })
    }),
  ),
  plant(
    'fixed: one too many',
    fixedWindowLaw,
    patchLimit(fixed, ({ rate, per }) => ({ rate: rate + 1, per })),
  ),
  plant(
    'fixed: windows begin half a second late',
    fixedWindowLaw,
    patchTake(
      fixed,
      () =>
        (real, { key, at, amount }) =>
          real.take(key, at + 500, amount),
    ),
  ),
  plant(
    'fixed: a refusal resets the count',
    fixedWindowLaw,
    patchTake(fixed, () => {
      let generation = 0
      return (real, { key, at, amount }) =>
        answerChanged(real.take(`${key}${generation}`, at, amount), (taken) => {
          if (!taken.allowed) generation += 1
          return taken
        })
    }),
  ),
  plant(
    'local: refilled a millisecond early',
    fixedWindowLaw,
    patchTake(local, () => {
      // Whoever comes in a window's last millisecond is taken to come in the next window.
      const ends = new Map<string, number>()
      return (real, { key, at, amount }) => {
        const end = ends.get(key)
        return answerChanged(real.take(key, at === (end ?? 0) - 1 ? at + 1 : at, amount), (taken) => {
          ends.set(key, taken.resetAt)
          return taken
        })
      }
    }),
  ),
  plant(
    'local: the window begins anew with each request',
    noStarvationLaw,
    patchTake(local, (windowMs) => {
      let last = Number.NEGATIVE_INFINITY
      let generation = 0
      return (real, { key, at, amount }) => {
        if (at - last >= windowMs) generation += 1
        last = at
        return real.take(`${key}${generation}`, virtualEpoch, amount)
      }
    }),
  ),
  plant(
    'local: the window never ends',
    noStarvationLaw,
    patchTake(local, () => {
      let first: number | undefined
      return (real, { key, at, amount }) => {
        first ??= at
        return real.take(key, first, amount)
      }
    }),
  ),
  plant(
    'fixed: no room for the last request',
    noStarvationLaw,
    patchLimit(fixed, ({ rate, per }) => ({ rate: rate - 1, per })),
  ),
  plant(
    'sentinel: the mark is prolonged by each request',
    noStarvationLaw,
    patchTake(sentinel, () => {
      let shut = false
      return (real, { key, at, amount }) =>
        answerChanged(real.take(key, at, amount), (taken) => {
          shut = shut || !taken.allowed
          return { ...taken, allowed: !shut }
        })
    }),
  ),
  plant(
    'local: of a high rate a quarter is let through',
    monotonicityLaw,
    patchLimit(local, ({ rate, per }) => ({ rate: rate > 6 ? rate / 4 : rate, per })),
  ),
]
