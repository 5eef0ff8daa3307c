import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rateCases } from '../arbitraries/rate-cases.ts'
import { expectLaw, type Law, type LawRun } from './law.ts'
import { rollingLogLaw } from './law-01-rolling-log.ts'
import { fixedWindowLaw, worstTrailing } from './law-02-fixed-window.ts'
import { slidingCounterLaw } from './law-03-sliding-counter.ts'
import { flowLaw } from './law-04-flow.ts'
import { equivalenceLaw } from './law-05-equivalence.ts'
import { noStarvationLaw } from './law-06-no-starvation.ts'
import { monotonicityLaw } from './law-07-monotonicity.ts'
import { nonInterferenceLaw } from './law-08-non-interference.ts'
import { timeLaw } from './law-09-time.ts'
import { headersLaw } from './law-10-headers.ts'
import { quotaConservationLaw } from './law-11-quota-conservation.ts'
import { simultaneousLaw, simultaneousQuota, simultaneousRate } from './law-12-simultaneous.ts'
import { recordedQuota } from './quota-subject.ts'
import { recordedRate, recordedRates, unsweptRates } from './recorded-rates.ts'
import { flowRates, flows, plainLogRate, slidingCounter, slidingRate } from './textbook-rates.ts'

const run: LawRun = { requests: process.env.CI === undefined ? 10_000 : 100_000 }
const textbookRates = [...flowRates, slidingRate, plainLogRate]
const everyRate = [...recordedRates, ...textbookRates]

const holdsFor = <S extends { readonly name: string }>(law: Law<S>, subjects: readonly S[]) => {
  describe(`law ${law.number}, ${law.name}: ${law.statement}`, () => {
    it.each(subjects.map((subject) => [subject.name, subject] as const))('%s', async (_, subject) => {
      await expectLaw(law, subject, run)
    })
  })
}

describe('the laws hold', () => {
  holdsFor(rollingLogLaw, [recordedRate('rolling'), recordedRate('rolling', { oneLess: true }), plainLogRate])
  holdsFor(fixedWindowLaw, [recordedRate('fixed'), recordedRate('local')])
  holdsFor(slidingCounterLaw, [slidingCounter])
  holdsFor(flowLaw, flows)
  holdsFor(equivalenceLaw, [{ name: flows.map(({ name }) => name).join(', '), members: flows }])
  holdsFor(noStarvationLaw, everyRate)
  holdsFor(
    monotonicityLaw,
    everyRate.filter(({ traits }) => traits.monotone),
  )
  holdsFor(nonInterferenceLaw, everyRate)
  holdsFor(timeLaw, [...everyRate, ...unsweptRates])
  holdsFor(headersLaw, everyRate)
  holdsFor(quotaConservationLaw, [recordedQuota()])
  holdsFor(simultaneousLaw, [...recordedRates.map(simultaneousRate), simultaneousQuota(recordedQuota())])
})

describe('the kit finds how bad a window can be', () => {
  const cases = fc.sample(rateCases(), { numRuns: 200, seed: 1 })
  it('2L around the edge of aligned windows', async () => {
    expect(await worstTrailing(recordedRate('fixed'), 5, cases)).toBe(10)
  })
  it('2L − 1 where a window begins with its first request', async () => {
    expect(await worstTrailing(recordedRate('local'), 5, cases)).toBe(9)
  })
  it('L in a rolling window', async () => {
    expect(await worstTrailing(recordedRate('rolling'), 5, cases)).toBe(5)
  })
})
