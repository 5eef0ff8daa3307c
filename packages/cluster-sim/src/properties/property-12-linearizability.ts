/** Property 12 over several nodes, checked with the remaining quota in each response. */
import { makeProperty } from '@turnpike/testkit'
import fc from 'fast-check'
import type { Plan } from '../run/plan.ts'
import { showPlan } from '../run/show-plan.ts'
import type { ClusterSubject } from './cluster-subject.ts'
import { quotaDisorder } from './history-checks.ts'
import { burstsOn, healthyNetwork, plainAllowance, planFor, requestsIn } from './plan-cases.ts'

interface Crowd {
  readonly plan: Plan
  readonly most: number
}

const crowds: fc.Arbitrary<Crowd> = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 12 }), healthyNetwork, fc.integer())
  .chain(([nodes, most, network, seed]) =>
    burstsOn(nodes, 200, 8).map((steps) => {
      const allowance = { ...plainAllowance, quotaMax: most, quotaRenewalRate: 3600 }
      return { most, plan: planFor(allowance, nodes, { seed, network, steps, endsAt: 3_000 }) }
    }),
  )

export const linearizableProperty = makeProperty<ClusterSubject, Crowd>({
  number: 12,
  name: 'linearizability, several nodes',
  statement: 'Requests of several nodes on one store have a legal order; n on a fresh key admit exactly min(n, L).',
  cases: crowds,
  requestsOf: ({ plan }) => requestsIn(plan),
  show: ({ plan }) => showPlan(plan),
  async check(subject, { plan, most }) {
    const { exchanges } = await subject.run(plan)
    const silent = exchanges.find(({ status }) => status === 0)
    if (silent !== undefined) return `request ${silent.id} was never answered`
    const admitted = exchanges.filter(({ status }) => status === 200)
    if (admitted.length !== Math.min(most, exchanges.length)) {
      return `${admitted.length} of ${exchanges.length} are admitted, with a limit of ${most}`
    }
    return quotaDisorder(exchanges, most)
  },
})
