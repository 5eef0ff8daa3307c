/** The laws of counters and keys on LMDB, on virtual time. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '@turnpike/core'
import {
  engineKeys,
  expectLaw,
  fixedWindowLaw,
  headersLaw,
  keysLaw,
  makeVirtualClock,
  nonInterferenceLaw,
  noStarvationLaw,
  type QuotaSubject,
  quotaConservationLaw,
  type RateSubject,
  recordedRate,
  rollingLogLaw,
  simultaneousLaw,
  simultaneousQuota,
  simultaneousRate,
  travel,
  virtualEpoch,
} from '@turnpike/testkit'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { makeLmdbStore } from './store-lmdb.ts'

/** `LAWS_LONG` makes them ten times as long. */
const requests = process.env['LAWS_LONG'] === undefined ? 3_000 : 30_000
const clock = makeVirtualClock()
const folder = mkdtempSync(join(tmpdir(), 'turnpike-laws-'))
let store: Store
let fresh = 0

beforeAll(async () => {
  store = await makeLmdbStore({ path: join(folder, 'data'), clock })
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

/** One store for all cases, with names of their own. Each begins a day and more after all before it. */
const laterBy = () => ++fresh * 40 * 86_400_000

function rateOn(algorithm: 'local' | 'rolling' | 'sentinel' | 'fixed'): RateSubject {
  return {
    ...recordedRate(algorithm),
    make({ rate, per }) {
      const shift = laterBy()
      const name = `rate-${fresh}-`
      const limit = { algorithm, rate, per, smoothing: undefined, oneLess: false }
      return {
        async take(key, at, amount) {
          travel(clock, at + shift)
          const taken = await store.counters.take(name + key, limit, amount)
          return { ...taken, resetAt: taken.resetAt - shift }
        },
      }
    },
  }
}

const quotaOn: QuotaSubject = {
  name: 'quota',
  counted: 'all',
  make() {
    const shift = laterBy()
    const nameOf = (name: string) => `quota-${shift}-${name}`
    const back = <T extends { readonly renewsAt: number | undefined }>(answer: T): T => ({
      ...answer,
      renewsAt: answer.renewsAt === undefined ? undefined : answer.renewsAt - shift,
    })
    return {
      async spend(name, at, limit, amount) {
        travel(clock, at + shift)
        return back(await store.counters.spend(nameOf(name), limit, amount))
      },
      async read(name, at) {
        travel(clock, at + shift)
        const state = await store.counters.readQuota(nameOf(name))
        return state === undefined ? undefined : back(state)
      },
      async reset(name, at) {
        travel(clock, at + shift)
        await store.counters.resetQuotas([nameOf(name)])
      },
    }
  },
}

describe('laws on LMDB', { timeout: 120_000 }, () => {
  it('rolling log', () => expectLaw(rollingLogLaw, rateOn('rolling'), { requests }))
  it('fixed window', () => expectLaw(fixedWindowLaw, rateOn('fixed'), { requests }))
  it.each(['local', 'rolling', 'sentinel', 'fixed'] as const)('laws of every rate: %s', async (algorithm) => {
    for (const law of [noStarvationLaw, nonInterferenceLaw, headersLaw]) {
      await expectLaw(law, rateOn(algorithm), { requests })
    }
    await expectLaw(simultaneousLaw, simultaneousRate(rateOn(algorithm)), { requests })
  })
  it('quota conservation', () => expectLaw(quotaConservationLaw, quotaOn, { requests }))
  it('simultaneous quotas', () => expectLaw(simultaneousLaw, simultaneousQuota(quotaOn), { requests }))
  it('keys', async () => {
    clock.moveTo(virtualEpoch + laterBy())
    const keys = engineKeys('keys on LMDB', {
      hashKeys: true,
      hashFunction: 'sha256',
      store(memory) {
        const prefix = `case-${++fresh}-`
        const { sessions } = store
        return {
          ...memory,
          sessions: {
            get: (name) => sessions.get(prefix + name),
            put: (name, session) => sessions.put(prefix + name, session),
            remove: (name) => sessions.remove(prefix + name),
            list: async (start) => (await sessions.list(prefix + start)).map((name) => name.slice(prefix.length)),
          },
        }
      },
    })
    await expectLaw(keysLaw, keys, { requests: requests / 10 })
  })
})
