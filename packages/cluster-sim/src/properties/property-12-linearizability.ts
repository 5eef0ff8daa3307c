/**
 * Property 12 over several nodes. The remaining quota in each response gives its position in the order of the store. The
 * order is legal if every position occurs once and no request precedes one that ended before it began.
 */
import { makeProperty } from '@turnpike/testkit'
import fc from 'fast-check'
import type { Asked } from '../run/history.ts'
import type { Plan } from '../run/plan.ts'
import { showPlan } from '../run/show-plan.ts'
import type { ClusterSubject } from './cluster-subject.ts'
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
    const { asked } = await subject.run(plan)
    const silent = asked.find(({ status }) => status === 0)
    if (silent !== undefined) return `request ${silent.id} was never answered`
    const admitted = asked.filter(({ status }) => status === 200)
    if (admitted.length !== Math.min(most, asked.length)) {
      return `${admitted.length} of ${asked.length} are admitted, with a limit of ${most}`
    }
    return disorderOf(admitted, most) ?? lateAdmission(admitted, asked)
  },
})

/** Finds two requests with the same position, or positions that contradict the times. */
function disorderOf(admitted: readonly Asked[], most: number): string | undefined {
  const ordered = admitted.toSorted((a, b) => b.remaining - a.remaining)
  let latestStart = Number.NEGATIVE_INFINITY
  for (const [place, one] of ordered.entries()) {
    if (one.remaining !== most - 1 - place) {
      return `the remaining numbers are ${ordered.map(({ remaining }) => remaining).join(', ')}: no order gives them`
    }
    if ((one.endedAt ?? 0) < latestStart)
      return `request ${one.id} got a later position than one that began after its end`
    latestStart = Math.max(latestStart, one.startedAt)
  }
  return undefined
}

function lateAdmission(admitted: readonly Asked[], asked: readonly Asked[]): string | undefined {
  const firstRefusal = Math.min(
    ...asked.filter(({ status }) => status !== 200).map(({ endedAt }) => endedAt ?? Infinity),
  )
  const late = admitted.find(({ startedAt }) => startedAt > firstRefusal)
  return late === undefined ? undefined : `request ${late.id} is admitted after another was refused`
}
