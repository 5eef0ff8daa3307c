/**
 * Property 17 over several nodes that may be disconnected for some time: a cached key may outlive its removal on another
 * node by a documented time, and only if the signal about the removal was lost.
 */
import type { Millis } from '@turnpike/core/lib'
import fc from 'fast-check'
import { makeProperty } from './property.ts'
import type { ConnectedNodes } from './subjects/node-group.ts'

/** Nodes, and one key that does not exist yet. */
export interface KeyNodesUnderTest extends ConnectedNodes {
  put(node: number): Promise<void>
  /** Resolves when the removal is acknowledged. */
  remove(node: number): Promise<void>
  admits(node: number): Promise<boolean>
}

export interface KeyNodesSubject {
  readonly name: string
  /** Time for which a disconnected node may still admit a removed key. */
  readonly boundMs: Millis
  make(nodes: number): Promise<KeyNodesUnderTest>
}

type Step =
  | { readonly kind: 'put' | 'remove' | 'request'; readonly node: number }
  | { readonly kind: 'disconnect'; readonly node: number; readonly isDisconnected: boolean }
  | { readonly kind: 'wait'; readonly ms: Millis }

const node = fc.nat(3)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constantFrom('put', 'remove', 'request', 'request', 'request'), node }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('disconnect' as const), node, isDisconnected: fc.boolean() }) },
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
  isExpensive: true,
  name: 'lifetime of keys, several nodes',
  statement:
    'After a removal is acknowledged, no connected node admits a new request with the key, and no disconnected node does so after the documented time.',
  cases: fc.record({ nodes: fc.integer({ min: 2, max: 4 }), steps: fc.array(step, { minLength: 2, maxLength: 20 }) }),
  requestsOf: ({ steps }) => steps.length,
  show: ({ nodes, steps }) =>
    [
      `  ${nodes} nodes`,
      ...steps.map((one) => {
        if (one.kind === 'wait') return `  ${one.ms} ms pass`
        const what =
          one.kind === 'disconnect' ? (one.isDisconnected ? 'is disconnected' : 'is connected') : `${one.kind}s`
        return `  node ${one.node % nodes} ${what}`
      }),
    ].join('\n'),
  async check(subject, { nodes, steps }) {
    const underTest = await subject.make(nodes)
    const disconnected = new Set<number>()
    // The instant until which each node may still admit the key.
    const admitsUntil = Array.from({ length: nodes }, () => Number.NEGATIVE_INFINITY)
    let exists = false
    let now = 0
    for (const [index, one] of steps.entries()) {
      if (one.kind === 'wait') {
        await underTest.wait(one.ms)
        now += one.ms
        continue
      }
      const by = one.node % nodes
      if (one.kind === 'disconnect') {
        if (one.isDisconnected) disconnected.add(by)
        else disconnected.delete(by)
        underTest.setDisconnected(by, one.isDisconnected)
      } else if (one.kind === 'put') {
        await underTest.put(by)
        exists = true
        if (!(await underTest.admits(by))) return `in step ${index} node ${by} rejects the key that it was just given`
      } else if (one.kind === 'remove') {
        await underTest.remove(by)
        if (exists && (await underTest.admits(by)))
          return `in step ${index} node ${by} admits the key that it just removed`
        await underTest.signalsDelivered()
        if (exists) {
          for (const each of admitsUntil.keys())
            if (each !== by && disconnected.has(each)) admitsUntil[each] = now + subject.boundMs
          admitsUntil[by] = Number.NEGATIVE_INFINITY
        }
        for (const each of admitsUntil.keys()) if (!disconnected.has(each)) admitsUntil[each] = Number.NEGATIVE_INFINITY
        exists = false
      } else if ((await underTest.admits(by)) && !exists && now >= (admitsUntil[by] ?? 0)) {
        return `in step ${index} node ${by} admits the key after its removal`
      }
    }
    return undefined
  },
})
