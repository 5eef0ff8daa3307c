/** Faults planted into the quota. */
import type { QuotaLimit } from '@turnpike/core'
import { quotaConservationLaw } from '../laws/law-11-quota-conservation.ts'
import { simultaneousLaw, simultaneousQuota } from '../laws/law-12-simultaneous.ts'
import { type QuotaSubject, type QuotaUnderTest, recordedQuota } from '../laws/quota-subject.ts'
import { answerChanged, type PlantedFault, plant } from './fault.ts'

/** The real quota with some verbs replaced. */
function patch(name: string, change: (real: QuotaUnderTest) => Partial<QuotaUnderTest>): QuotaSubject {
  const real = recordedQuota()
  return {
    ...real,
    name,
    make() {
      const underTest = real.make()
      return { ...underTest, ...change(underTest) }
    },
  }
}

const asked = (real: QuotaUnderTest, change: (limit: QuotaLimit) => QuotaLimit): Partial<QuotaUnderTest> => ({
  spend: (name, at, limit, amount) => real.spend(name, at, change(limit), amount),
})

export const quotaFaults: readonly PlantedFault[] = [
  plant(
    'quota: one too many',
    quotaConservationLaw,
    patch('one too many', (real) => asked(real, (limit) => ({ ...limit, max: limit.max + 1 }))),
  ),
  plant(
    'quota: a quota that never renews does renew',
    quotaConservationLaw,
    patch('always renews', (real) =>
      asked(real, (limit) => (limit.renewalSeconds > 0 ? limit : { ...limit, renewalSeconds: 60 })),
    ),
  ),
  plant(
    'quota: never renews (lost expiry)',
    quotaConservationLaw,
    patch('lost expiry', (real) => asked(real, (limit) => ({ ...limit, renewalSeconds: 0 }))),
  ),
  plant(
    'quota: renews a second early',
    quotaConservationLaw,
    patch('early', (real) => asked(real, (limit) => ({ ...limit, renewalSeconds: limit.renewalSeconds - 1 }))),
  ),
  plant(
    'quota: refused requests put the end off',
    quotaConservationLaw,
    patch('put off', (real) => ({
      spend: (name, at, limit, amount) =>
        answerChanged(real.spend(name, at, limit, amount), (spent) =>
          spent.allowed || spent.renewsAt === undefined || amount === 0
            ? spent
            : { ...spent, renewsAt: at + limit.renewalSeconds * 1000 },
        ),
    })),
  ),
  plant(
    'quota: refused requests are not counted',
    quotaConservationLaw,
    patch('admitted only', (real) => ({
      async spend(name, at, limit, amount) {
        const look = await real.spend(name, at, limit, 0)
        return look.allowed ? real.spend(name, at, limit, amount) : look
      },
    })),
  ),
  plant(
    'quota: a refusal resets the count',
    quotaConservationLaw,
    patch('reset on refusal', (real) => ({
      async spend(name, at, limit, amount) {
        const spent = await real.spend(name, at, limit, amount)
        if (!spent.allowed) await real.reset(name, at)
        return spent
      },
    })),
  ),
  plant(
    'quota: a reset keeps what was used',
    quotaConservationLaw,
    patch('no reset', () => ({ reset() {} })),
  ),
  plant(
    'quota: a raised or lowered maximum resets the count',
    quotaConservationLaw,
    patch('reset on change', (real) => {
      let max: number | undefined
      return {
        async spend(name, at, limit, amount) {
          if (max !== undefined && max !== limit.max) await real.reset(name, at)
          max = limit.max
          return real.spend(name, at, limit, amount)
        },
      }
    }),
  ),
  plant(
    'quota: a lowered maximum is not told in what remains',
    quotaConservationLaw,
    patch('first maximum', (real) => {
      let first: number | undefined
      return {
        spend(name, at, limit, amount) {
          first ??= limit.max
          const shown = first
          return answerChanged(real.spend(name, at, limit, amount), (spent) => ({
            ...spent,
            remaining: Math.max(0, spent.remaining + shown - limit.max),
          }))
        },
      }
    }),
  ),
  plant(
    'quota: remaining goes below 0',
    quotaConservationLaw,
    patch('negative', (real) => ({
      spend: (name, at, limit, amount) =>
        answerChanged(real.spend(name, at, limit, amount), (spent) =>
          spent.allowed ? spent : { ...spent, remaining: -1 },
        ),
    })),
  ),
  plant(
    'quota: a look counts',
    quotaConservationLaw,
    patch('counting look', (real) => ({
      spend: (name, at, limit, amount) => real.spend(name, at, limit, Math.max(1, amount)),
    })),
  ),
  plant(
    'quota: each of those that begin a period together sets the count to 0',
    simultaneousLaw,
    simultaneousQuota(
      patch('begun twice', (real) => {
        let inLine = 0
        return {
          async spend(name, at, limit, amount) {
            inLine += 1
            const turns = inLine
            const state = await real.read(name, at)
            for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
            if (state === undefined) void real.reset(name, at)
            return real.spend(name, at, limit, amount)
          },
        }
      }),
    ),
  ),
]
