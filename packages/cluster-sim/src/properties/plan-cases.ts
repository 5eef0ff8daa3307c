/** Generates adversarial plans: bursts on one key from all nodes, and faults at the worst moments. */
import fc from 'fast-check'
import { type Allowance, nodeNames, type Plan, type Step, sortSteps, storePlace } from '../run/plan.ts'
import type { NetworkQuality } from '../simulation/network.ts'

/** A network without faults and with random delays. */
export const healthyNetwork: fc.Arbitrary<NetworkQuality> = fc
  .tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 30 }))
  .map(([least, more]) => ({ delayMs: [least, least + more], loss: 0, doubling: 0, reordering: false }))

/** A network that loses, duplicates and reorders messages. */
export const faultyNetwork: fc.Arbitrary<NetworkQuality> = fc.record({
  delayMs: fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 5, max: 80 })),
  loss: fc.constantFrom(0, 0.02, 0.2),
  doubling: fc.constantFrom(0, 0.3),
  reordering: fc.boolean(),
})

/** Requests on `k1`, in simultaneous bursts at several nodes. */
export function burstsOn(nodes: number, withinMs: number, most: number): fc.Arbitrary<Step[]> {
  const burst = fc.record({
    at: fc.integer({ min: 0, max: withinMs }),
    requests: fc.array(fc.integer({ min: 1, max: nodes }), { minLength: 1, maxLength: most }),
  })
  return fc
    .array(burst, { minLength: 1, maxLength: 6 })
    .map((bursts) =>
      bursts.flatMap(({ at, requests }) =>
        requests.map((node): Step => ({ at, kind: 'request', node: `node-${node}`, key: 'k1' })),
      ),
    )
}

/** Faults that begin and end within the time. At its end everything works again. */
export function faultsOn(nodes: number, withinMs: number): fc.Arbitrary<Step[]> {
  const span = fc.tuple(fc.nat(withinMs), fc.nat(withinMs)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)
  const node = fc.integer({ min: 1, max: nodes }).map((i) => `node-${i}`)
  const one = fc.oneof(
    fc.tuple(span, node).map(([[from, to], a]): Step[] => [
      { at: from, kind: 'cut', a, b: storePlace },
      { at: to, kind: 'heal', a, b: storePlace },
    ]),
    fc.tuple(span, node).map(([[from, to], crashed]): Step[] => [
      { at: from, kind: 'crash', node: crashed },
      { at: to, kind: 'start', node: crashed },
    ]),
    span.map(([from, to]): Step[] => [
      { at: from, kind: 'store-down' },
      { at: to, kind: 'store-up' },
    ]),
    fc
      .tuple(fc.nat(withinMs), node, fc.constantFrom(-86_400_000, -1_500, 1_500, 86_400_000))
      .map(([at, stepped, byMs]): Step[] => [{ at, kind: 'clock', node: stepped, byMs }]),
    fc
      .tuple(fc.nat(withinMs), node, fc.constantFrom(0, 400, 3_000))
      .map(([at, slow, readMs]): Step[] => [{ at, kind: 'disk', node: slow, readMs }]),
  )
  return fc.array(one, { maxLength: 5 }).map((all) => all.flat())
}

export const plainAllowance: Allowance = { rate: 0, per: 0, quotaMax: 0, quotaRenewalRate: 0 }

/** A plan of one key with this allowance; `more` overrides other fields. */
export function planFor(allowance: Allowance, nodes: number, more: Partial<Plan> & Pick<Plan, 'endsAt'>): Plan {
  return {
    name: 'drawn',
    seed: 1,
    nodes: nodeNames(nodes),
    algorithm: 'rolling',
    network: { delayMs: [1, 1], loss: 0, doubling: 0, reordering: false },
    deadlineMs: 500,
    keys: [{ name: 'k1', allowance, policy: undefined }],
    files: { version: 1, policies: {} },
    ...more,
    steps: sortSteps(more.steps ?? []),
  }
}

export const requestsIn = ({ steps }: Plan) => steps.filter(({ kind }) => kind === 'request').length
