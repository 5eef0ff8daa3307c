/** Property 4. Amounts are integers and the sums are compared without division, so that the bound is exact. */
import { flowShapes } from '../arbitraries/case-shapes.ts'
import { type FlowCase, flowCases, showFlowCase } from '../arbitraries/flow-cases.ts'
import { makeProperty } from './property.ts'
import { takeAll } from './subjects/rate-subject.ts'
import type { FlowSubject } from './subjects/textbook-rates.ts'

export const flowProperty = makeProperty<FlowSubject, FlowCase>({
  number: 4,
  name: 'token and leaky bucket',
  statement:
    'For all s < t, the amount admitted in (s, t] is at most B + R × (t − s), and the level stays between 0 and B.',
  cases: flowCases,
  requestsOf: ({ requests }) => requests.length,
  show: showFlowCase,
  shapes: flowShapes,
  async check({ make }, { limit, requests }) {
    const { count, periodMs, burst } = limit
    const taken = await takeAll(make(limit), requests)
    const start = requests[0]?.at ?? 0
    // If a(t) is the amount admitted up to t, then a(t) − R·t may exceed no earlier a(s) − R·s by more than B.
    let admitted = 0
    let lowest = Number.POSITIVE_INFINITY
    for (const [index, { at, amount }] of requests.entries()) {
      const result = taken[index]
      if (result === undefined) return `request ${index} has no result`
      if (result.remaining < 0 || result.remaining > burst)
        return `after request ${index} the level is ${result.remaining}`
      const flowed = (at - start) * count
      lowest = Math.min(lowest, admitted * periodMs - flowed)
      if (!result.allowed) continue
      admitted += amount
      const over = admitted * periodMs - flowed - lowest
      if (over > burst * periodMs)
        return `with request ${index}, the admitted amount exceeds the flow by ${over / periodMs}, more than the burst ${burst}`
    }
    return undefined
  },
})
