/** The suite of stores on a folder that several workers share: two stores of one process take turns. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Counter } from '@turnpike/core/ports'
import { makeVirtualClock } from '@turnpike/testkit'
import { storeSuite } from '@turnpike/testkit/suites/store-suite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type LmdbStore, makeLmdbStore, prepareSharedFolder } from '../store-lmdb.ts'

storeSuite('lmdb, shared by workers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-shared-'))
  const clock = makeVirtualClock()
  const path = join(folder, 'data')
  const unlock = await prepareSharedFolder({ path, clock })
  const store = await makeLmdbStore({ path, clock, worker: { slot: 1, sweeps: true } })
  return {
    store,
    pass: (ms) => clock.advance(ms),
    // A copy of the files simulates a killed process.
    async reopen() {
      const copy = join(folder, 'crashed')
      cpSync(path, copy, { recursive: true })
      await prepareSharedFolder({ path: copy, clock })
      return makeLmdbStore({ path: copy, clock, worker: { slot: 1, sweeps: true } })
    },
    async cleanup() {
      await store.close()
      unlock()
      rmSync(folder, { recursive: true, force: true })
    },
  }
})

const clock = makeVirtualClock()

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-shared-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'data')
}

/** Runs `act` with the stores of workers, and closes them. */
async function withWorkers<T>(path: string, count: number, act: (stores: LmdbStore[]) => Promise<T>): Promise<T> {
  const unlock = await prepareSharedFolder({ path, clock })
  const stores: LmdbStore[] = []
  try {
    for (let slot = 1; slot <= count; slot++) {
      stores.push(await makeLmdbStore({ path, clock, worker: { slot, sweeps: slot === 1 } }))
    }
    return await act(stores)
  } finally {
    for (const store of stores) await store.close()
    unlock()
  }
}

const quota = { max: 100, renewalSeconds: 3600 }
const counterOf = (subject: string, limits: Partial<Counter> = {}): Counter => ({
  ...{ subject, kind: 'key', scope: '', endpoint: '', id: subject, generation: '1' },
  ...{ rate: undefined, quota, ...limits },
})
const usedIn = async (store: LmdbStore, subject: string) => (await store.counters.readQuota(counterOf(subject)))?.used

describe('workers on one folder', () => {
  it('admit exactly a rate and a quota together', async () => {
    const rate = { algorithm: 'rolling', rate: 30, per: 60, smoothing: undefined, oneLess: false } as const
    const admitted = await withWorkers(makeFolder(), 2, async (stores) => {
      const results = []
      for (let i = 0; i < 100; i++) {
        for (const store of stores) {
          results.push(store.counters.consume(counterOf('a', { quota: { max: 20, renewalSeconds: 60 }, rate }), 1))
          if (i % 7 === 0) await new Promise(setImmediate)
        }
      }
      const settled = await Promise.all(results)
      return [
        settled.filter(({ rate }) => rate?.allowed).length,
        settled.filter(({ rate, quota }) => rate?.allowed && quota?.allowed).length,
      ]
    })
    expect(admitted).toEqual([30, 20])
  })

  it('hand a code to one of them', async () => {
    const taken = await withWorkers(makeFolder(), 2, async ([first, second]) => {
      await first?.records.put('code', 'token')
      return Promise.all([first?.records.take('code'), second?.records.take('code')])
    })
    expect(taken.filter((text) => text === 'token').length).toBe(1)
  })

  it('keep rates and quotas while the machine runs', async () => {
    const path = makeFolder()
    const rate = { algorithm: 'local', rate: 3, per: 60, smoothing: undefined, oneLess: false } as const
    const consume = (store: LmdbStore | undefined) => store?.counters.consume(counterOf('a', { rate }), 1)
    await withWorkers(path, 1, async ([store]) => {
      await consume(store)
      await consume(store)
    })
    await withWorkers(path, 2, async ([, store]) => {
      expect((await consume(store))?.quota?.remaining).toBe(97)
      expect((await consume(store))?.rate?.allowed).toBe(false)
    })
  })

  it('restore the newest count of each quota from the logs of all workers', async () => {
    const path = makeFolder()
    await withWorkers(path, 2, async ([first, second]) => {
      await first?.counters.consume(counterOf('a'), 5)
      await second?.counters.consume(counterOf('a'), 2)
      await first?.counters.consume(counterOf('b'), 1)
      await second?.counters.consume(counterOf('b', { quota: { max: 9, renewalSeconds: 0 } }), 1)
      await first?.counters.consume(counterOf('c'), 4)
      await second?.counters.resetQuotas([counterOf('c')])
    })
    rmSync(join(path, 'counters', 'boot'))
    await withWorkers(path, 1, async ([store]) => {
      const used = await Promise.all(['a', 'b', 'c'].map((subject) => usedIn(store as LmdbStore, subject)))
      expect(used).toEqual([7, 2, undefined])
    })
  })

  it('build the environment again if it is damaged, and log it', async () => {
    const path = makeFolder()
    await withWorkers(path, 1, async ([store]) => void (await store?.counters.consume(counterOf('a'), 5)))
    const { writeFileSync } = await import('node:fs')
    writeFileSync(join(path, 'counters', 'data.mdb'), 'not a database')
    const lines: unknown[] = []
    const log = {
      debug() {},
      info() {},
      error() {},
      warn: (text: string, facts: unknown) => void lines.push([text, facts]),
    }
    const unlock = await prepareSharedFolder({ path, clock, log })
    unlock()
    expect(JSON.stringify(lines)).toMatch(/restored from the quota logs.*damaged/)
    await withWorkers(path, 1, async ([store]) => expect(await usedIn(store as LmdbStore, 'a')).toBe(5))
  })

  it('take over the quotas of one process, and it takes over theirs', async () => {
    const path = makeFolder()
    const alone = async (act: (store: LmdbStore) => Promise<void>) => {
      const store = await makeLmdbStore({ path, clock })
      await act(store).finally(() => store.close())
    }
    const count = async (store: LmdbStore | undefined) => void (await store?.counters.consume(counterOf('a'), 1))
    for (let round = 0; round < 2; round++) {
      await alone(count)
      await withWorkers(path, 2, async (stores) => {
        for (const store of stores) await count(store)
      })
    }
    await alone(async (store) => expect(await usedIn(store, 'a')).toBe(6))
  })

  it('lock the folder against another gateway', async () => {
    const path = makeFolder()
    const unlock = await prepareSharedFolder({ path, clock })
    await expect(makeLmdbStore({ path, clock })).rejects.toThrow('already open')
    unlock()
  })
})
