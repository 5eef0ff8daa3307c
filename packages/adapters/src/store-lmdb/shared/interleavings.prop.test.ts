/** Interleavings of two workers: their decisions equal those of one process, in the order of their transactions. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Counter, RateAlgorithm } from '@turnpike/core/ports'
import { makeMemoryCounters } from '@turnpike/core/store-memory'
import { makeVirtualClock } from '@turnpike/testkit'
import fc from 'fast-check'
import { ABORT } from 'lmdb'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CountersDatabase, openCountersDatabase } from './counters-environment.ts'
import type { NumberedQuota } from './quota-logs.ts'
import { makeSharedCounters } from './shared-counters.ts'

let folder: string
let database: CountersDatabase
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-interleavings-'))
  database = openCountersDatabase(folder)
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const steps = fc.array(
  fc.record({
    worker: fc.constantFrom(0, 1),
    /** What the worker does: counts, resets, or ends its turn with the transaction. */
    kind: fc.constantFrom('count', 'count', 'reset', 'end', 'end'),
    key: fc.constantFrom('a', 'b'),
    algorithm: fc.constantFrom<RateAlgorithm>('local', 'rolling', 'sentinel', 'fixed'),
    amount: fc.integer({ min: 1, max: 3 }),
    pass: fc.constantFrom(0, 0, 1, 700),
  }),
  { maxLength: 30 },
)
type Step = typeof steps extends fc.Arbitrary<readonly (infer S)[]> ? S : never

let serial = 0

/** Plays the steps on two workers and on one process, and compares decisions and logged quotas. */
async function play(list: readonly Step[], bug: (worker: Worker) => Worker = (worker) => worker): Promise<void> {
  serial += 1
  const clock = makeVirtualClock()
  const logged = new Map<string, NumberedQuota>()
  const workers = [0, 1].map(() => {
    const parts: Worker = {
      database,
      note: (key, state) => {
        if ((logged.get(key)?.number ?? 0) <= state.number) logged.set(key, state)
      },
    }
    const { database: used, note } = bug(parts)
    let endTurn = () => {}
    const counters = makeSharedCounters({
      ...{ database: used, clock, onQuotaChange: note, guard: (write) => write() },
      atTurnEnd: (fn) => {
        endTurn = fn
      },
    })
    /** What this worker does in one process, when its turn ends. */
    const expected: (() => void)[] = []
    return { counters, expected, endTurn: () => endTurn() }
  })
  const memory = makeMemoryCounters({ clock, sweep: false })
  const compared: Promise<void>[] = []
  for (const { worker, kind, key, algorithm, amount, pass } of [...list, ...endings]) {
    clock.advance(pass)
    const one = workers[worker]
    if (one === undefined) continue
    if (kind === 'end') {
      for (const run of one.expected.splice(0)) run()
      one.endTurn()
      await Promise.resolve()
      continue
    }
    const subject = `${key}${serial}`
    const rate = { algorithm, rate: 4, per: 1, smoothing: undefined, oneLess: false }
    const quota = { max: 6, renewalSeconds: 0 }
    const id = { subject, kind: 'key', scope: '', endpoint: '' } as const
    const counter: Counter = { ...id, id: subject, generation: '1', rate, quota }
    if (kind === 'reset') {
      one.expected.push(() => memory.resetQuotas([id]))
      compared.push(Promise.resolve(one.counters.resetQuotas([id])))
      continue
    }
    let inOrder: unknown
    one.expected.push(() => {
      inOrder = memory.consume(counter, amount)
    })
    compared.push(
      Promise.resolve(one.counters.consume(counter, amount)).then((found) => expect(found).toEqual(inOrder)),
    )
  }
  await Promise.all(compared)
  for (const key of ['a', 'b']) {
    const used = logged.get(`${key}${serial}`)?.used ?? 0
    const id = { subject: `${key}${serial}`, kind: 'key', scope: '', endpoint: '' } as const
    expect(used).toBe(memory.readQuota(id)?.used ?? 0)
    expect((await workers[0]?.counters.readQuota(id))?.used ?? 0).toBe(used)
  }
}

interface Worker {
  readonly database: CountersDatabase
  readonly note: (key: string, state: NumberedQuota) => void
}

const end = { kind: 'end', key: 'a', algorithm: 'local', amount: 1, pass: 0 } as const
const endings: readonly Step[] = [
  { ...end, worker: 0 },
  { ...end, worker: 1 },
]

it('two workers decide as one process, in the order of their transactions', async () => {
  await fc.assert(
    fc.asyncProperty(steps, (list) => play(list)),
    { numRuns: 150 },
  )
})

/** The database with some members replaced. */
const withMembers = (members: Partial<Record<'getBinaryFast' | 'transactionSync', unknown>>): CountersDatabase =>
  new Proxy(database, {
    get(target, name) {
      const replaced = (members as Record<PropertyKey, unknown>)[name]
      const value: unknown = replaced ?? Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

const bugs: Readonly<Record<string, (worker: Worker) => Worker>> = {
  'a worker decides on what it has read before the transaction': (worker) => {
    const known = new Map<unknown, unknown>()
    const getBinaryFast = (key: unknown) => {
      if (!known.has(key)) known.set(key, Uint8Array.from(database.getBinary(key as Buffer) ?? []))
      const found = known.get(key) as Uint8Array
      return found.length === 0 ? undefined : found
    }
    return { ...worker, database: withMembers({ getBinaryFast }) }
  },
  'a decision is returned without the commit': (worker) => {
    const transactionSync = (run: () => unknown) => {
      let result: unknown
      database.transactionSync(() => {
        result = run()
        return ABORT
      })
      return result
    }
    return { ...worker, database: withMembers({ transactionSync }) }
  },
  'the number of the transaction is lost': (worker) => ({
    ...worker,
    note: (key, state) => worker.note(key, { ...state, number: 1_000_000_000 - state.number }),
  }),
}

for (const [name, bug] of Object.entries(bugs)) {
  it(`the property detects the bug: ${name}`, async () => {
    const { failed } = await fc.check(
      fc.asyncProperty(steps, (list) => play(list, bug)),
      { numRuns: 300, endOnFailure: true },
    )
    expect(failed).toBe(true)
  })
}
