/** The part of the store suite about quota counters (spec/sessions-and-limits.md 5; properties 11 and 12). */
import type { QuotaLimit, Store } from '@turnpike/core'
import { expect, it } from 'vitest'
import { freshName, type MakeStore, withStore } from './store-suite.ts'

const hourly = (max: number): QuotaLimit => ({ max, renewalSeconds: 3600 })

export function quotaTests(make: MakeStore): void {
  it('lets max requests pass, tells what is left, and goes on counting what it refuses', async () => {
    await withStore(make, async ({ store: { counters } }) => {
      const name = freshName('count')
      const seen = []
      for (let i = 0; i < 4; i += 1) {
        const { allowed, remaining } = await counters.spend(name, hourly(2), 1)
        seen.push([allowed, remaining])
      }
      expect(seen).toEqual([
        [true, 1],
        [true, 0],
        [false, 0],
        [false, 0],
      ])
      expect((await counters.readQuota(name))?.used).toBe(4)
      expect(await counters.spend(name, hourly(10), 1)).toMatchObject({ allowed: true, remaining: 5 })
    })
  })

  it('looks without counting, and without beginning a period', async () => {
    await withStore(make, async ({ store: { counters } }) => {
      const name = freshName('look')
      expect(await counters.spend(name, hourly(1), 0)).toMatchObject({ allowed: true, remaining: 1 })
      expect(await counters.readQuota(name)).toBeUndefined()
      await counters.spend(name, hourly(1), 1)
      expect(await counters.spend(name, hourly(1), 0)).toMatchObject({ allowed: false, remaining: 0 })
      expect((await counters.readQuota(name))?.used).toBe(1)
    })
  })

  it('fixes the end of a period with its first request; refused ones do not put it off', async () => {
    await withStore(make, async ({ store: { counters }, pass }) => {
      const name = freshName('period')
      const limit = { max: 1, renewalSeconds: 2 }
      const first = await counters.spend(name, limit, 1)
      await pass(1000)
      const refused = await counters.spend(name, limit, 1)
      expect(refused.allowed).toBe(false)
      // A store may reckon the end from the time that is left, so a few milliseconds are nothing.
      expect(Math.abs((refused.renewsAt ?? 0) - (first.renewsAt ?? 0))).toBeLessThan(100)
      await pass(1200)
      expect(await counters.readQuota(name)).toBeUndefined()
      expect(await counters.spend(name, limit, 1)).toMatchObject({ allowed: true, remaining: 0 })
    })
  })

  it('never renews where no period is named, until one is', async () => {
    await withStore(make, async ({ store: { counters }, pass }) => {
      const name = freshName('never')
      const spent = await counters.spend(name, { max: 1, renewalSeconds: 0 }, 1)
      expect(spent).toEqual({ allowed: true, remaining: 0, renewsAt: undefined })
      await pass(1100)
      expect(await counters.spend(name, { max: 1, renewalSeconds: 0 }, 1)).toMatchObject({ allowed: false })
      expect(await counters.readQuota(name)).toEqual({ used: 2, renewsAt: undefined })
      expect(await counters.spend(name, hourly(1), 1)).toMatchObject({ allowed: true, remaining: 0 })
    })
  })

  it('begins anew after a reset; unknown names are fine', async () => {
    await withStore(make, async ({ store: { counters } }) => {
      const [first, second] = [freshName('reset'), freshName('reset')]
      await counters.spend(first, hourly(1), 1)
      await counters.spend(second, hourly(1), 1)
      await counters.resetQuotas([first, freshName('unknown'), second])
      expect(await counters.readQuota(first)).toBeUndefined()
      expect(await counters.spend(first, hourly(1), 1)).toMatchObject({ allowed: true })
      expect(await counters.spend(second, hourly(1), 1)).toMatchObject({ allowed: true })
      await counters.resetQuotas([])
    })
  })

  it('of n simultaneous requests on a fresh counter admits exactly min(n, max)', async () => {
    await withStore(make, async ({ store }) => {
      for (const [n, max] of [
        [40, 7],
        [5, 20],
        [30, 1],
      ] as const) {
        expect(await admittedAtOnce(store, n, max)).toBe(Math.min(n, max))
      }
    })
  })

  it('keeps counters apart by name', async () => {
    await withStore(make, async ({ store: { counters } }) => {
      const name = freshName('apart')
      await counters.spend(name, hourly(1), 1)
      expect(await counters.spend(`${name}x`, hourly(1), 1)).toMatchObject({ allowed: true })
      const rate = { algorithm: 'fixed', rate: 1, per: 3600, smoothing: undefined, oneLess: false } as const
      expect(await counters.take(name, rate, 1)).toMatchObject({ allowed: true })
    })
  })
}

async function admittedAtOnce({ counters }: Store, n: number, max: number): Promise<number> {
  const name = freshName('at-once')
  const spent = await Promise.all(Array.from({ length: n }, async () => counters.spend(name, hourly(max), 1)))
  return spent.filter(({ allowed }) => allowed).length
}
