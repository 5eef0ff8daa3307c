/** The test suite for implementations of the port `Signals`: every node, including the sender, asynchronously receives every signal. */
import type { Signal, Signals } from '@turnpike/core/ports'
import { describe, expect, vi } from 'vitest'
import { declareCases } from './store-case.ts'

/** The signals of two nodes in one group. Both may be the same object. */
export interface SignalsUnderTest {
  readonly first: Signals
  readonly second: Signals
  /** Resolves when all published signals have arrived. */
  arrive(): Promise<void>
  cleanup(): Promise<void>
}

/** Declares the suite under the adapter's name. */
export function signalsSuite(name: string, make: () => Promise<SignalsUnderTest>): void {
  describe(`signals: ${name}`, () => {
    declareCases(make, {
      'delivers every kind of signal to every subscriber, including the sender': async ({ first, second, arrive }) => {
        const sent: Signal[] = [
          { kind: 'reload' },
          { kind: 'key-changed', storedName: 'org1"key\n' },
          { kind: 'org-changed', orgId: 'org1' },
          { kind: 'cache-invalidated', apiId: 'api-1' },
        ]
        const received: Signal[][] = [[], [], []]
        first.subscribe((signal) => received[0]?.push(signal))
        second.subscribe((signal) => received[1]?.push(signal))
        second.subscribe((signal) => received[2]?.push(signal))
        await arrive()
        for (const signal of sent) await first.publish(signal)
        await arrive()
        for (const signals of received) {
          expect(signals).toHaveLength(sent.length)
          expect(signals).toEqual(expect.arrayContaining(sent))
        }
      },
      'delivers asynchronously': async ({ first, arrive }) => {
        const listener = vi.fn()
        first.subscribe(listener)
        await arrive()
        const published = first.publish({ kind: 'reload' })
        expect(listener).not.toHaveBeenCalled()
        await published
        await arrive()
        expect(listener).toHaveBeenCalledTimes(1)
      },
      'stops delivery for the cancelled subscription only': async ({ first, second, arrive }) => {
        const listener = vi.fn()
        const stop = second.subscribe(listener)
        second.subscribe(listener)
        await arrive()
        stop()
        stop()
        await first.publish({ kind: 'reload' })
        await arrive()
        expect(listener).toHaveBeenCalledTimes(1)
      },
      'delivers to other listeners if one throws': async ({ first, arrive }) => {
        const listener = vi.fn()
        first.subscribe(() => {
          throw new Error('a bug in a listener')
        })
        first.subscribe(listener)
        await arrive()
        await first.publish({ kind: 'reload' })
        await arrive()
        expect(listener).toHaveBeenCalledTimes(1)
      },
    })
  })
}
