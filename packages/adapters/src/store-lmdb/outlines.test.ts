import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeMemoryCounters, namingOf, type Session, type SessionOutline, sessionShape, ticketOf } from '@turnpike/core'
import { makeVirtualClock } from '@turnpike/testkit'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeLmdbSessions } from './lmdb-sessions.ts'
import { type OpenDatabase, openDatabase } from './open-database.ts'
import { OutlineIndex } from './outline-index.ts'
import { rowBytes } from './outline-row.ts'
import { makeSessionKinds } from './session-kinds.ts'
import { packSession } from './session-record.ts'

let folder: string
let database: OpenDatabase
const clock = makeVirtualClock()
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-outlines-'))
  database = openDatabase(folder)
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const sessions = () => makeLmdbSessions(database.sessions, clock)
const session = (fields: Partial<Session>): Session => ({
  ...sessionShape.zero(),
  lastUpdated: '1700000000',
  ...fields,
})

describe('a session in outline', () => {
  test('tells what the session tells, from memory as from the disk', async () => {
    const written = sessions()
    const all = {
      plain: session({ expires: 5, quotaRenews: 7, rate: 3, alias: 'a' }),
      never: session({ lastUpdated: '' }),
      odd: session({ lastUpdated: '017' }),
      words: session({ lastUpdated: 'yesterday ✓' }),
      'ü✓': session({ quotaMax: 9 }),
      ['x'.repeat(3000)]: session({ quotaMax: 9 }),
    }
    for (const [name, one] of Object.entries(all)) await written.put(name, one, 60_000)
    const fresh = sessions()
    const stop = fresh.startFilling()
    await new Promise((resolve) => setTimeout(resolve, 20))
    stop()
    for (const [name, one] of Object.entries(all)) {
      // Twice: the first may come from the disk and be taken in.
      for (const read of [written, written, fresh, fresh]) {
        const outline = await read.outline?.(name)
        expect(outline).toMatchObject({
          expires: one.expires,
          quotaRenews: one.quotaRenews,
          lastUpdated: one.lastUpdated,
          goneAt: clock.now() + 60_000,
        })
        expect(outline?.whole()).toEqual(one)
        expect([outline?.common?.rate, outline?.common?.quotaMax]).toEqual([one.rate, one.quotaMax])
      }
    }
  })

  test('is what was written last, however writes and questions meet', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            name: fc.constantFrom('a', 'b'),
            verb: fc.constantFrom('put', 'put', 'remove', 'ask', 'settle'),
          }),
          { maxLength: 12 },
        ),
        async (steps) => {
          const store = sessions()
          for (const name of ['a', 'b']) await store.remove(name)
          const last = new Map<string, number>()
          let pending: unknown[] = []
          let version = 0
          for (const { name, verb } of steps) {
            if (verb === 'put') pending.push(store.put(name, session({ expires: ++version })))
            if (verb === 'put') last.set(name, version)
            if (verb === 'remove') pending.push(store.remove(name))
            if (verb === 'remove') last.delete(name)
            if (verb === 'ask') store.outline?.(name)
            if (verb === 'settle') {
              await Promise.all(pending)
              pending = []
              for (const key of ['a', 'b']) expect((await store.outline?.(key))?.expires).toBe(last.get(key))
            }
          }
          await Promise.all(pending)
          for (const key of ['a', 'b']) expect((await store.outline?.(key))?.expires).toBe(last.get(key))
        },
      ),
      { numRuns: 25 },
    )
  })

  test('ends with the lifetime of the session', async () => {
    const store = sessions()
    await store.put('key', session({}), 1000)
    expect(await store.outline?.('key')).toBeDefined()
    await clock.advance(1000)
    expect(await store.outline?.('key')).toBeUndefined()
    await store.put('key', session({}))
    expect(await store.outline?.('key')).toBeDefined()
  })
})

test('the index takes no more room than it was given, and gives it back', () => {
  const kinds = makeSessionKinds()
  const index = new OutlineIndex({ kinds, readWhole: () => undefined, seed: 1, maxBytes: 3 * rowBytes })
  const record = packSession(session({}), undefined, undefined)
  for (const name of ['a', 'b', 'c', 'd']) index.learn(name, record, record.length)
  expect(index.size).toBe(3)
  index.drop('b')
  index.learn('d', record, record.length)
  expect([index.size, index.find('b'), index.find('d') >= 0]).toEqual([3, -1, true])
})

test('an index that knew how many names there are tells each of them, and takes no more room either', () => {
  const record = packSession(session({}), undefined, undefined)
  const count = 10_000
  const index = (maxBytes: number, expected: number) =>
    new OutlineIndex({ kinds: makeSessionKinds(), readWhole: () => undefined, seed: 1, maxBytes, expected })
  const roomy = index(10 * 2 ** 20, count)
  // Of three million bytes half are set aside, so most of the second half is left for those that are not at home.
  const tight = index(3_200_000, 1_000_000)
  for (let i = 0; i < 3 * count; i++) {
    if (i < count) roomy.learn(`key${i}`, record, record.length)
    tight.learn(`key${i}`, record, record.length)
  }
  expect(roomy.size).toBe(count)
  expect(tight.size).toBeLessThanOrEqual(3_200_000 / rowBytes)
  expect(tight.size).toBeGreaterThan((3_200_000 / rowBytes) * 0.85)
  for (let i = 0; i < count; i++)
    expect(roomy.read(roomy.find(`key${i}`), `key${i}`, clock)?.lastUpdated).toBe('1700000000')
  for (let i = 0; i < count; i += 2) roomy.drop(`key${i}`)
  for (let i = 0; i < count; i++) expect(roomy.find(`key${i}`) >= 0).toBe(i % 2 === 1)
})

test('long names have room where more are expected than there is room for', () => {
  const kinds = makeSessionKinds()
  const index = new OutlineIndex({
    kinds,
    readWhole: () => undefined,
    seed: 1,
    maxBytes: 4_000_000,
    expected: 1_000_000,
  })
  const record = packSession(session({}), undefined, undefined)
  const nameOf = (i: number) => `${'x'.repeat(120)}${i}`
  for (let i = 0; i < 5000; i++) index.learn(nameOf(i), record, record.length)
  expect(index.size).toBe(5000)
  expect(index.find(nameOf(4999))).toBeGreaterThanOrEqual(0)
})

test('a name that is being written is not taken in', () => {
  const index = new OutlineIndex({ kinds: makeSessionKinds(), readWhole: () => undefined, seed: 1 })
  const record = packSession(session({}), undefined, undefined)
  index.learn('a', record, record.length)
  expect([index.beginWrite('a'), index.beginWrite('a')]).toEqual([true, false])
  index.learn('a', record, record.length)
  expect(index.find('a')).toBe(-1)
  expect([index.endWrite('a'), index.endWrite('a')]).toEqual([false, true])
  index.learn('a', record, record.length)
  expect(index.find('a')).toBeGreaterThanOrEqual(0)
})

test('counters of a key lie in its row while it is held, and are counted on when it is not', () => {
  const index = new OutlineIndex({ kinds: makeSessionKinds(), readWhole: () => undefined, seed: 1 })
  const counters = makeMemoryCounters({ clock, sweep: false, keyRows: index.rows })
  const record = packSession(session({}), undefined, undefined)
  const outlineOf = (name: string) => index.read(index.find(name), name, clock)
  const quota = { max: 10, renewalSeconds: 0 }
  const spend = (name: string, outline: SessionOutline | undefined) => {
    const { places } = outline ?? {}
    return counters.spend(`quota-${name}`, quota, 1, places, ticketOf(places?.stay ?? 0, namingOf('', ''))).remaining
  }
  for (const name of ['a', 'b']) index.learn(name, record, record.length)
  const before = outlineOf('a')
  expect([spend('a', before), spend('a', outlineOf('a')), spend('b', outlineOf('b'))]).toEqual([9, 8, 9])
  expect(outlineOf('a')?.places?.stay).toBe(before?.places?.stay)
  index.drop('a')
  if (before !== undefined) before.askedAt = 7
  // Its row is another key's now.
  index.learn('c', record, record.length)
  expect(outlineOf('c')?.places?.row).toBe(before?.places?.row)
  expect([outlineOf('c')?.askedAt, outlineOf('c')?.places?.stay === before?.places?.stay]).toEqual([0, false])
  expect([spend('a', before), spend('c', outlineOf('c'))]).toEqual([7, 9])
  index.learn('a', record, record.length)
  expect([spend('a', before), spend('a', outlineOf('a')), spend('a', undefined)]).toEqual([6, 5, 4])
  expect([spend('b', outlineOf('b')), spend('c', undefined)]).toEqual([8, 8])
})
