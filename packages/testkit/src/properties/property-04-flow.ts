/** Property 4. Costs are whole numbers; the sums are compared without division, so that the bound is exact. */
import { type FlowCase, flowCases, showFlowCase } from '../arbitraries/flow-cases.ts'
import { makeProperty } from './property.ts'
import { takeAll } from './rate-subject.ts'
import type { FlowSubject } from './textbook-rates.ts'

export const flowProperty = makeProperty<FlowSubject, FlowCase>({
  number: 4,
  name: 'token and leaky bucket',
  statement: 'For all s < t: what is admitted in (s, t] is at most B + R × (t − s); the level stays within 0 and B.',
  cases: flowCases,
  requestsOf: ({ requests }) => requests.length,
  show: showFlowCase,
  async check({ make }, { limit, requests }) {
    const { count, periodMs, burst } = limit
    const taken = await takeAll(make(limit), requests)
    const start = requests[0]?.at ?? 0
    // With a(t) all that was admitted up to t, the property says: a(t) − R·t exceeds no earlier a(s) − R·s by more than B.
    let admitted = 0
    let lowest = Number.POSITIVE_INFINITY
    for (const [index, { at, amount }] of requests.entries()) {
      const answer = taken[index]
      if (answer === undefined) return `request ${index} has no answer`
      if (answer.remaining < 0 || answer.remaining > burst)
        return `after request ${index} the level is ${answer.remaining}`
      const flowed = (at - start) * count
      lowest = Math.min(lowest, admitted * periodMs - flowed)
      if (!answer.allowed) continue
      admitted += amount
      const over = admitted * periodMs - flowed - lowest
      if (over > burst * periodMs)
        return `with request ${index}, ${over / periodMs} are admitted beyond the flow, of ${burst}`
    }
    return undefined
  },
})
