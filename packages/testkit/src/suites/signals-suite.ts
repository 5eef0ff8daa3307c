/** What every `Signals` must do: all nodes hear all signals, the sender included, after it has gone on with its work. */
import type { Signal, Signals } from '@turnpike/core'
import { describe, expect, it } from 'vitest'

/** Two nodes of one group; where they are one object, it is tested against itself. */
export interface SignalsUnderTest {
  readonly first: Signals
  readonly second: Signals
  /** Resolves when what was published has had time to arrive. */
  arrive(): Promise<void>
  cleanup(): Promise<void>
}

/** Declares the suite under the adapter's name. */
export function signalsSuite(name: string, make: () => Promise<SignalsUnderTest>): void {
  const withSignals = async (test: (underTest: SignalsUnderTest) => Promise<void>) => {
    const underTest = await make()
    try {
      await test(underTest)
    } finally {
      await underTest.cleanup()
    }
  }

  describe(`signals: ${name}`, () => {
    it('carries every kind of signal to every subscriber, the sender included', async () => {
      await withSignals(async ({ first, second, arrive }) => {
        const sent: Signal[] = [
          { kind: 'reload' },
          { kind: 'key-changed', storedName: 'org1"key\n' },
          { kind: 'org-changed', orgId: 'org1' },
          { kind: 'cache-invalidated', apiId: 'api-1' },
        ]
        const heard: Signal[][] = [[], [], []]
        first.subscribe((signal) => heard[0]?.push(signal))
        second.subscribe((signal) => heard[1]?.push(signal))
        second.subscribe((signal) => heard[2]?.push(signal))
        await arrive()
        for (const signal of sent) await first.publish(signal)
        await arrive()
        for (const signals of heard) {
          expect(signals).toHaveLength(sent.length)
          expect(signals).toEqual(expect.arrayContaining(sent))
        }
      })
    })

    it('delivers after the publisher has gone on', async () => {
      await withSignals(async ({ first, arrive }) => {
        let heard = 0
        first.subscribe(() => {
          heard += 1
        })
        await arrive()
        const published = first.publish({ kind: 'reload' })
        expect(heard).toBe(0)
        await published
        await arrive()
        expect(heard).toBe(1)
      })
    })

    it('is silent to who stopped listening, and only to them', async () => {
      await withSignals(async ({ first, second, arrive }) => {
        let heard = 0
        const listener = () => {
          heard += 1
        }
        const stop = second.subscribe(listener)
        second.subscribe(listener)
        await arrive()
        stop()
        stop()
        await first.publish({ kind: 'reload' })
        await arrive()
        expect(heard).toBe(1)
      })
    })

    it('lets a listener that throws keep nobody else from hearing', async () => {
      await withSignals(async ({ first, arrive }) => {
        let heard = 0
        first.subscribe(() => {
          throw new Error('a bug in a listener')
        })
        first.subscribe(() => {
          heard += 1
        })
        await arrive()
        await first.publish({ kind: 'reload' })
        await arrive()
        expect(heard).toBe(1)
      })
    })
  })
}
