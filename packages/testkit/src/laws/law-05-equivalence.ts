/** Law 5. Arithmetic is exact, and ties go the same way: what just fits is admitted. */
import { type FlowCase, flowCases, showFlowCase } from '../arbitraries/flow-cases.ts'
import { makeLaw } from './law.ts'
import { takeAll } from './rate-subject.ts'
import type { FlowSubject } from './textbook-rates.ts'

/** Flows that must decide alike. */
export interface FlowGroup {
  readonly name: string
  readonly members: readonly FlowSubject[]
}

export const equivalenceLaw = makeLaw<FlowGroup, FlowCase>({
  number: 5,
  name: 'equivalence',
  statement: 'GCRA, token bucket and leaky meter decide alike at every request of every trace, and tell the same.',
  cases: flowCases,
  requestsOf: ({ requests }) => requests.length,
  show: showFlowCase,
  async check({ members }, { limit, requests }) {
    const [first, ...others] = await Promise.all(members.map(({ make }) => takeAll(make(limit), requests)))
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
