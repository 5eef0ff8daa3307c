/**
 * Property 20: after a group reload all nodes come to serve the same, however messages fare, and no node goes back to what it
 * served before. What is late is late by a stated time: a heartbeat, and what the disk and the way take.
 */
import { makeProperty } from '@turnpike/testkit'
import fc from 'fast-check'
import type { History } from '../run/history.ts'
import { type Plan, type Step, sortSteps } from '../run/plan.ts'
import { showPlan } from '../run/show-plan.ts'
import type { ClusterSubject } from './cluster-subject.ts'
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
    const history = await subject.run(plan)
    return relapseOf(history) ?? divisionOf(history, plan)
  },
})

function relapseOf({ served }: History): string | undefined {
  const newest = new Map<string, number>()
  for (const { node, version, at } of served) {
    const before = newest.get(node) ?? 0
    if (version < before) return `${node} went back from version ${before} to ${version} at ${at} ms`
    newest.set(node, version)
  }
  return undefined
}

function divisionOf({ atTheEnd, done }: History, plan: Plan): string | undefined {
  const last = done.findLast(({ step }) => step.kind === 'reload-group')
  if (last?.endedAt === undefined) return undefined
  const wanted = plan.steps.findLast((step) => step.kind === 'files')
  const version = wanted?.kind === 'files' ? wanted.files.version : plan.files.version
  const behind = Object.entries(atTheEnd).find(([, state]) => state.version !== version)
  return behind === undefined
    ? undefined
    : `${behind[0]} serves version ${behind[1].version} at the end, where ${version} was expected`
}
