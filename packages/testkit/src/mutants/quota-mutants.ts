/** Mutants of the quota. */
import type { QuotaLimit } from '@turnpike/core/ports'
import { quotaConservationProperty } from '../properties/property-11-quota-conservation.ts'
import { linearizabilityProperty, simultaneousQuota } from '../properties/property-12-linearizability.ts'
import { compatibleQuota, type QuotaSubject, type QuotaUnderTest } from '../properties/subjects/quota-subject.ts'
import { answerChanged, type Mutant, makeMutant, mutantsOf } from './mutant.ts'

/** The real quota with some methods replaced. */
function patch(change: (real: QuotaUnderTest) => Partial<QuotaUnderTest>): QuotaSubject {
  const real = compatibleQuota()
  return {
    ...real,
    make() {
      const underTest = real.make()
      return { ...underTest, ...change(underTest) }
    },
  }
}

/** Counts under a changed limit. */
const patchLimit = (change: (limit: QuotaLimit) => Partial<QuotaLimit>) =>
  patch((real) => ({
    spend: (name, at, limit, amount) => real.spend(name, at, { ...limit, ...change(limit) }, amount),
  }))

export const quotaMutants: readonly Mutant[] = [
  ...mutantsOf(quotaConservationProperty, {
    'quota: one too many': patchLimit(({ max }) => ({ max: max + 1 })),
    'quota: a quota that never renews does renew': patchLimit(({ renewalSeconds }) =>
      renewalSeconds > 0 ? {} : { renewalSeconds: 60 },
    ),
    'quota: never renews (lost expiry)': patchLimit(() => ({ renewalSeconds: 0 })),
    'quota: renews a second early': patchLimit(({ renewalSeconds }) => ({ renewalSeconds: renewalSeconds - 1 })),
    'quota: refused requests put the end off': patch((real) => ({
      spend: (name, at, limit, amount) =>
        answerChanged(real.spend(name, at, limit, amount), (spent) =>
          spent.allowed || spent.renewsAt === undefined || amount === 0
            ? spent
            : { ...spent, renewsAt: at + limit.renewalSeconds * 1000 },
        ),
    })),
    'quota: refused requests are not counted': patch((real) => ({
      async spend(name, at, limit, amount) {
        const look = await real.spend(name, at, limit, 0)
        return look.allowed ? real.spend(name, at, limit, amount) : look
      },
    })),
    'quota: a refusal resets the count': patch((real) => ({
      async spend(name, at, limit, amount) {
        const spent = await real.spend(name, at, limit, amount)
        if (!spent.allowed) await real.reset(name, at)
        return spent
      },
    })),
    'quota: a reset keeps what was used': patch(() => ({ reset() {} })),
    'quota: a raised or lowered maximum resets the count': patch((real) => {
      let max: number | undefined
      return {
        async spend(name, at, limit, amount) {
          if (max !== undefined && max !== limit.max) await real.reset(name, at)
          max = limit.max
          return real.spend(name, at, limit, amount)
        },
      }
    }),
    'quota: a lowered maximum does not lower remaining': patch((real) => {
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
    'quota: remaining goes below 0': patch((real) => ({
      spend: (name, at, limit, amount) =>
        answerChanged(real.spend(name, at, limit, amount), (spent) =>
          spent.allowed ? spent : { ...spent, remaining: -1 },
        ),
    })),
    'quota: a look counts': patch((real) => ({
      spend: (name, at, limit, amount) => real.spend(name, at, limit, Math.max(1, amount)),
    })),
  }),
  makeMutant(
    'quota: each of those that begin a period together sets the count to 0',
    linearizabilityProperty,
    simultaneousQuota(
      patch((real) => {
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
