/**
 * Property 20 on a store and its own signals: engines that have joined one group, reloads that any of them asks for, and nodes
 * that hear nothing for a while. A network that loses, doubles and reorders is in @turnpike/cluster-sim.
 */
import type { Millis } from '@turnpike/core'
import fc from 'fast-check'
import { makeProperty } from './property.ts'

/** Nodes that have loaded version 1. */
export interface GroupUnderTest {
  /** Puts this version where all nodes read, and asks for a reload of the group. */
  reloadGroup(node: number, version: number): Promise<void>
  /** A node hears nothing, or hears again. */
  setDeaf(node: number, isDeaf: boolean): void
  /** Settles when what was told until now has come to those that hear, and they have done what it asks for. */
  heard(): Promise<void>
  wait(ms: Millis): Promise<void>
  /** Versions that each node has served, in order. */
  served(): readonly (readonly number[])[]
}

export interface GroupSubject {
  readonly name: string
  /** Within this, also who heard nothing serves what all do. */
  readonly boundMs: Millis
  make(nodes: number): Promise<GroupUnderTest>
}

type GroupStep =
  | { readonly kind: 'reload'; readonly node: number }
  | { readonly kind: 'deaf'; readonly node: number; readonly isDeaf: boolean }
  | { readonly kind: 'wait'; readonly ms: Millis }

interface GroupCase {
  readonly nodes: number
  readonly steps: readonly GroupStep[]
}

const node = fc.nat(3)
const step: fc.Arbitrary<GroupStep> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('reload' as const), node }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('deaf' as const), node, isDeaf: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 1000, 4999, 5000) }) },
)

export const groupReloadProperty = makeProperty<GroupSubject, GroupCase>({
  number: 20,
  name: 'group reload',
  statement:
    'After a group reload is acknowledged, whoever hears serves the same as soon as he has heard, whoever does not within the stated time, and none goes back.',
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
        return one.kind === 'reload' ? `  ${name} reloads the group` : `  ${name} ${one.isDeaf ? 'is deaf' : 'hears'}`
      }),
    ].join('\n'),
  async check(subject, { nodes, steps }) {
    const underTest = await subject.make(nodes)
    const deaf = new Set<number>()
    let version = 1
    for (const [index, one] of steps.entries()) {
      if (one.kind === 'wait') await underTest.wait(one.ms)
      else if (one.kind === 'deaf') {
        if (one.isDeaf) deaf.add(one.node % nodes)
        else deaf.delete(one.node % nodes)
        underTest.setDeaf(one.node % nodes, one.isDeaf)
      } else {
        version += 1
        await underTest.reloadGroup(one.node % nodes, version)
        await underTest.heard()
        const behind = behindOf(underTest, version, deaf)
        if (behind !== undefined) return `in step ${index}, though all was heard, ${behind}`
      }
    }
    await underTest.wait(subject.boundMs)
    return behindOf(underTest, version, new Set()) ?? relapseOf(underTest)
  },
})

function behindOf(underTest: GroupUnderTest, version: number, except: ReadonlySet<number>): string | undefined {
  const behind = underTest.served().findIndex((versions, node) => !except.has(node) && versions.at(-1) !== version)
  if (behind === -1) return undefined
  return `node ${behind} serves version ${underTest.served()[behind]?.at(-1)}, where ${version} was asked for`
}

function relapseOf(underTest: GroupUnderTest): string | undefined {
  const back = underTest
    .served()
    .findIndex((versions) => versions.some((version, i) => version < (versions[i - 1] ?? version)))
  return back === -1 ? undefined : `node ${back} went back: ${underTest.served()[back]?.join(', ')}`
}
