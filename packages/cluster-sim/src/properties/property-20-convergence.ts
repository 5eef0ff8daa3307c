/**
 * Property 20: after a group reload all nodes come to serve the same, however messages fare, and no node goes back to what it
 * served before. What is late is late by a stated time: a heartbeat, and the delays of the disk and of the network.
 */
import { makeProperty } from '@turnpike/testkit'
import fc from 'fast-check'
import { type Plan, type Step, sortSteps } from '../run/plan.ts'
import { showPlan } from '../run/show-plan.ts'
import type { ClusterSubject } from './cluster-subject.ts'
import { unevenConfigurations } from './history-checks.ts'
import { faultsOn, faultyNetwork, plainAllowance, planFor, requestsIn } from './plan-cases.ts'

/** Faults and reloads end here. */
const quietFrom = 15_000
/** Two heartbeats of 5 s, one of which may wait for the deadline of a lost response, and three reads of a slow disk. */
export const convergenceBoundMs = 2 * 5_000 + 3 * 3_000 + 2_000

const reloads: fc.Arbitrary<Plan> = fc
  .record({
    nodes: fc.integer({ min: 2, max: 5 }),
    network: faultyNetwork.map((network) => ({ ...network, loss: Math.min(network.loss, 0.05) })),
    seed: fc.integer(),
    at: fc.array(fc.nat(quietFrom - 2_000), { minLength: 1, maxLength: 4 }),
  })
  .chain(({ nodes, network, seed, at }) =>
    faultsOn(nodes, quietFrom - 1_000).map((faults) => {
      const changes = at
        .toSorted((a, b) => a - b)
        .flatMap((instant, i): Step[] => [
          { at: instant, kind: 'files', files: { version: i + 2, policies: {} } },
          { at: instant, kind: 'reload-group', node: `node-${(i % nodes) + 1}` },
        ])
      // The last reload happens after all failures ended, so it is acknowledged.
      const last: Step = { at: quietFrom, kind: 'reload-group', node: 'node-1' }
      const steps = sortSteps([...faults, ...changes, last])
      return planFor(plainAllowance, nodes, { seed, network, steps, endsAt: quietFrom + convergenceBoundMs })
    }),
  )

export const convergenceProperty = makeProperty<ClusterSubject, Plan>({
  number: 20,
  name: 'reload convergence, cluster',
  statement:
    'After a group reload is acknowledged and messages flow again, all nodes serve the same within the stated time, and none goes back.',
  cases: reloads,
  requestsOf: (plan) => requestsIn(plan) + plan.nodes.length,
  show: showPlan,
  async check(subject, plan) {
    return unevenConfigurations(plan, await subject.run(plan))
  },
})
