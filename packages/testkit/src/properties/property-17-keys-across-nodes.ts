/**
 * Property 17 over several nodes that hear each other, or do not for a while: what a node remembers of a key may outlive its
 * removal elsewhere by a stated time, and only where the message about it was lost.
 */
import type { Millis } from '@turnpike/core'
import fc from 'fast-check'
import { makeProperty } from './property.ts'

/** Nodes, and one key that none of them knows. */
export interface KeyNodesUnderTest {
  put(node: number): Promise<void>
  /** Settles when the removal is acknowledged. */
  remove(node: number): Promise<void>
  admits(node: number): Promise<boolean>
  setDeaf(node: number, isDeaf: boolean): void
  /** Settles when what was told until now has come to those that hear. */
  heard(): Promise<void>
  wait(ms: Millis): Promise<void>
}

export interface KeyNodesSubject {
  readonly name: string
  /** For how long who did not hear of a removal may still admit the key. */
  readonly boundMs: Millis
  make(nodes: number): Promise<KeyNodesUnderTest>
}

type Step =
  | { readonly kind: 'put' | 'remove' | 'ask'; readonly node: number }
  | { readonly kind: 'deaf'; readonly node: number; readonly isDeaf: boolean }
  | { readonly kind: 'wait'; readonly ms: Millis }

const node = fc.nat(3)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constantFrom('put', 'remove', 'ask', 'ask', 'ask'), node }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deaf' as const), node, isDeaf: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 3000, 9999, 10_001) }),
  },
)

export const keysAcrossNodesProperty = makeProperty<
  KeyNodesSubject,
  { readonly nodes: number; readonly steps: readonly Step[] }
>({
  number: 17,
  name: 'keys of several nodes',
  statement:
    'A removed key admits nothing that starts after the answer, on any node that hears of it, and on no other after the stated time.',
  cases: fc.record({ nodes: fc.integer({ min: 2, max: 4 }), steps: fc.array(step, { minLength: 2, maxLength: 20 }) }),
  requestsOf: ({ steps }) => steps.length,
  show: ({ nodes, steps }) =>
    [
      `  ${nodes} nodes`,
      ...steps.map((one) => {
        if (one.kind === 'wait') return `  ${one.ms} ms pass`
        const what = one.kind === 'deaf' ? (one.isDeaf ? 'is deaf' : 'hears') : `${one.kind}s`
        return `  node ${one.node % nodes} ${what}`
      }),
    ].join('\n'),
  async check(subject, { nodes, steps }) {
    const underTest = await subject.make(nodes)
    const deaf = new Set<number>()
    // Until when each node may take the key for one that is there.
    const until = Array.from({ length: nodes }, () => Number.NEGATIVE_INFINITY)
    let isThere = false
    let now = 0
    for (const [index, one] of steps.entries()) {
      if (one.kind === 'wait') {
        await underTest.wait(one.ms)
        now += one.ms
        continue
      }
      const by = one.node % nodes
      if (one.kind === 'deaf') {
        if (one.isDeaf) deaf.add(by)
        else deaf.delete(by)
        underTest.setDeaf(by, one.isDeaf)
      } else if (one.kind === 'put') {
        await underTest.put(by)
        isThere = true
        if (!(await underTest.admits(by))) return `in step ${index} node ${by} refuses the key that it was just given`
      } else if (one.kind === 'remove') {
        await underTest.remove(by)
        if (isThere && (await underTest.admits(by)))
          return `in step ${index} node ${by} admits the key that it just removed`
        await underTest.heard()
        if (isThere) {
          for (const each of until.keys()) if (each !== by && deaf.has(each)) until[each] = now + subject.boundMs
          until[by] = Number.NEGATIVE_INFINITY
        }
        for (const each of until.keys()) if (!deaf.has(each)) until[each] = Number.NEGATIVE_INFINITY
        isThere = false
      } else if ((await underTest.admits(by)) && !isThere && now >= (until[by] ?? 0)) {
        return `in step ${index} node ${by} admits the key, which is removed`
      }
    }
    return undefined
  },
})
