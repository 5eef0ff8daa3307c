/** The part of the store suite about rate counters (docs/reference/rate-limits.md#rate-limit-scopes; property 12). */
import type { RateAlgorithm, RateLimit } from '@turnpike/core/ports'
import { expect } from 'vitest'
import { consumeRate, plainCounter } from '../properties/plain-counters.ts'
import { freshName, type StoreCases } from './store-case.ts'

/** A window of 30 days, aligned to the epoch. It is so long that tests practically never cross its edge. */
const longSeconds = 2_592_000

/** The cases of an algorithm. */
export function rateCases(algorithm: RateAlgorithm): StoreCases {
  const limit = (rate: number, per = longSeconds): RateLimit => ({
    algorithm,
    rate,
    per,
    smoothing: undefined,
    oneLess: false,
  })
  const isSentinel = algorithm === 'sentinel'
  const admitsOne = isSentinel || algorithm === 'local'
  return {
    'admits the rate and rejects the next request': async ({ store: { counters } }) => {
      const name = freshName('rate')
      const seen = []
      for (let i = 0; i < 4; i += 1) {
        const { allowed, remaining } = await consumeRate(counters, name, limit(3), 1)
        seen.push([allowed, remaining])
      }
      const remaining = isSentinel ? [0, 0, 0, 0] : [2, 1, 0, 0]
      expect(seen).toEqual([true, true, true, false].map((allowed, i) => [allowed, remaining[i]]))
    },
    'rounds a fractional rate down': async ({ store: { counters } }) => {
      const name = freshName('fraction')
      const allowed = []
      for (let i = 0; i < 3; i += 1) allowed.push((await consumeRate(counters, name, limit(2.7), 1)).allowed)
      expect(allowed).toEqual([true, true, false])
    },
    [`lets ${admitsOne ? 'one' : 'none'} pass at a rate below one`]: async ({ store: { counters } }) => {
      const name = freshName('below-one')
      const first = await consumeRate(counters, name, limit(0.5), 1)
      const second = await consumeRate(counters, name, limit(0.5), 1)
      expect([first.allowed, second.allowed]).toEqual([admitsOne, false])
    },
    'reads without counting': async ({ store: { counters } }) => {
      const name = freshName('look')
      for (let i = 0; i < 3; i += 1) expect((await consumeRate(counters, name, limit(1), 0)).allowed).toBe(true)
      expect((await consumeRate(counters, name, limit(1), 1)).allowed).toBe(true)
      expect((await consumeRate(counters, name, limit(1), 0)).allowed).toBe(false)
    },
    'admits again after its window': async ({ store: { counters }, pass }) => {
      const name = freshName('window')
      expect((await consumeRate(counters, name, limit(1, 1), 1)).allowed).toBe(true)
      await pass(1100)
      expect((await consumeRate(counters, name, limit(1, 1), 1)).allowed).toBe(true)
    },
    'counts each name separately': async ({ store: { counters } }) => {
      const name = freshName('apart')
      await consumeRate(counters, name, limit(1), 1)
      expect((await consumeRate(counters, `${name}x`, limit(1), 1)).allowed).toBe(true)
    },
    ...(algorithm === 'rolling' ? rollingCases(limit) : {}),
    ...(isSentinel ? sentinelCases(limit) : windowCases(limit)),
  }
}

type MakeLimit = (rate: number, per?: number) => RateLimit

const rollingCases = (limit: MakeLimit): StoreCases => ({
  'counts rejected requests, so a client that keeps calling stays blocked': async ({ store: { counters }, pass }) => {
    const name = freshName('keeps-calling')
    const ask = async () => (await consumeRate(counters, name, limit(1, 2), 1)).allowed
    expect(await ask()).toBe(true)
    await pass(1200)
    expect(await ask()).toBe(false)
    await pass(1200)
    expect(await ask()).toBe(false)
    await pass(2300)
    expect(await ask()).toBe(true)
  },
  'admits one request fewer with the sentinel option': async ({ store: { counters } }) => {
    const name = freshName('one-less')
    const oneLess = { ...limit(3), oneLess: true }
    const allowed = []
    for (let i = 0; i < 3; i += 1) allowed.push((await consumeRate(counters, name, oneLess, 1)).allowed)
    expect(allowed).toEqual([true, true, false])
  },
})

const sentinelCases = (limit: MakeLimit): StoreCases => ({
  'blocks for a whole period after the last allowed request, and admits again after unblock': async ({
    store: { counters },
  }) => {
    const [name, other] = [freshName('blocked'), freshName('blocked')]
    for (const counter of [name, other]) {
      expect((await consumeRate(counters, counter, limit(1), 1)).allowed).toBe(true)
      expect((await consumeRate(counters, counter, limit(1), 1)).allowed).toBe(false)
    }
    await counters.unblock([name, freshName('unknown')].map(plainCounter))
    expect((await consumeRate(counters, name, limit(1), 1)).allowed).toBe(true)
    expect((await consumeRate(counters, other, limit(1), 1)).allowed).toBe(false)
  },
})

const windowCases = (limit: MakeLimit): StoreCases => ({
  'of n simultaneous requests on a fresh counter admits exactly min(n, rate)': async ({ store: { counters } }) => {
    for (const [n, rate] of [
      [40, 7],
      [5, 20],
      [30, 1],
    ] as const) {
      const name = freshName('at-once')
      const taken = await Promise.all(
        Array.from({ length: n }, async () => consumeRate(counters, name, limit(rate), 1)),
      )
      expect(taken.filter(({ allowed }) => allowed).length).toBe(Math.min(n, rate))
    }
  },
  'still rejects after unblock': async ({ store: { counters } }) => {
    const name = freshName('not-blocked')
    await consumeRate(counters, name, limit(1), 1)
    await counters.unblock([plainCounter(name)])
    expect((await consumeRate(counters, name, limit(1), 1)).allowed).toBe(false)
  },
})
