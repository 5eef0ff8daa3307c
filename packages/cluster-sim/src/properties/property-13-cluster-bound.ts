/**
 * Property 13 on a shared store: whichever part fails, all nodes together admit no more than one would. When a request was decided
 * lies between its beginning and its end, so what is counted is what began and ended within the time.
 */

import type { RateAlgorithm } from '@turnpike/core/ports'
import { makeProperty } from '@turnpike/testkit'
import fc from 'fast-check'
import type { Plan } from '../run/plan.ts'
import { showPlan } from '../run/show-plan.ts'
import type { ClusterSubject } from './cluster-subject.ts'
import { worstWindow } from './history-checks.ts'
import { burstsOn, faultsOn, faultyNetwork, plainAllowance, planFor, requestsIn } from './plan-cases.ts'

interface Trouble {
  readonly plan: Plan
  readonly most: number
  readonly windowMs: number
}

const windowMs = 10_000

const troubles: fc.Arbitrary<Trouble> = fc
  .record({
    nodes: fc.integer({ min: 1, max: 5 }),
    most: fc.integer({ min: 1, max: 8 }),
    network: faultyNetwork,
    seed: fc.integer(),
    algorithm: fc.constantFrom<RateAlgorithm>('rolling', 'sentinel', 'fixed'),
  })
  .chain(({ nodes, most, network, seed, algorithm }) =>
    fc.tuple(burstsOn(nodes, 15_000, 8), faultsOn(nodes, 15_000)).map(([requests, faults]) => {
      const allowance = { ...plainAllowance, rate: most, per: windowMs / 1000 }
      const steps = [...faults, ...requests]
      return { most, windowMs, plan: planFor(allowance, nodes, { seed, network, algorithm, steps, endsAt: 20_000 }) }
    }),
  )

/** How many a window may admit, by algorithm. The sentinel's log follows its decision, so one store turn may pass. */
const boundOf = (algorithm: RateAlgorithm, most: number, requests: number): number =>
  algorithm === 'rolling' ? most : algorithm === 'fixed' ? 2 * most : requests

export const clusterBoundProperty = makeProperty<ClusterSubject, Trouble>({
  number: 13,
  name: 'cluster bound, shared store',
  statement: 'With a shared store all nodes together admit at most L, under any fault.',
  cases: troubles,
  requestsOf: ({ plan }) => requestsIn(plan),
  show: ({ plan }) => showPlan(plan),
  async check(subject, { plan, most, windowMs }) {
    const { exchanges } = await subject.run(plan)
    const bound = boundOf(plan.algorithm, most, exchanges.length)
    const worst = worstWindow(exchanges, windowMs)
    return worst.count <= bound
      ? undefined
      : `${worst.count} are admitted from ${worst.from} ms to ${worst.from + windowMs} ms, where ${bound} may be`
  },
})
