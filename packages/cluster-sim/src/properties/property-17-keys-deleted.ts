/** Property 17 over several nodes: a key deleted on one node is invalid on all nodes within the stated time. */
import { makeProperty } from '@turnpike/testkit'
import fc from 'fast-check'
import type { Plan, Step } from '../run/plan.ts'
import { showPlan } from '../run/show-plan.ts'
import type { ClusterSubject } from './cluster-subject.ts'
import { lateAdmission } from './history-checks.ts'
import { faultyNetwork, plainAllowance, planFor, requestsIn } from './plan-cases.ts'

const deletions: fc.Arbitrary<Plan> = fc
  .record({
    nodes: fc.integer({ min: 2, max: 4 }),
    network: faultyNetwork,
    seed: fc.integer(),
    at: fc.integer({ min: 500, max: 4_000 }),
    requests: fc.array(fc.tuple(fc.nat(30_000), fc.integer({ min: 1, max: 4 })), { minLength: 4, maxLength: 40 }),
  })
  .map(({ nodes, network, seed, at, requests }) => {
    const asks = requests.map(
      ([instant, node]): Step => ({
        at: instant,
        kind: 'request',
        node: `node-${((node - 1) % nodes) + 1}`,
        key: 'k1',
      }),
    )
    const steps: Step[] = [...asks, { at, kind: 'delete-key', node: 'node-1', key: 'k1' }]
    return planFor({ ...plainAllowance, rate: 1000, per: 60 }, nodes, { seed, network, steps, endsAt: 31_000 })
  })

export const deletedKeysProperty = makeProperty<ClusterSubject, Plan>({
  number: 17,
  name: 'lifetime of keys, deleted in a cluster',
  statement:
    'A deleted key admits nothing that starts later than the stated time after the answer to the delete, on any node.',
  cases: deletions,
  requestsOf: requestsIn,
  show: showPlan,
  async check(subject, plan) {
    return lateAdmission(plan, await subject.run(plan))
  },
})
