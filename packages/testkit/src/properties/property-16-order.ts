/**
 * Property 16. Each case sets up some obstacles. The first of them in the order of `pipeline-obstacles.ts` must end the
 * request with its own response, after the counters of earlier stages were charged and before any later stage was
 * called.
 */
import fc from 'fast-check'
import { charges, type Obstacle, obstacles, placeOf, reads, unobstructedResponse } from './pipeline-obstacles.ts'
import { makeProperty } from './property.ts'
import type { OrderSubject } from './subjects/order-subject.ts'

/** The obstacles of one request. May be empty. */
export interface OrderCase {
  readonly present: readonly Obstacle[]
}

const names: readonly Obstacle[] = obstacles.map(({ name }) => name)

/** Most cases have few obstacles, because an early one hides all others. */
export const orderCases: fc.Arbitrary<OrderCase> = fc.record({
  present: fc.oneof({ weight: 4, arbitrary: fc.subarray([...names], { maxLength: 3 }) }, fc.subarray([...names])),
})

export const orderProperty = makeProperty<OrderSubject, OrderCase>({
  number: 16,
  isExpensive: true,
  name: 'order of the pipeline',
  statement:
    'The first check that fails ends a request. Earlier stages have counted it, later ones have not run. An inactive organisation is checked first.',
  cases: orderCases,
  requestsOf: () => 1,
  show: ({ present }) =>
    present.length === 0 ? '  nothing is in the way' : present.map((name) => `  ${name}`).join('\n'),
  async check(subject, { present }) {
    const first = obstacles.find(({ name }) => present.includes(name))
    const end = first === undefined ? obstacles.length : placeOf(first.name)
    const seen = await subject.ask(new Set(present))
    const wanted = first?.answer ?? unobstructedResponse
    if (seen.answer !== wanted) return `the answer is "${seen.answer}", where "${wanted}" is right`
    for (const { counter, at, evenWhenUsedUp } of charges) {
      const place = placeOf(at)
      const right = place < end || (place === end && evenWhenUsedUp) ? 1 : 0
      if (seen.charged[counter] !== right)
        return `the ${counter} moved by ${seen.charged[counter]}, where ${right} is right`
    }
    for (const { what, at } of reads) {
      if (placeOf(at) > end && seen.read[what] > 0) return `there were ${what}, though the request had ended before`
    }
    return undefined
  },
})
