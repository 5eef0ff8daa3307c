import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Session, type Store, sessionShape } from '@turnpike/core/ports'
import { consumeQuota, consumeRate, makeVirtualClock, plainCounter, type VirtualClock } from '@turnpike/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeLmdbStore } from './store-lmdb.ts'

let folder: string
let clock: VirtualClock
let store: Store
let copies = 0
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-disk-'))
  clock = makeVirtualClock()
  store = await makeLmdbStore({ path: join(folder, 'data'), clock })
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const session = (alias: string): Session => ({ ...sessionShape.zero(), alias })
const hourly = { max: 100, renewalSeconds: 3600 }

/** Opens a copy of the files, as a process would after this one was killed. */
async function afterCrash<T>(look: (store: Store) => Promise<T>): Promise<T> {
  const copy = join(folder, `copy-${copies++}`)
  cpSync(join(folder, 'data'), copy, { recursive: true })
  const second = await makeLmdbStore({ path: copy, clock })
  try {
    return await look(second)
  } finally {
    await second.close()
  }
}
const usedAfterCrash = (name: string) =>
  afterCrash(async ({ counters }) => (await counters.readQuota(plainCounter(name)))?.used)
// Disk writes take real time even with a virtual clock.
const written = () => new Promise((resolve) => setTimeout(resolve, 60))

describe('names', () => {
  const odd = [
    '',
    'ü✓',
    'a\0b',
    '\0',
    '\uffff',
    'x'.repeat(1900),
    'x'.repeat(1901),
    'x'.repeat(5000),
    `${'x'.repeat(5000)}y`,
  ]
  const broken = ['a\ud800', 'a\ud801', '\udc00']

  test('of any length and with any characters are distinct and listed', async () => {
    for (const name of [...odd, ...broken]) await store.sessions.put(name, session(name))
    for (const name of [...odd, ...broken]) {
      expect((await store.sessions.get(name)) !== undefined, JSON.stringify(name.slice(0, 20))).toBe(true)
    }
    for (const name of odd) expect((await store.sessions.get(name))?.session.alias).toBe(name)
    expect((await store.sessions.list('')).length).toBe(odd.length + broken.length)
    const long = odd.filter((name) => name.startsWith('x'.repeat(1901)))
    expect((await store.sessions.list('x'.repeat(1901))).sort()).toEqual(long.sort())
    for (const name of odd) expect(await store.sessions.remove(name)).toBe(true)
    expect((await store.sessions.list('')).length).toBe(broken.length)
  })

  test('a prefix with many thousand names is listed completely', async () => {
    const names = Array.from({ length: 3000 }, (_, i) => `many-${i}`)
    await Promise.all(names.map((name) => store.sessions.put(name, session(name))))
    await store.sessions.put('manx', session('manx'))
    await store.sessions.put('many', session('many'))
    expect((await store.sessions.list('many-')).length).toBe(3000)
    expect((await store.sessions.list('many')).length).toBe(3001)
  })
})

describe('sessions', () => {
  test('only one of two concurrent removals returns true', async () => {
    await store.sessions.put('key', session('a'))
    const results = await Promise.all(Array.from({ length: 10 }, () => store.sessions.remove('key')))
    expect(results.filter(Boolean)).toHaveLength(1)
  })

  test('changes of one name take effect in the order of the calls', async () => {
    const { sessions } = store
    await Promise.all([sessions.put('key', session('a')), sessions.remove('key'), sessions.put('key', session('b'))])
    expect((await sessions.get('key'))?.session.alias).toBe('b')
  })

  test('are removed from disk after their lifetime unless they were renewed', async () => {
    await store.sessions.put('short', session('a'), 1000)
    await store.sessions.put('renewed', session('a'), 1000)
    await store.sessions.put('renewed', session('b'))
    await clock.advance(600_000)
    for (let i = 0; i < 4; i++) {
      await written()
      await clock.advance(100)
    }
    // A clock set back shows what is still there.
    clock.set(clock.now() - 600_400)
    expect(await store.sessions.list('')).toEqual(['renewed'])
  })

  test('names of prototype members are allowed in free fields', async () => {
    const hostile = sessionShape.read(
      JSON.parse('{"meta_data":{"__proto__":{"polluted":1},"a":{"__proto__":{"x":1}}}}'),
      [],
      [],
    )
    await store.sessions.put('key', hostile)
    const found = await store.sessions.get('key')
    expect(found).toBeDefined()
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })
})

describe('records and lists', () => {
  test('are removed from disk after their lifetime', async () => {
    await store.records.put('short', 'text', 1000)
    await store.records.put('long', 'text', 10_000_000)
    await store.records.put('always', 'text')
    await clock.advance(600_000)
    for (let i = 0; i < 6; i++) {
      await written()
      await clock.advance(100)
    }
    // A clock set back shows what is still there.
    clock.set(clock.now() - 600_600)
    expect((await store.records.names('')).sort()).toEqual(['always', 'long'])
  })

  test('support names and texts with unpaired surrogates', async () => {
    const broken = ['a\ud800', 'a\ud801', '\udc00']
    for (const name of broken) {
      await store.records.put(name, name)
      await store.records.addMember(name, name, 1)
    }
    expect((await store.records.names('')).sort()).toEqual([...broken].sort())
    for (const name of broken) {
      expect(await store.records.get(name)).toBe(name)
      expect(await store.records.members(name)).toEqual([{ member: name, rank: 1 }])
    }
  })

  test('change in the order of the calls', async () => {
    const { records } = store
    await Promise.all([records.put('name', 'a'), records.remove('name'), records.put('name', 'b')])
    expect(await records.get('name')).toBe('b')
    await Promise.all([
      records.addMember('list', 'm', 1),
      records.pruneMembers('list', 1),
      records.addMember('list', 'm', 2),
    ])
    expect(await records.members('list')).toEqual([{ member: 'm', rank: 2 }])
  })
})

describe('quotas', () => {
  test('are on disk within a second, and completely after closing', async () => {
    for (let i = 0; i < 3; i++) await consumeQuota(store.counters, 'quota', hourly, 1)
    expect(await usedAfterCrash('quota')).toBeUndefined()
    await clock.advance(1000)
    await written()
    expect(await usedAfterCrash('quota')).toBe(3)
    await consumeQuota(store.counters, 'quota', hourly, 1)
    await store.close()
    expect(await usedAfterCrash('quota')).toBe(4)
  })

  test('continue after a restart, whichever operation is first', async () => {
    await consumeQuota(store.counters, 'quota', hourly, 40)
    await store.close()
    store = await makeLmdbStore({ path: join(folder, 'data'), clock })
    expect(await consumeQuota(store.counters, 'quota', hourly, 0)).toMatchObject({ allowed: true, remaining: 60 })
    expect((await store.counters.readQuota(plainCounter('quota')))?.used).toBe(40)
    expect(await consumeQuota(store.counters, 'quota', hourly, 1)).toMatchObject({ allowed: true, remaining: 59 })
    expect(await consumeQuota(store.counters, 'fresh', hourly, 1)).toMatchObject({ remaining: 99 })
  })

  test('that were reset stay reset, also if only the disk had them', async () => {
    await consumeQuota(store.counters, 'quota', hourly, 40)
    await store.close()
    store = await makeLmdbStore({ path: join(folder, 'data'), clock })
    await store.counters.resetQuotas([plainCounter('quota')])
    expect(await store.counters.readQuota(plainCounter('quota'))).toBeUndefined()
    expect(await consumeQuota(store.counters, 'quota', hourly, 1)).toMatchObject({ remaining: 99 })
    await store.counters.resetQuotas([plainCounter('quota')])
    await clock.advance(1000)
    await written()
    expect(await store.counters.readQuota(plainCounter('quota'))).toBeUndefined()
    expect(await usedAfterCrash('quota')).toBeUndefined()
    expect(await consumeQuota(store.counters, 'quota', hourly, 1)).toMatchObject({ remaining: 99 })
  })

  test('whose period has ended start again', async () => {
    await consumeQuota(store.counters, 'quota', { max: 5, renewalSeconds: 10 }, 5)
    await store.close()
    await clock.advance(11_000)
    store = await makeLmdbStore({ path: join(folder, 'data'), clock })
    expect(await consumeQuota(store.counters, 'quota', { max: 5, renewalSeconds: 10 }, 1)).toMatchObject({
      remaining: 4,
    })
  })

  test('of ten thousand keys that change together are all written', async () => {
    for (let i = 0; i < 10_000; i++) await consumeQuota(store.counters, `quota-${i}`, hourly, i + 1)
    await store.close()
    store = await makeLmdbStore({ path: join(folder, 'data'), clock })
    for (let i = 0; i < 10_000; i += 501)
      expect((await store.counters.readQuota(plainCounter(`quota-${i}`)))?.used).toBe(i + 1)
  })

  test('have their last count, also if their log was rewritten concurrently', async () => {
    // Long names, so that some counters make a long log.
    const nameOf = (i: number) => `quota-${i}-${'x'.repeat(1500)}`
    const count = 3000
    for (let round = 0; round < 4; round++) {
      for (let i = 0; i < count; i++) await consumeQuota(store.counters, nameOf(i), hourly, 1)
      await store.counters.resetQuotas([plainCounter(nameOf(round))])
      await clock.advance(1000)
      for (let i = 0; i < 10; i++) await written()
      // Counted while the log may be rewritten.
      await consumeQuota(store.counters, 'late', hourly, 1)
    }
    await store.close()
    store = await makeLmdbStore({ path: join(folder, 'data'), clock })
    const used = async (name: string) => (await store.counters.readQuota(plainCounter(name)))?.used
    expect([await used(nameOf(0)), await used(nameOf(1)), await used(nameOf(2))]).toEqual([3, 2, 1])
    expect([await used(nameOf(3)), await used(nameOf(4)), await used('late')]).toEqual([undefined, 4, 4])
    for (let i = 4; i < count; i += 97) expect(await used(nameOf(i))).toBe(4)
  })

  test('rate windows end with the process', async () => {
    const limit = { algorithm: 'rolling', rate: 1, per: 60, smoothing: undefined, oneLess: false } as const
    expect((await consumeRate(store.counters, 'rate', limit, 1)).allowed).toBe(true)
    expect((await consumeRate(store.counters, 'rate', limit, 1)).allowed).toBe(false)
    expect(await afterCrash(async ({ counters }) => (await consumeRate(counters, 'rate', limit, 1)).allowed)).toBe(true)
  })
})

test('a closed store reports that it is closed', async () => {
  expect(await store.check()).toEqual({ ok: true })
  await store.close()
  await store.close()
  expect(await store.check()).toMatchObject({ ok: false })
})
