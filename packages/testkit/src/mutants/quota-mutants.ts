/** Mutants of the quota. */
import type { QuotaLimit } from '@turnpike/core'
import { quotaConservationProperty } from '../properties/property-11-quota-conservation.ts'
import { linearizabilityProperty, simultaneousQuota } from '../properties/property-12-linearizability.ts'
import { compatibleQuota, type QuotaSubject, type QuotaUnderTest } from '../properties/subjects/quota-subject.ts'
import { answerChanged, type Mutant, makeMutant } from './mutant.ts'

/** The real quota with some methods replaced. */
function patch(name: string, change: (real: QuotaUnderTest) => Partial<QuotaUnderTest>): QuotaSubject {
  const real = compatibleQuota()
  return {
    ...real,
    name,
    make() {
      const underTest = real.make()
      return { ...underTest, ...change(underTest) }
    },
  }
}

const withLimit = (real: QuotaUnderTest, change: (limit: QuotaLimit) => QuotaLimit): Partial<QuotaUnderTest> => ({
  spend: (name, at, limit, amount) => real.spend(name, at, change(limit), amount),
})

export const quotaMutants: readonly Mutant[] = [
  makeMutant(
    'quota: one too many',
    quotaConservationProperty,
    patch('one too many', (real) => withLimit(real, (limit) => ({ ...limit, max: limit.max + 1 }))),
  ),
  makeMutant(
    'quota: a quota that never renews does renew',
    quotaConservationProperty,
    patch('always renews', (real) =>
      withLimit(real, (limit) => (limit.renewalSeconds > 0 ? limit : { ...limit, renewalSeconds: 60 })),
    ),
  ),
  makeMutant(
    'quota: never renews (lost expiry)',
    quotaConservationProperty,
    patch('lost expiry', (real) => withLimit(real, (limit) => ({ ...limit, renewalSeconds: 0 }))),
  ),
  makeMutant(
    'quota: renews a second early',
    quotaConservationProperty,
    patch('early', (real) => withLimit(real, (limit) => ({ ...limit, renewalSeconds: limit.renewalSeconds - 1 }))),
  ),
  makeMutant(
    'quota: refused requests put the end off',
    quotaConservationProperty,
    patch('put off', (real) => ({
      spend: (name, at, limit, amount) =>
        answerChanged(real.spend(name, at, limit, amount), (spent) =>
          spent.allowed || spent.renewsAt === undefined || amount === 0
            ? spent
            : { ...spent, renewsAt: at + limit.renewalSeconds * 1000 },
        ),
    })),
  ),
  makeMutant(
    'quota: refused requests are not counted',
    quotaConservationProperty,
    patch('admitted only', (real) => ({
      async spend(name, at, limit, amount) {
        const look = await real.spend(name, at, limit, 0)
        return look.allowed ? real.spend(name, at, limit, amount) : look
      },
    })),
  ),
  makeMutant(
    'quota: a refusal resets the count',
    quotaConservationProperty,
    patch('reset on refusal', (real) => ({
      async spend(name, at, limit, amount) {
        const spent = await real.spend(name, at, limit, amount)
        if (!spent.allowed) await real.reset(name, at)
        return spent
      },
    })),
  ),
  makeMutant(
    'quota: a reset keeps what was used',
    quotaConservationProperty,
    patch('no reset', () => ({ reset() {} })),
  ),
  makeMutant(
    'quota: a raised or lowered maximum resets the count',
    quotaConservationProperty,
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
  makeMutant(
    'quota: a lowered maximum does not lower remaining',
    quotaConservationProperty,
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
  makeMutant(
    'quota: remaining goes below 0',
    quotaConservationProperty,
    patch('negative', (real) => ({
      spend: (name, at, limit, amount) =>
        answerChanged(real.spend(name, at, limit, amount), (spent) =>
          spent.allowed ? spent : { ...spent, remaining: -1 },
        ),
    })),
  ),
  makeMutant(
    'quota: a look counts',
    quotaConservationProperty,
    patch('counting look', (real) => ({
      spend: (name, at, limit, amount) => real.spend(name, at, limit, Math.max(1, amount)),
    })),
  ),
  makeMutant(
    'quota: each of those that begin a period together sets the count to 0',
    linearizabilityProperty,
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
