import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rateCases } from '../arbitraries/rate-cases.ts'
import { type CheckOptions, expectProperty, type Property } from './property.ts'
import { rollingLogProperty } from './property-01-rolling-log.ts'
import { fixedWindowProperty, worstTrailing } from './property-02-fixed-window.ts'
import { slidingCounterProperty } from './property-03-sliding-counter.ts'
import { flowProperty } from './property-04-flow.ts'
import { equivalenceProperty } from './property-05-equivalence.ts'
import { noStarvationProperty } from './property-06-no-starvation.ts'
import { monotonicityProperty } from './property-07-monotonicity.ts'
import { nonInterferenceProperty } from './property-08-non-interference.ts'
import { timeProperty } from './property-09-time.ts'
import { remainingAndRetryProperty } from './property-10-remaining-and-retry.ts'
import { quotaConservationProperty } from './property-11-quota-conservation.ts'
import { linearizabilityProperty, simultaneousQuota, simultaneousRate } from './property-12-linearizability.ts'
import { compatibleRate, compatibleRates, unsweptRates } from './subjects/compatible-rates.ts'
import { compatibleQuota } from './subjects/quota-subject.ts'
import { flowRates, flows, plainLogRate, slidingCounter, slidingRate } from './subjects/textbook-rates.ts'

const run: CheckOptions = { requests: process.env.CI === undefined ? 10_000 : 100_000 }
const textbookRates = [...flowRates, slidingRate, plainLogRate]
const everyRate = [...compatibleRates, ...textbookRates]

const holdsFor = <S extends { readonly name: string }>(property: Property<S>, subjects: readonly S[]) => {
  describe(`property ${property.number}, ${property.name}: ${property.statement}`, () => {
    it.each(subjects.map((subject) => [subject.name, subject] as const))('%s', async (_, subject) => {
      await expectProperty(property, subject, run)
    })
  })
}

describe('the properties hold', () => {
  holdsFor(rollingLogProperty, [compatibleRate('rolling'), compatibleRate('rolling', { oneLess: true }), plainLogRate])
  holdsFor(fixedWindowProperty, [compatibleRate('fixed'), compatibleRate('local')])
  holdsFor(slidingCounterProperty, [slidingCounter])
  holdsFor(flowProperty, flows)
  holdsFor(equivalenceProperty, [{ name: flows.map(({ name }) => name).join(', '), members: flows }])
  holdsFor(noStarvationProperty, everyRate)
  holdsFor(
    monotonicityProperty,
    everyRate.filter(({ traits }) => traits.monotone),
  )
  holdsFor(nonInterferenceProperty, everyRate)
  holdsFor(timeProperty, [...everyRate, ...unsweptRates])
  holdsFor(remainingAndRetryProperty, everyRate)
  holdsFor(quotaConservationProperty, [compatibleQuota()])
  holdsFor(linearizabilityProperty, [...compatibleRates.map(simultaneousRate), simultaneousQuota(compatibleQuota())])
})

describe('the kit finds how bad a window can be', () => {
  const cases = fc.sample(rateCases(), { numRuns: 200, seed: 1 })
  it('2L around the edge of aligned windows', async () => {
    expect(await worstTrailing(compatibleRate('fixed'), 5, cases)).toBe(10)
  })
  it('2L − 1 where a window begins with its first request', async () => {
    expect(await worstTrailing(compatibleRate('local'), 5, cases)).toBe(9)
  })
  it('L in a rolling window', async () => {
    expect(await worstTrailing(compatibleRate('rolling'), 5, cases)).toBe(5)
  })
})
