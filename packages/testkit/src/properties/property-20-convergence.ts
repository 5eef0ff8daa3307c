/**
 * Property 20 on one store with its signals: any engine of a group may reload the group, and nodes may be disconnected for
 * some time. @turnpike/cluster-sim checks it on a network that loses, duplicates and reorders messages.
 * Source: docs/reference/cluster-messages.md#group-reload.
 */
import type { Millis } from '@turnpike/core/lib'
import fc from 'fast-check'
import { makeProperty } from './property.ts'
import type { ConnectedNodes } from './subjects/node-group.ts'

/** Nodes that have loaded version 1. */
export interface GroupUnderTest extends ConnectedNodes {
  /** Publishes this version of the definitions and reloads the group. */
  reloadGroup(node: number, version: number): Promise<void>
  /** Returns the versions that each node has served, in order. */
  served(): readonly (readonly number[])[]
}

export interface GroupSubject {
  readonly name: string
  /** Time after which a disconnected node serves the current version. */
  readonly boundMs: Millis
  make(nodes: number): Promise<GroupUnderTest>
}

type GroupStep =
  | { readonly kind: 'reload'; readonly node: number }
  | { readonly kind: 'disconnect'; readonly node: number; readonly isDisconnected: boolean }
  | { readonly kind: 'wait'; readonly ms: Millis }

interface GroupCase {
  readonly nodes: number
  readonly steps: readonly GroupStep[]
}

const node = fc.nat(3)
const step: fc.Arbitrary<GroupStep> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('reload' as const), node }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('disconnect' as const), node, isDisconnected: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 1000, 4999, 5000) }) },
)

export const groupReloadProperty = makeProperty<GroupSubject, GroupCase>({
  number: 20,
  isExpensive: true,
  name: 'reload convergence, one store',
  statement:
    'After a group reload is acknowledged, connected nodes serve the new version as soon as they receive the signal, disconnected nodes within the documented time, and no node returns to an older version.',
  cases: fc.record({
    nodes: fc.integer({ min: 1, max: 4 }),
    steps: fc.array(step, { minLength: 1, maxLength: 8 }),
  }),
  requestsOf: ({ nodes, steps }) => nodes * steps.filter(({ kind }) => kind === 'reload').length,
  show: ({ nodes, steps }) =>
    [
      `  ${nodes} nodes`,
      ...steps.map((one) => {
        if (one.kind === 'wait') return `  ${one.ms} ms pass`
        const name = `node ${one.node % nodes}`
        return one.kind === 'reload'
          ? `  ${name} reloads the group`
          : `  ${name} ${one.isDisconnected ? 'is disconnected' : 'is connected'}`
      }),
    ].join('\n'),
  async check(subject, { nodes, steps }) {
    const underTest = await subject.make(nodes)
    const disconnected = new Set<number>()
    let version = 1
    for (const [index, one] of steps.entries()) {
      if (one.kind === 'wait') await underTest.wait(one.ms)
      else if (one.kind === 'disconnect') {
        if (one.isDisconnected) disconnected.add(one.node % nodes)
        else disconnected.delete(one.node % nodes)
        underTest.setDisconnected(one.node % nodes, one.isDisconnected)
      } else {
        version += 1
        await underTest.reloadGroup(one.node % nodes, version)
        await underTest.signalsDelivered()
        const stale = staleNode(underTest, version, disconnected)
        if (stale !== undefined) return `in step ${index}, after all signals were delivered, ${stale}`
      }
    }
    await underTest.wait(subject.boundMs)
    return staleNode(underTest, version, new Set()) ?? regressedNode(underTest)
  },
})

function staleNode(underTest: GroupUnderTest, version: number, except: ReadonlySet<number>): string | undefined {
  const stale = underTest.served().findIndex((versions, node) => !except.has(node) && versions.at(-1) !== version)
  if (stale === -1) return undefined
  return `node ${stale} serves version ${underTest.served()[stale]?.at(-1)}, but the current version is ${version}`
}

function regressedNode(underTest: GroupUnderTest): string | undefined {
  const back = underTest
    .served()
    .findIndex((versions) => versions.some((version, i) => version < (versions[i - 1] ?? version)))
  return back === -1 ? undefined : `node ${back} returned to an older version: ${underTest.served()[back]?.join(', ')}`
}
