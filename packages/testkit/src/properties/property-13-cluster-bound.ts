/**
 * Property 13 on one store that several nodes call concurrently, without network errors. @turnpike/cluster-sim covers
 * network errors and nodes that count on their own. All nodes together may admit as much as one node. Where each node
 * has a share of the limit, rounding up the shares may add one request for each further node.
 */
import type { Maybe, Millis } from '@turnpike/core/lib'
import type { CounterStore, RateAlgorithm } from '@turnpike/core/ports'
import fc from 'fast-check'
import { virtualEpoch } from '../virtual-clock.ts'
import { consumeRate } from './plain-counters.ts'
import { makeProperty } from './property.ts'
import { TrailingCount } from './trailing-count.ts'

/** Nodes that count one client under one limit. */
export interface SharedUnderTest {
  ask(node: number, at: Millis): Maybe<{ readonly allowed: boolean }>
}

export interface SharedSubject {
  readonly name: string
  /** Maximum number of requests of one instant that all nodes together may admit. */
  atOnce(most: number, nodes: number): number
  /** Maximum number of requests that all nodes together may admit in any trailing window. */
  trailing(most: number, nodes: number): number
  make(limit: { readonly rate: number; readonly per: number }, nodes: number): Promise<SharedUnderTest>
}

interface SharedCase {
  readonly most: number
  readonly per: number
  readonly nodes: number
  /** Number of requests of each node, for one instant after the other. */
  readonly bursts: readonly { readonly at: Millis; readonly nodes: readonly number[] }[]
}

const cases: fc.Arbitrary<SharedCase> = fc
  .record({
    most: fc.constantFrom(1, 2, 3, 5, 8, 13, 40),
    per: fc.constantFrom(1, 10),
    nodes: fc.integer({ min: 1, max: 4 }),
    bursts: fc.array(
      fc.record({
        silence: fc.constantFrom(0, 1, 500, 999, 1000, 5000, 9999, 10_000),
        requests: fc.array(fc.nat(3), { minLength: 1, maxLength: 30 }),
      }),
      { minLength: 1, maxLength: 8 },
    ),
  })
  .map(({ bursts, nodes, ...limit }) => {
    let at = virtualEpoch
    const placed = bursts.map(({ silence, requests }) => {
      at += silence
      return { at, nodes: requests.map((node) => node % nodes) }
    })
    return { ...limit, nodes, bursts: placed }
  })

export const clusterBoundProperty = makeProperty<SharedSubject, SharedCase>({
  number: 13,
  name: 'cluster bound, one store',
  statement: 'All nodes on one store together admit no more than the limit, or their shares of it rounded up.',
  cases,
  requestsOf: ({ bursts }) => bursts.reduce((sum, { nodes }) => sum + nodes.length, 0),
  show: ({ most, per, nodes, bursts }) =>
    [
      `  ${most} in ${per} s, ${nodes} nodes`,
      ...bursts.map((burst) => `  ${burst.at - virtualEpoch} ms: at once by nodes ${burst.nodes.join(', ')}`),
    ].join('\n'),
  async check(subject, { most, per, nodes, bursts }) {
    const underTest = await subject.make({ rate: most, per }, nodes)
    const trailing = new TrailingCount(per * 1000)
    for (const burst of bursts) {
      const answers = await Promise.all(burst.nodes.map(async (node) => underTest.ask(node, burst.at)))
      const admitted = answers.filter(({ allowed }) => allowed).length
      const atOnce = subject.atOnce(most, nodes)
      if (admitted > atOnce)
        return `${admitted} are admitted at ${burst.at - virtualEpoch} ms, where ${atOnce} may be at once`
      for (let i = 0; i < admitted; i += 1) trailing.add(burst.at)
      const inWindow = trailing.at(burst.at)
      if (inWindow > subject.trailing(most, nodes))
        return `${inWindow} are admitted in the window that ends at ${burst.at - virtualEpoch} ms`
    }
    return undefined
  },
})

/** A compatible algorithm on several nodes. `local` is divided among them if the store supports it. */
export function sharedRate(
  algorithm: Extract<RateAlgorithm, 'local' | 'rolling' | 'fixed'>,
  open: (nodes: number) => Promise<{
    readonly counters: readonly CounterStore[]
    readonly name: string
    moveTo(at: Millis): Maybe<void>
  }>,
): SharedSubject {
  const shares = algorithm === 'local' ? (most: number, nodes: number) => most + nodes - 1 : (most: number) => most
  return {
    name: `${algorithm}, several nodes`,
    atOnce: shares,
    trailing: (most, nodes) => (algorithm === 'rolling' ? most : 2 * shares(most, nodes)),
    async make({ rate, per }, nodes) {
      const { counters, name, moveTo } = await open(nodes)
      const limit = { algorithm, rate, per, smoothing: undefined, oneLess: false }
      return {
        async ask(node, at) {
          await moveTo(at)
          return consumeRate(counters[node % counters.length] as CounterStore, name, limit, 1)
        },
      }
    },
  }
}
