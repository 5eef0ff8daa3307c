/** Properties of a rate limit on a trace of requests. */
import { rateShapes } from '../arbitraries/case-shapes.ts'
import { type RateCase, rateCases, showRateCase } from '../arbitraries/rate-cases.ts'
import { makeProperty, type PropertyDefinition, type PropertyWithCases } from './property.ts'
import type { RateSubject } from './subjects/rate-subject.ts'

type RateDefinition<S> = PropertyDefinition<S, RateCase>

/** Makes a property. By default its cases have one key and a clock that does not step back, and each request is sent once. */
export function makeRateProperty<S = RateSubject>(
  definition: Omit<RateDefinition<S>, 'cases' | 'requestsOf' | 'show' | 'shapes'> &
    Partial<Pick<RateDefinition<S>, 'cases' | 'requestsOf'>>,
): PropertyWithCases<S, RateCase> {
  return makeProperty<S, RateCase>({
    cases: rateCases(),
    requestsOf: ({ requests }) => requests.length,
    show: showRateCase,
    shapes: rateShapes,
    ...definition,
  })
}
