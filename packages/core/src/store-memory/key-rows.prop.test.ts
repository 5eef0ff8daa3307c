import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Clock } from '../ports/clock.ts'
import type { RateLimit } from '../ports/rate-limit.ts'
import type { CounterPlaces } from '../ports/store.ts'
import { bucketUpdated, localRateName, makeCounterNames } from '../session/names/counter-names.ts'
import { namingOf, newStay, ticketOf } from '../session/names/counter-ticket.ts'
import { KeyRows, stayColumn, updatedColumn } from './key-rows.ts'
import { type MemoryCounters, makeMemoryCounters } from './memory-counters.ts'
import { unpackQuotas } from './quota-blob.ts'

const rate: RateLimit = { algorithm: 'local', rate: 3, per: 10, smoothing: undefined, oneLess: false }
const quota = { max: 4, renewalSeconds: 30 }
// Names that lose their dashes, that share counters with another key in another scope, that are wide and that are long.
const keys = ['a', 's-a', '-a', 'a-', 'ü', '✓', 'org-key-1', 'x'.repeat(70)]
const scopes = ['', 's', '✓', 'a-b']
const policies = ['', '1600000000', '1800000000']

const which = <T>(list: readonly T[]) => fc.nat(list.length - 1).map((at) => list[at] as T)
const ask = fc.record({
  kind: fc.constant('ask' as const),
  key: which(keys),
  scope: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 1, arbitrary: which(scopes) }),
  policiesUpdated: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 1, arbitrary: which(policies) }),
  amount: fc.constantFrom(1, 1, 1, 1, 0, 2),
  /** Which of the key's places are told: those of now, those that whoever asked before held, or none. */
  by: fc.constantFrom('row', 'row', 'row', 'row before', 'name', 'endpoint'),
})
const act = fc.record({
  kind: fc.constantFrom('remove', 'write', 'write in the same second', 'reset', 'take changes', 'give changes back'),
  key: which(keys),
  scope: which(scopes),
})
const wait = fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1000, 6000, 31_000, 200_000) })

/** A key as it is stored: its places stand for its names, in which is when it was written. */
interface Written {
  readonly updated: number
  readonly places: CounterPlaces
}

interface Key {
  now: Written | undefined
  before: Written | undefined
}

/** Rows as a store with an index of its keys has them. */
function makeKeys(rows: KeyRows) {
  const held = new Map(keys.map((name): [string, Key] => [name, { now: undefined, before: undefined }]))
  const of = (name: string) => held.get(name) as Key
  const remove = (name: string) => {
    const row = rows.find(name)
    if (row >= 0) rows.remove(row)
    const key = of(name)
    key.before = key.now ?? key.before
    key.now = undefined
  }
  const write = (name: string, updated: number) => {
    remove(name)
    rows.find(name)
    const row = rows.add(name)
    const stay = newStay()
    rows.setWhole(row, stayColumn, stay)
    rows.set(row, updatedColumn, updated)
    of(name).now = { updated, places: { row, rate: -1, quota: -1, stay } }
  }
  for (const [i, name] of keys.entries()) write(name, 1_700_000_000 + i)
  return { of, remove, write }
}

/** The log of quotas on a disk. */
function makeDisk({ quotas }: MemoryCounters) {
  let log: Uint8Array[] = []
  let last: Uint8Array[] = []
  return {
    take() {
      last = quotas.takeChanges()
      log.push(...last)
    },
    /** As if what was taken last had not been written. */
    giveBack() {
      log.splice(log.length - last.length)
      for (const blob of last) quotas.giveBack(blob)
      last = []
    },
    writeAnew() {
      log = []
      for (let from: number | undefined = 0; from !== undefined; ) {
        const slice: ReturnType<typeof quotas.slice> = quotas.slice(from, 3)
        log.push(slice.blob)
        from = slice.next
      }
    },
    /** Names that it tells. */
    names(): Set<string> {
      const names = new Set<string>()
      for (const blob of log) unpackQuotas(blob, (name) => names.add(name))
      return names
    },
    /** The counters that a start would find. */
    found(clock: Clock): MemoryCounters {
      const counters = makeMemoryCounters({ clock, sweep: false })
      for (const blob of log) expect(counters.quotas.putBack(blob, clock.now())).toBe(true)
      return counters
    },
  }
}

test('counters that lie in rows of keys count as those that lie by name', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 6, arbitrary: ask }, act, wait), { maxLength: 150 }), (steps) => {
      let now = 1_000_000
      const clock = { now: () => now, after: () => () => {}, breathe: () => Promise.resolve() }
      const rows = new KeyRows({ numbers: 1, whole: 1, letters: 60 })
      const near = makeMemoryCounters({ clock, sweep: false, keyRows: rows, onQuotaChanged: () => {} })
      const byName = makeMemoryCounters({ clock, sweep: false })
      const made = makeKeys(rows)
      const disk = makeDisk(near)
      const names = new Set<string>()
      for (const step of steps) {
        if (step.kind === 'wait') {
          now += step.ms
          for (const counters of [near, byName]) {
            for (const table of counters.sweepables) while (!table.sweepSlice(3, now)) {}
          }
          continue
        }
        const key = made.of(step.key)
        // Each is written before the first step.
        const latest = (key.now ?? key.before) as Written
        if (step.kind === 'remove') made.remove(step.key)
        if (step.kind === 'write') made.write(step.key, latest.updated + 1)
        if (step.kind === 'write in the same second') made.write(step.key, latest.updated)
        if (step.kind === 'take changes') disk.take()
        if (step.kind === 'give changes back') disk.giveBack()
        if (step.kind === 'reset') {
          const name = makeCounterNames(step.scope).quota(step.key)
          for (const counters of [near, byName]) counters.resetQuotas([name])
        }
        if (step.kind !== 'ask') continue
        const { scope, policiesUpdated, amount, by } = step
        const own = makeCounterNames(scope)
        const told = by === 'row before' ? key.before : by === 'row' ? key.now : undefined
        const updated = String((told ?? latest).updated)
        const bucket = localRateName(own.rate(step.key, ''), bucketUpdated(updated, policiesUpdated))
        const end = by === 'endpoint' ? '-of-an-endpoint' : ''
        const asked = { bucket: bucket + end, quota: own.quota(step.key) + end }
        names.add(asked.quota)
        const places = told?.places
        // As for the rate of an endpoint, the ticket is told though there are no places.
        const { stay } = places ?? key.now?.places ?? { stay: newStay() }
        const ticket = ticketOf(stay, namingOf(scope, policiesUpdated))
        expect(near.take(asked.bucket, rate, amount, places, ticket)).toEqual(byName.take(asked.bucket, rate, amount))
        expect(near.spend(asked.quota, quota, amount, places, ticket)).toEqual(byName.spend(asked.quota, quota, amount))
        expect(near.readQuota(asked.quota)).toEqual(byName.readQuota(asked.quota))
      }
      const used = (counters: MemoryCounters) => [...names].map((name) => counters.readQuota(name))
      expect(used(near)).toEqual(used(byName))
      disk.take()
      expect(used(disk.found(clock))).toEqual(used(byName))
      disk.writeAnew()
      expect([...disk.names()].filter((name) => !names.has(name))).toEqual([])
      expect(used(disk.found(clock))).toEqual(used(byName))
    }),
    { numRuns: 1500 },
  )
})

test('a counter that would not be found by its name lies in the table, whatever the ticket', () => {
  const clock = { now: () => 1_000_000, after: () => () => {}, breathe: () => Promise.resolve() }
  const rows = new KeyRows({ numbers: 0, whole: 0, letters: 60 })
  const counters = makeMemoryCounters({ clock, sweep: false, keyRows: rows })
  const { places } = makeKeys(rows).of('org-key-1').now ?? {}
  const ticket = ticketOf(places?.stay ?? 0, namingOf('', ''))
  counters.spend('quota-x-org-key-1', quota, 1, places, ticket)
  expect(rows.get(places?.row ?? -1, 7)).toBe(0)
  expect(counters.readQuota('quota-x-org-key-1')?.used).toBe(1)
})

test('a key that is used has its counters in its row, and they go back to the table with the row', () => {
  const clock = { now: () => 1_000_000, after: () => () => {}, breathe: () => Promise.resolve() }
  const rows = new KeyRows({ numbers: 0, whole: 0, letters: 60 })
  const counters = makeMemoryCounters({ clock, sweep: false, keyRows: rows })
  const made = makeKeys(rows)
  const { places } = made.of('org-key-1').now ?? {}
  const ticket = ticketOf(places?.stay ?? 0, namingOf('s', ''))
  const name = makeCounterNames('s').quota('org-key-1')
  expect(counters.spend(name, quota, 1, places, ticket).remaining).toBe(3)
  const row = places?.row ?? -1
  expect([rows.get(row, 4), rows.get(row, 7)]).toEqual([1, ticket])
  expect([counters.quotas.size, counters.readQuota(name)?.used]).toEqual([1, 1])
  made.remove('org-key-1')
  expect([counters.quotas.size, counters.readQuota(name)?.used]).toEqual([1, 1])
  expect(rows.get(row, 7)).toBe(0)
})
