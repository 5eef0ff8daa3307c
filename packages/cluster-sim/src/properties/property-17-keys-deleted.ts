/** Property 17 over several nodes: a key deleted on one node is invalid on all nodes within the stated time. */
import { makeProperty } from '@turnpike/testkit'
import fc from 'fast-check'
import { sessionsCachedForMs } from '../run/documents.ts'
import type { Plan, Step } from '../run/plan.ts'
import { showPlan } from '../run/show-plan.ts'
import type { ClusterSubject } from './cluster-subject.ts'
import { faultyNetwork, plainAllowance, planFor, requestsIn } from './plan-cases.ts'

/**
 * Ms after the answer to a delete in which another node may still take the key from its memory: it read the key just
 * before, the answer was as late as answers may be, and the message about the delete is lost.
 */
export const deletedKeyBoundMs = ({ deadlineMs }: Pick<Plan, 'deadlineMs'>) => sessionsCachedForMs + deadlineMs

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
    const { asked, done } = await subject.run(plan)
    const deleted = done.find(({ step }) => step.kind === 'delete-key')
    if (deleted?.endedAt === undefined || deleted.problem !== undefined) return undefined
    const since = deleted.endedAt
    const boundMs = deletedKeyBoundMs(plan)
    const late = asked.find(
      ({ status, startedAt, node }) => status === 200 && startedAt > since + (node === 'node-1' ? 0 : boundMs),
    )
    return late === undefined
      ? undefined
      : `${late.node} admits request ${late.id}, ${late.startedAt - since} ms after the key was deleted`
  },
})
