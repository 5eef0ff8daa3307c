/**
 * Property 11, against a model of one counter. A parameter says which requests count: the compatible quota also counts
 * rejected requests. `reset` is an update without `suppress_reset`; `change-max` is an update with it, or under
 * `dont_set_quota_on_create`.
 */

import type { Millis } from '@turnpike/core/lib'
import type { QuotaResult } from '@turnpike/core/ports'
import { quotaShapes } from '../arbitraries/case-shapes.ts'
import { type QuotaCase, type QuotaStep, quotaCases, showQuotaCase } from '../arbitraries/quota-cases.ts'
import { makeProperty } from './property.ts'
import type { QuotaSubject, QuotaUnderTest } from './subjects/quota-subject.ts'

export const quotaConservationProperty = makeProperty<QuotaSubject, QuotaCase>({
  number: 11,
  name: 'quota conservation',
  statement:
    'Between two renewals at most quota_max requests are admitted, and remaining = max(0, quota_max − used). The first request of a period fixes its end; the quota renews then, and never if it has no period. A reset sets the used amount to 0; any other update keeps it.',
  cases: quotaCases,
  requestsOf: ({ steps }) => steps.length,
  show: showQuotaCase,
  shapes: quotaShapes,
  async check(subject, { max, renewalSeconds, steps }) {
    const model = new QuotaModel(max, renewalSeconds, subject.counted)
    const underTest = subject.make()
    for (const [index, step] of steps.entries()) {
      const wrong = await checkStep(underTest, model, step)
      if (wrong !== undefined) return `at step ${index} (${step.kind}) ${wrong}`
    }
    return undefined
  },
})

async function checkStep(underTest: QuotaUnderTest, model: QuotaModel, step: QuotaStep): Promise<string | undefined> {
  model.moveTo(step.at)
  if (step.kind === 'change-max') model.max = step.max
  if (step.kind === 'reset') {
    await underTest.reset('q', step.at)
    model.used = 0
  }
  if (step.kind === 'consume' || step.kind === 'peek') {
    const limit = { max: model.max, renewalSeconds: model.renewalSeconds }
    const amount = step.kind === 'consume' ? step.amount : 0
    const expected = amount === 0 ? model.look() : model.spend(step.at, amount)
    const spent = await underTest.spend('q', step.at, limit, amount)
    const isSame =
      spent.allowed === expected.allowed &&
      spent.remaining === expected.remaining &&
      spent.renewsAt === expected.renewsAt
    if (!isSame) return `the result is ${JSON.stringify(spent)}, expected: ${JSON.stringify(expected)}`
  }
  const state = await underTest.read('q', step.at)
  if ((state?.used ?? 0) !== model.used) return `the store reports ${state?.used ?? 0} as used, expected: ${model.used}`
  return state === undefined || state.renewsAt === model.renewsAt ? undefined : `the end moved to ${state.renewsAt}`
}

/** The simplest quota: one plain counter. */
class QuotaModel {
  used = 0
  renewsAt: Millis | undefined
  max: number
  readonly renewalSeconds: number
  private readonly counted: 'admitted' | 'all'

  constructor(max: number, renewalSeconds: number, counted: 'admitted' | 'all') {
    this.max = max
    this.renewalSeconds = renewalSeconds
    this.counted = counted
  }

  moveTo(now: Millis): void {
    if (this.renewsAt !== undefined && now >= this.renewsAt) this.used = 0
  }

  look(): QuotaResult {
    return {
      allowed: this.used < this.max,
      remaining: this.left(),
      renewsAt: this.used > 0 ? this.renewsAt : undefined,
    }
  }

  spend(now: Millis, amount: number): QuotaResult {
    if (this.used === 0) this.renewsAt = this.renewalSeconds > 0 ? now + this.renewalSeconds * 1000 : undefined
    const allowed = this.used + amount <= this.max
    if (allowed || this.counted === 'all') this.used += amount
    return { allowed, remaining: this.left(), renewsAt: this.renewsAt }
  }

  private left(): number {
    return Math.max(0, this.max - this.used)
  }
}
