/**
 * Mutants of stores: one bug around a correct store, and the property that must detect it. fixtures/store-mutants.json
 * lists the seeds that detected them.
 */
import type { Counter, CounterStore, RateLimit, RecordStore, SessionStore, Store } from '@turnpike/core'
import { withSubject } from '../properties/plain-counters.ts'
import { checkHarness, type StoreHarness, wrapHarness } from '../properties/store-harness.ts'
import { type StorePropertiesOptions, storeProperties } from '../properties/store-properties.ts'
import type { VirtualClock } from '../virtual-clock.ts'
import type { Mutant } from './mutant.ts'

/** The wrapper of each store, and the work at a reload. */
interface Wrong extends StorePropertiesOptions {
  around(store: Store, clock: VirtualClock): Store
}

interface StoreMutant {
  readonly what: string
  /** Number of the property, and the name of its run. */
  readonly by: readonly [property: number, run: string]
  /** True if only several nodes on the same data show the bug. */
  readonly needsNodes?: boolean
  make(): Wrong
}

/** Returns all mutants that apply to the stores of this harness. */
export function storeMutants(harness: StoreHarness): readonly Mutant[] {
  checkHarness('storeMutants', harness)
  return faults.flatMap(({ what, by: [number, name], needsNodes = false, make }) => {
    if (needsNodes && harness.hasNodes !== true) return []
    const find = () => {
      const { around, ...options } = make()
      const runs = storeProperties(wrapHarness(harness, what, around), options)
      return runs.find((one) => Number.parseInt(one.property, 10) === number && one.name === name)
    }
    const found = find()
    if (found === undefined) return []
    return [
      { name: `${harness.name}: ${what}`, property: found.property, run: async (run) => (find() ?? found).run(run) },
    ]
  })
}

const counting = (change: (counters: CounterStore, clock: VirtualClock) => Partial<CounterStore>) => (): Wrong => ({
  around: (store, clock) => ({ ...store, counters: { ...store.counters, ...change(store.counters, clock) } }),
})

const recording = (change: (records: RecordStore) => Partial<RecordStore>) => (): Wrong => ({
  around: (store) => ({ ...store, records: { ...store.records, ...change(store.records) } }),
})

/** Calls the store with another counter. */
const otherCounter = (change: (counter: Counter, clock: VirtualClock) => Counter) =>
  counting((counters, clock) => ({ consume: (counter, amount) => counters.consume(change(counter, clock), amount) }))

/** Counts rates under another limit. */
const otherRate = (change: (limit: RateLimit) => RateLimit) =>
  otherCounter((counter) => ({ ...counter, rate: counter.rate && change(counter.rate) }))

/** Counts rates under another name. */
const otherName = (change: (name: string, clock: VirtualClock, limit: RateLimit) => string) =>
  otherCounter((counter, clock) =>
    counter.rate === undefined ? counter : withSubject(counter, change(counter.subject, clock, counter.rate)),
  )

const quotaWithoutEnd = otherCounter((counter) => ({
  ...counter,
  quota: counter.quota && { ...counter.quota, renewalSeconds: 0 },
}))

const halfLifetimes = recording(({ put }) => ({
  put: (name, text, ms) => put(name, text, ms && Math.ceil(ms / 2)),
}))

/** Trusts an earlier read of the quota, even if another request has counted since. */
const lookThenCount = counting((counters) => ({
  async consume(counter, amount) {
    if (counter.quota === undefined || amount === 0) return counters.consume(counter, amount)
    const { quota: look } = await counters.consume({ ...counter, rate: undefined }, 0)
    const isOpen = look?.allowed === true
    const { rate, quota } = await counters.consume(isOpen ? counter : { ...counter, quota: undefined }, amount)
    if (rate?.allowed === false) return { rate, quota }
    return { rate, quota: isOpen && quota !== undefined ? { ...quota, allowed: true } : look }
  },
}))

/** Returns a record that was read before, even if it was removed. */
const stillRead = (): Wrong => ({
  around(store) {
    const { sessions } = store
    const read = new Map<string, Awaited<ReturnType<SessionStore['find']>>>()
    const find: SessionStore['find'] = async (name) => {
      const found = await sessions.find(name)
      if (found !== undefined) read.set(name, found)
      return found ?? read.get(name)
    }
    return { ...store, sessions: { ...sessions, find } }
  },
})

const faults: readonly StoreMutant[] = [
  {
    what: 'one more passes than the rate says',
    by: [1, 'rolling'],
    make: otherRate((limit) => ({ ...limit, rate: limit.rate + 1 })),
  },
  {
    what: 'windows begin by a clock that is half a second ahead',
    by: [2, 'fixed'],
    make: otherName((name, clock, { per }) => `${name}-${Math.floor((clock.now() + 500) / (Math.floor(per) * 1000))}`),
  },
  {
    what: 'a text ends at half of its lifetime',
    by: [3, 'sliding counter'],
    make: halfLifetimes,
  },
  {
    what: 'a text ends at half of its lifetime',
    by: [4, 'token bucket'],
    make: halfLifetimes,
  },
  {
    what: 'long numbers lose their last digit',
    by: [5, 'flows'],
    make: recording(({ put }) => ({
      put: (name, text, ms) => put(name, text.replace(/\d(?=[,\]])/g, '0'), ms),
    })),
  },
  {
    what: 'what is counted lives for two windows',
    by: [6, 'rolling'],
    make: otherRate((limit) => ({ ...limit, per: 2 * Math.floor(limit.per) })),
  },
  {
    what: 'of a high rate a quarter passes',
    by: [7, 'rolling'],
    make: otherRate((limit) => ({ ...limit, rate: limit.rate > 6 ? limit.rate / 4 : limit.rate })),
  },
  { what: 'names are cut, so that counters meet', by: [8, 'rolling'], make: otherName((name) => name.slice(0, -1)) },
  {
    what: 'counters start again at certain times of the day',
    by: [9, 'rolling'],
    make: otherName((name, clock) => `${name}-${Math.floor(clock.now() / 7_000_000)}`),
  },
  {
    what: 'a look counts',
    by: [10, 'rolling'],
    make: counting((counters) => ({ consume: (counter, amount) => counters.consume(counter, Math.max(1, amount)) })),
  },
  {
    what: 'a quota has no end',
    by: [11, 'quota'],
    make: quotaWithoutEnd,
  },
  {
    what: 'a reset is answered and left undone',
    by: [11, 'quota'],
    make: counting(() => ({ resetQuotas() {} })),
  },
  { what: 'a quota is looked at first and counted later', by: [12, 'quota'], make: lookThenCount },
  {
    what: 'a rate is looked at first and counted later',
    by: [12, 'rolling'],
    make: counting((counters) => ({
      async consume(counter, amount) {
        const look = await counters.consume(counter, 0)
        if (look.rate?.allowed !== false) await counters.consume(counter, amount)
        return look
      },
    })),
  },
  {
    what: 'each node counts for itself',
    by: [13, 'rolling, nodes at once'],
    needsNodes: true,
    make() {
      let nodes = 0
      return {
        around(store) {
          nodes += 1
          const own = nodes
          const { counters } = store
          const consume: CounterStore['consume'] = (counter, amount) =>
            counters.consume(withSubject(counter, `${counter.subject}@${own}`), amount)
          return { ...store, counters: { ...counters, consume } }
        },
      }
    },
  },
  {
    what: 'a quota that was begun has no end on the disk',
    by: [14, 'killed'],
    make: quotaWithoutEnd,
  },
  {
    what: 'quotas start again at a reload',
    by: [14, 'reloads'],
    make() {
      const counted = new Map<string, Counter>()
      const { around } = counting((counters) => ({
        consume(counter, amount) {
          counted.set(counter.id, counter)
          return counters.consume(counter, amount)
        },
      }))()
      return { around, onReload: async (store) => void (await store.counters.resetQuotas([...counted.values()])) }
    },
  },
  { what: 'items of a batch look first and count later', by: [15, 'batches'], make: lookThenCount },
  {
    what: 'a request is charged twice',
    by: [16, 'order'],
    make: counting((counters) => ({
      async consume(counter, amount) {
        const results = await counters.consume(counter, amount)
        if (results.quota !== undefined) await counters.consume({ ...counter, rate: undefined }, amount)
        return results
      },
    })),
  },
  {
    what: 'a removed key is still read',
    by: [17, 'hashed keys'],
    make: stillRead,
  },
  {
    what: 'a removed key is still read, by the node that knew it',
    by: [17, 'keys of several nodes'],
    make: stillRead,
  },
  {
    what: 'a code is looked at first and removed later',
    by: [18, 'authorization codes'],
    make: recording((records) => ({
      async remove(name) {
        const found = (await records.get(name)) !== undefined
        await records.remove(name)
        return found
      },
    })),
  },
  {
    what: 'a nonce is looked at first and taken later',
    by: [18, 'nonces'],
    make: recording((records) => ({
      async take(name) {
        const text = await records.get(name)
        await records.remove(name)
        return text
      },
    })),
  },
  {
    what: 'a lifetime is lost where something is added',
    by: [18, 'nonces'],
    make: recording((records) => ({ add: (name, text) => records.add(name, text) })),
  },
  {
    what: 'an invalidation is acknowledged and left undone',
    by: [19, 'cache_options'],
    make: () => ({
      around: (store) => ({ ...store, responses: { ...store.responses, invalidate() {} } }),
    }),
  },
  {
    what: 'a wish for a reload is read once and remembered',
    by: [20, 'group reloads'],
    make: recording((records) => {
      const read = new Map<string, string>()
      return {
        async get(name) {
          const text = read.get(name) ?? (await records.get(name))
          if (text !== undefined) read.set(name, text)
          return text
        },
      }
    }),
  },
  {
    what: 'the checks of waiting requests do not count',
    by: [21, 'rolling, throttled'],
    make: counting((counters) => ({
      consume: (counter, amount) => counters.consume(counter, counter.quota === undefined ? 0 : amount),
    })),
  },
  {
    what: 'an allowance changes by two steps at once',
    by: [22, 'rolling, smoothed'],
    make: otherRate((limit) =>
      limit.smoothing === undefined
        ? limit
        : { ...limit, smoothing: { ...limit.smoothing, step: 2 * limit.smoothing.step } },
    ),
  },
]
