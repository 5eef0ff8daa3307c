/** Property 5. Arithmetic is exact, and all members resolve ties alike: a request that exactly fits is admitted. */

import type { RateResult } from '@turnpike/core/ports'
import { flowShapes } from '../arbitraries/case-shapes.ts'
import { type FlowCase, flowCases, showFlowCase } from '../arbitraries/flow-cases.ts'
import { makeProperty } from './property.ts'
import { takeAll } from './subjects/rate-subject.ts'
import type { FlowSubject } from './subjects/textbook-rates.ts'

/** Flow limiters that must make the same decisions. */
export interface FlowGroup {
  readonly name: string
  readonly members: readonly FlowSubject[]
}

export const equivalenceProperty = makeProperty<FlowGroup, FlowCase>({
  number: 5,
  name: 'equivalent buckets',
  statement:
    'GCRA, token bucket and leaky meter return the same decision and the same limits for every request of every trace.',
  cases: flowCases,
  requestsOf: ({ requests }) => requests.length,
  show: showFlowCase,
  shapes: flowShapes,
  async check({ members }, { limit, requests }) {
    // Sequential, because members on one store share its clock.
    const all: RateResult[][] = []
    for (const { make } of members) all.push(await takeAll(make(limit), requests))
    const [first, ...others] = all
    for (const [member, answers] of others.entries()) {
      for (const [index, answer] of answers.entries()) {
        const expected = first?.[index]
        const isSame =
          expected !== undefined &&
          answer.allowed === expected.allowed &&
          answer.remaining === expected.remaining &&
          answer.resetAt === expected.resetAt
        if (isSame) continue
        const names = [members[0]?.name, members[member + 1]?.name]
        return `at request ${index}, ${names.join(' and ')} say ${JSON.stringify([expected, answer])}`
      }
    }
    return undefined
  },
})
