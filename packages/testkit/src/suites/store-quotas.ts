/** The part of the store suite about quota counters (docs/reference/quotas.md#quota-counting; properties 11 and 12). */
import { counterKey, type QuotaLimit, type Store } from '@turnpike/core/ports'
import { expect } from 'vitest'
import { consumeQuota, consumeRate, plainCounter, quotaCounter } from '../properties/plain-counters.ts'
import { freshName, type StoreCases } from './store-case.ts'

const hourly = (max: number): QuotaLimit => ({ max, renewalSeconds: 3600 })

export const quotaCases: StoreCases = {
  'admits max requests, reports the remaining quota, and also counts rejected requests': async ({
    store: { counters },
  }) => {
    const name = freshName('count')
    const seen = []
    for (let i = 0; i < 4; i += 1) {
      const { allowed, remaining } = await consumeQuota(counters, name, hourly(2), 1)
      seen.push([allowed, remaining])
    }
    expect(seen).toEqual([
      [true, 1],
      [true, 0],
      [false, 0],
      [false, 0],
    ])
    expect((await counters.readQuota(plainCounter(name)))?.used).toBe(4)
    expect(await consumeQuota(counters, name, hourly(10), 1)).toMatchObject({ allowed: true, remaining: 5 })
  },
  'reads without counting and without starting a period': async ({ store: { counters } }) => {
    const name = freshName('look')
    expect(await consumeQuota(counters, name, hourly(1), 0)).toMatchObject({ allowed: true, remaining: 1 })
    expect(await counters.readQuota(plainCounter(name))).toBeUndefined()
    await consumeQuota(counters, name, hourly(1), 1)
    expect(await consumeQuota(counters, name, hourly(1), 0)).toMatchObject({ allowed: false, remaining: 0 })
    expect((await counters.readQuota(plainCounter(name)))?.used).toBe(1)
  },
  'fixes the end of a period with its first request; rejected ones do not delay it': async ({
    store: { counters },
    pass,
  }) => {
    const name = freshName('period')
    const limit = { max: 1, renewalSeconds: 2 }
    const first = await consumeQuota(counters, name, limit, 1)
    await pass(1000)
    const rejected = await consumeQuota(counters, name, limit, 1)
    expect(rejected.allowed).toBe(false)
    // A store may compute the end from the remaining time, so a difference of a few milliseconds is allowed.
    expect(Math.abs((rejected.renewsAt ?? 0) - (first.renewsAt ?? 0))).toBeLessThan(100)
    await pass(1200)
    expect(await counters.readQuota(plainCounter(name))).toBeUndefined()
    expect(await consumeQuota(counters, name, limit, 1)).toMatchObject({ allowed: true, remaining: 0 })
  },
  'never renews without a period, until one is set': async ({ store: { counters }, pass }) => {
    const name = freshName('never')
    const spent = await consumeQuota(counters, name, { max: 1, renewalSeconds: 0 }, 1)
    expect(spent).toEqual({ allowed: true, remaining: 0, renewsAt: undefined })
    await pass(1100)
    expect(await consumeQuota(counters, name, { max: 1, renewalSeconds: 0 }, 1)).toMatchObject({ allowed: false })
    expect(await counters.readQuota(plainCounter(name))).toEqual({ used: 2, renewsAt: undefined })
    expect(await consumeQuota(counters, name, hourly(1), 1)).toMatchObject({ allowed: true, remaining: 0 })
  },
  'starts from zero after a reset; a reset of an unknown name succeeds': async ({ store: { counters } }) => {
    const [first, second] = [freshName('reset'), freshName('reset')]
    await consumeQuota(counters, first, hourly(1), 1)
    await consumeQuota(counters, second, hourly(1), 1)
    await counters.resetQuotas([first, freshName('unknown'), second].map(plainCounter))
    expect(await counters.readQuota(plainCounter(first))).toBeUndefined()
    expect(await consumeQuota(counters, first, hourly(1), 1)).toMatchObject({ allowed: true })
    expect(await consumeQuota(counters, second, hourly(1), 1)).toMatchObject({ allowed: true })
    await counters.resetQuotas([])
  },
  'of n simultaneous requests on a fresh counter admits exactly min(n, max)': async ({ store }) => {
    for (const [n, max] of [
      [40, 7],
      [5, 20],
      [30, 1],
    ] as const) {
      expect(await admittedAtOnce(store, n, max)).toBe(Math.min(n, max))
    }
  },
  'counts each name separately': async ({ store: { counters } }) => {
    const name = freshName('apart')
    await consumeQuota(counters, name, hourly(1), 1)
    expect(await consumeQuota(counters, `${name}x`, hourly(1), 1)).toMatchObject({ allowed: true })
    expect(await consumeRate(counters, name, { ...rate, rate: 1 }, 1)).toMatchObject({ allowed: true })
  },
}

const rate = { algorithm: 'fixed', rate: 2, per: 2_592_000, smoothing: undefined, oneLess: false } as const

/** Rates and quotas of one counter. */
export const consumeCases: StoreCases = {
  'counts the quota only where the rate allows': async ({ store: { counters } }) => {
    const counter = { ...quotaCounter(freshName('both'), hourly(5)), rate }
    const results = []
    for (let i = 0; i < 3; i += 1) results.push(await counters.consume(counter, 1))
    expect(results).toMatchObject([
      { rate: { allowed: true }, quota: { allowed: true, remaining: 4 } },
      { rate: { allowed: true }, quota: { allowed: true, remaining: 3 } },
      { rate: { allowed: false }, quota: undefined },
    ])
    expect((await counters.readQuota(counter))?.used).toBe(2)
  },
  'reads both with amount 0, and counts nothing': async ({ store: { counters } }) => {
    const counter = { ...quotaCounter(freshName('look'), hourly(5)), rate }
    for (let i = 0; i < 3; i += 1) {
      expect(await counters.consume(counter, 0)).toMatchObject({ rate: { allowed: true }, quota: { remaining: 5 } })
    }
    expect(await counters.readQuota(counter)).toBeUndefined()
  },
  'returns no result for a limit that the counter does not have': async ({ store: { counters } }) => {
    const counter = { ...quotaCounter(freshName('one'), hourly(5)), rate }
    expect((await counters.consume({ ...counter, rate: undefined }, 1)).rate).toBeUndefined()
    expect((await counters.consume({ ...counter, quota: undefined }, 1)).quota).toBeUndefined()
  },
  'has one quota for all endpoints of a key, and a rate for each': async ({ store: { counters } }) => {
    const plain = { ...quotaCounter(freshName('endpoint'), hourly(5)), rate: { ...rate, rate: 1 } }
    const at = (endpoint: string) => ({ ...plain, endpoint, id: counterKey({ ...plain, endpoint }) })
    expect(await counters.consume(at('GET:/orders'), 1)).toMatchObject({
      rate: { allowed: true },
      quota: { remaining: 4 },
    })
    expect(await counters.consume(at('PUT:/orders'), 1)).toMatchObject({
      rate: { allowed: true },
      quota: { remaining: 3 },
    })
    expect(await counters.consume(plain, 1)).toMatchObject({ rate: { allowed: true }, quota: { remaining: 2 } })
    expect(await counters.consume(at('GET:/orders'), 1)).toMatchObject({ rate: { allowed: false }, quota: undefined })
    await counters.resetQuotas([plain])
    expect(await counters.consume(at('POST:/orders'), 1)).toMatchObject({ quota: { remaining: 4 } })
  },
  'keeps scopes, organisations and APIs of one name apart': async ({ store: { counters } }) => {
    const plain = { ...quotaCounter(freshName('kinds'), hourly(5)), rate: { ...rate, rate: 1 } }
    const scoped = { ...plain, scope: 'gold' }
    const api = { ...plain, kind: 'api', quota: undefined } as const
    for (const counter of [plain, scoped, api]) {
      const { rate: result, quota } = await counters.consume({ ...counter, id: counterKey(counter) }, 1)
      expect([result?.allowed, quota?.remaining]).toEqual([true, counter.quota === undefined ? undefined : 4])
    }
  },
  'starts a new window of the algorithm local when the key is rewritten, and keeps the quota': async ({
    store: { counters },
  }) => {
    const local = { ...rate, algorithm: 'local', rate: 1 } as const
    const before = { ...quotaCounter(freshName('generation'), hourly(5)), rate: local, generation: '1' }
    expect((await counters.consume(before, 1)).rate?.allowed).toBe(true)
    expect((await counters.consume(before, 1)).rate?.allowed).toBe(false)
    const after = await counters.consume({ ...before, generation: '2' }, 1)
    expect(after).toMatchObject({ rate: { allowed: true }, quota: { remaining: 3 } })
  },
}

async function admittedAtOnce({ counters }: Store, n: number, max: number): Promise<number> {
  const name = freshName('at-once')
  const spent = await Promise.all(Array.from({ length: n }, async () => consumeQuota(counters, name, hourly(max), 1)))
  return spent.filter(({ allowed }) => allowed).length
}
