/** Faults planted into whose counter is asked, at what time, and what is told of it. */
import { nonInterferenceLaw } from '../laws/law-08-non-interference.ts'
import { timeLaw } from '../laws/law-09-time.ts'
import { headersLaw } from '../laws/law-10-headers.ts'
import { simultaneousLaw, simultaneousRate } from '../laws/law-12-simultaneous.ts'
import { recordedRate } from '../laws/recorded-rates.ts'
import { answerChanged, type PlantedFault, patchMake, patchTake, plant } from './fault.ts'

const local = recordedRate('local')
const rolling = recordedRate('rolling')
const sentinel = recordedRate('sentinel')
const fixed = recordedRate('fixed')

export const answerFaults: readonly PlantedFault[] = [
  plant(
    'rolling: two keys share a counter',
    nonInterferenceLaw,
    patchTake(
      rolling,
      () =>
        (real, { key, at, amount }) =>
          real.take(key === 'b' ? 'a' : key, at, amount),
    ),
  ),
  plant(
    'fixed: names are cut, so counters meet',
    nonInterferenceLaw,
    patchTake(
      fixed,
      () =>
        (real, { at, amount }) =>
          real.take('', at, amount),
    ),
  ),
  plant(
    'local: a refusal of one key shuts the others for the moment',
    nonInterferenceLaw,
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
  plant(
    'rolling: a clock that steps back opens the window',
    timeLaw,
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
  plant(
    'local: certain times of the day open every window',
    timeLaw,
    patchTake(
      local,
      () =>
        (real, { key, at, amount }) =>
          real.take(`${key}${Math.floor(at / 7_000_000)}`, at, amount),
    ),
  ),
  plant(
    'local: remaining goes below 0',
    headersLaw,
    patchTake(
      local,
      () =>
        (real, { key, at, amount }) =>
          answerChanged(real.take(key, at, amount), (taken) => (taken.allowed ? taken : { ...taken, remaining: -1 })),
    ),
  ),
  plant(
    'rolling: remaining is told as it was before the request',
    headersLaw,
    patchTake(
      rolling,
      () =>
        (real, { key, at, amount }) =>
          answerChanged(real.take(key, at, amount), (taken) =>
            taken.allowed && amount > 0 ? { ...taken, remaining: taken.remaining + 1 } : taken,
          ),
    ),
  ),
  plant(
    'fixed: the told time is a millisecond early',
    headersLaw,
    patchTake(
      fixed,
      () =>
        (real, { key, at, amount }) =>
          answerChanged(real.take(key, at, amount), (taken) => ({ ...taken, resetAt: taken.resetAt - 1 })),
    ),
  ),
  plant(
    'local: the told time is a whole window late',
    headersLaw,
    patchTake(
      local,
      () =>
        (real, { key, at, amount }) =>
          answerChanged(real.take(key, at, amount), (taken) => ({ ...taken, resetAt: 2 * taken.resetAt - at })),
    ),
  ),
  plant(
    'sentinel: a look counts',
    headersLaw,
    patchTake(
      sentinel,
      () =>
        (real, { key, at, amount }) =>
          real.take(key, at, amount === 0 ? 1 : amount),
    ),
  ),
  plant(
    'rolling: counted after the check, with a pause between',
    simultaneousLaw,
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
