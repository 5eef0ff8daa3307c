/**
 * Mutants of stores: one bug around a correct store, and the property that must detect it. fixtures/store-mutants.json
 * lists the seeds that detected them.
 */
import type { Counter, CounterStore, RateLimit, RecordStore, SessionStore, Store } from '@turnpike/core/ports'
import { withSubject } from '../properties/plain-counters.ts'
import { checkHarness, type StoreHarness, wrapHarness } from '../properties/store-harness.ts'
import { type StorePropertiesOptions, storeProperties } from '../properties/store-properties.ts'
import type { VirtualClock } from '../virtual-clock.ts'
import type { Mutant } from './mutant.ts'

/** The wrapper of each store, and the work at a reload. */
interface Wrong extends Pick<StorePropertiesOptions, 'onReload'> {
  around(store: Store, clock: VirtualClock): Store
}

/** Nodes that count for themselves are wrong only where several nodes share the data. */
const runOfNodes = '13, rolling, nodes at once'

/** Returns all mutants that apply to the stores of this harness; those of batches and codes need `management`. */
export function storeMutants(
  harness: StoreHarness,
  { management }: Pick<StorePropertiesOptions, 'management'> = {},
): readonly Mutant[] {
  checkHarness('storeMutants', harness)
  return Object.entries(bugs).flatMap(([run, ofRun]) =>
    run === runOfNodes && harness.hasNodes !== true
      ? []
      : Object.entries(ofRun).flatMap(([what, make]) => mutantOf(harness, management, run, what, make)),
  )
}

function mutantOf(
  harness: StoreHarness,
  management: StorePropertiesOptions['management'],
  run: string,
  what: string,
  make: () => Wrong,
): Mutant[] {
  const find = () => {
    const { around, ...onReload } = make()
    const runs = storeProperties(wrapHarness(harness, what, around), { ...onReload, management })
    return runs.find(({ property, name }) => `${Number.parseInt(property, 10)}, ${name}` === run)
  }
  const found = find()
  if (found === undefined) return []
  return [
    {
      name: `${harness.name}: ${what}`,
      property: found.property,
      run: async (options) => (find() ?? found).run(options),
    },
  ]
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

/** The bugs, by the run that must detect them: the number of its property and its name. */
const bugs: Readonly<Record<string, Readonly<Record<string, () => Wrong>>>> = {
  '1, rolling': { 'one more passes than the rate says': otherRate((limit) => ({ ...limit, rate: limit.rate + 1 })) },
  '2, fixed': {
    'windows begin by a clock that is half a second ahead': otherName(
      (name, clock, { per }) => `${name}-${Math.floor((clock.now() + 500) / (Math.floor(per) * 1000))}`,
    ),
  },
  '3, sliding counter': { 'a text ends at half of its lifetime': halfLifetimes },
  '4, token bucket': { 'a text ends at half of its lifetime': halfLifetimes },
  '5, flows': {
    'long numbers lose their last digit': recording(({ put }) => ({
      put: (name, text, ms) => put(name, text.replace(/\d(?=[,\]])/g, '0'), ms),
    })),
  },
  '6, rolling': {
    'what is counted lives for two windows': otherRate((limit) => ({ ...limit, per: 2 * Math.floor(limit.per) })),
  },
  '7, rolling': {
    'of a high rate a quarter passes': otherRate((limit) => ({
      ...limit,
      rate: limit.rate > 6 ? limit.rate / 4 : limit.rate,
    })),
  },
  '8, rolling': { 'names are cut, so that counters meet': otherName((name) => name.slice(0, -1)) },
  '9, rolling': {
    'counters start again at certain times of the day': otherName(
      (name, clock) => `${name}-${Math.floor(clock.now() / 7_000_000)}`,
    ),
  },
  '10, rolling': {
    'a look counts': counting((counters) => ({
      consume: (counter, amount) => counters.consume(counter, Math.max(1, amount)),
    })),
  },
  '11, quota': {
    'a quota has no end': quotaWithoutEnd,
    'a reset is answered and left undone': counting(() => ({ resetQuotas() {} })),
  },
  '12, quota': { 'a quota is looked at first and counted later': lookThenCount },
  '12, rolling': {
    'a rate is looked at first and counted later': counting((counters) => ({
      async consume(counter, amount) {
        const look = await counters.consume(counter, 0)
        if (look.rate?.allowed !== false) await counters.consume(counter, amount)
        return look
      },
    })),
  },
  '13, rolling, nodes at once': {
    'each node counts for itself': () => {
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
  '14, killed': { 'a quota that was begun has no end on the disk': quotaWithoutEnd },
  '14, reloads': {
    'quotas start again at a reload': () => {
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
  '15, batches': { 'items of a batch look first and count later': lookThenCount },
  '16, order': {
    'a request is charged twice': counting((counters) => ({
      async consume(counter, amount) {
        const results = await counters.consume(counter, amount)
        if (results.quota !== undefined) await counters.consume({ ...counter, rate: undefined }, amount)
        return results
      },
    })),
  },
  '17, hashed keys': { 'a removed key is still read': stillRead },
  '17, keys of several nodes': { 'a removed key is still read, by the node that knew it': stillRead },
  '18, authorization codes': {
    'a code is looked at first and removed later': recording((records) => ({
      async remove(name) {
        const found = (await records.get(name)) !== undefined
        await records.remove(name)
        return found
      },
    })),
  },
  '18, nonces': {
    'a nonce is looked at first and taken later': recording((records) => ({
      async take(name) {
        const text = await records.get(name)
        await records.remove(name)
        return text
      },
    })),
    'a lifetime is lost where something is added': recording((records) => ({
      add: (name, text) => records.add(name, text),
    })),
  },
  '19, cache_options': {
    'an invalidation is acknowledged and left undone': () => ({
      around: (store) => ({ ...store, responses: { ...store.responses, invalidate() {} } }),
    }),
  },
  '20, group reloads': {
    'a wish for a reload is read once and remembered': recording((records) => {
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
  '21, rolling, throttled': {
    'the checks of waiting requests do not count': counting((counters) => ({
      consume: (counter, amount) => counters.consume(counter, counter.quota === undefined ? 0 : amount),
    })),
  },
  '22, rolling, smoothed': {
    'an allowance changes by two steps at once': otherRate((limit) =>
      limit.smoothing === undefined
        ? limit
        : { ...limit, smoothing: { ...limit.smoothing, step: 2 * limit.smoothing.step } },
    ),
  },
}
