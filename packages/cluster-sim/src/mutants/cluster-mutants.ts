/** Clusters with one seeded bug each, and the property that must detect it. */
import type { SourceSnapshot } from '@turnpike/core/definition'
import type { Counter, CounterStore, RateLimit, Signal, Store } from '@turnpike/core/ports'
import { type Mutant, makeMutant, type Property, withSubject } from '@turnpike/testkit'
import type { Around } from '../cluster/sim-node.ts'
import { type ClusterSubject, clusterSubject } from '../properties/cluster-subject.ts'
import { linearizableProperty } from '../properties/property-12-linearizability.ts'
import { clusterBoundProperty } from '../properties/property-13-cluster-bound.ts'
import { reloadRefinementProperty } from '../properties/property-14-refinement-reload.ts'
import { deletedKeysProperty } from '../properties/property-17-keys-deleted.ts'
import { convergenceProperty } from '../properties/property-20-convergence.ts'

const counting = (change: (counters: CounterStore, node: string) => Partial<CounterStore>): Around => ({
  store: (store, node): Store => ({ ...store, counters: { ...store.counters, ...change(store.counters, node) } }),
})

const deaf = (kind: Signal['kind']): Around => ({
  signals: (signals) => ({
    publish: (signal) => signals.publish(signal),
    subscribe: (listener) => signals.subscribe((signal) => signal.kind !== kind && listener(signal)),
  }),
})

/** Uses another counter than the requested one. */
const otherCounter = (change: (counter: Counter, node: string) => Counter) =>
  counting((counters, node) => ({ consume: (counter, amount) => counters.consume(change(counter, node), amount) }))

const otherRate = (change: (limit: RateLimit) => RateLimit) =>
  otherCounter((counter) => ({ ...counter, rate: counter.rate && change(counter.rate) }))

/** Reads the count before it increments, and decides by the read. */
const checkThenCount = counting((counters) => ({
  async consume(counter, amount) {
    const look = await counters.consume(counter, 0)
    const results = await counters.consume(counter, amount)
    if (look.quota?.allowed !== true || results.quota === undefined) return results
    return { ...results, quota: { ...results.quota, allowed: true } }
  },
}))

/** Counts on each node separately. */
const ofNode = (counter: Counter, node: string) => withSubject(counter, `${counter.subject}@${node}`)

const countersOfItsOwn = otherCounter((counter, node) =>
  counter.quota === undefined ? counter : ofNode(counter, node),
)

const remainingOfBefore = counting((counters) => ({
  async consume(counter, amount) {
    const { rate, quota } = await counters.consume(counter, amount)
    const max = counter.quota?.max ?? 0
    return { rate, quota: quota && { ...quota, remaining: Math.min(max, quota.remaining + 1) } }
  },
}))

const ratesOfItsOwn = otherCounter((counter, node) => (counter.rate === undefined ? counter : ofNode(counter, node)))

const sharesRoundedUpTwice = otherCounter((counter, node) =>
  counter.rate === undefined
    ? counter
    : { ...ofNode(counter, node), rate: { ...counter.rate, rate: Math.ceil(counter.rate.rate / 2) + 1 } },
)

const admitsWhenSilent = counting((counters) => ({
  async consume(counter, amount) {
    if (counter.rate === undefined) return counters.consume(counter, amount)
    try {
      return await counters.consume(counter, amount)
    } catch {
      return { rate: { allowed: true, remaining: 0, resetAt: 0 }, quota: undefined }
    }
  },
}))

const countsTheNextWindowToo = otherRate((limit) => ({ ...limit, per: limit.per / 3 }))

/** A reload of the files resets the counters. */
const forgetsAtReload: Around = {
  ...otherCounter((counter) =>
    counter.quota === undefined ? counter : withSubject(counter, `${counter.subject}#${currentLife}`),
  ),
  disk: (disk) => ({
    ...disk,
    read() {
      currentLife += 1
      return disk.read()
    },
  }),
}
let currentLife = 0

/** Changes what a node reads from its disk. Each disk has a function of its own, which may have state. */
const otherFiles = (makeChange: () => (read: SourceSnapshot) => SourceSnapshot): Around => ({
  disk(disk) {
    const change = makeChange()
    return { ...disk, read: async () => change(await disk.read()) }
  },
})

const policiesOfTheFirstLoad = otherFiles(() => {
  let first: SourceSnapshot | undefined
  return (read) => {
    first ??= read
    return { ...read, policies: first.policies }
  }
})

const oldHeadersNewTarget = otherFiles(() => {
  let headers = '1'
  return (read) => {
    const definitions = read.definitions.map((document) => {
      const text = document.text?.replace(/"x-config":"(\d+)"/, (_, now: string) => {
        const before = headers
        headers = now
        return `"x-config":"${before}"`
      })
      return { ...document, text, hash: `${document.hash}${text}` }
    })
    return { ...read, definitions }
  }
})

const readsThatOvertake = otherFiles(() => {
  let before: SourceSnapshot | undefined
  return (read) => {
    const given = before ?? read
    before = read
    return given
  }
})

/** Each is named after its bug and breaks one property. */
export const clusterMutants: readonly Mutant[] = [
  ...nodesWith(linearizableProperty, {
    'a quota that is looked at and counted in two steps': checkThenCount,
    'a quota for each node': countersOfItsOwn,
    'a remaining number of before the request was counted': remainingOfBefore,
  }),
  ...nodesWith(clusterBoundProperty, {
    'a rate for each node': ratesOfItsOwn,
    'shares of a rate that are rounded up twice': sharesRoundedUpTwice,
    'a request that passes because the store is silent': admitsWhenSilent,
    'a window a third as long': countsTheNextWindowToo,
  }),
  ...nodesWith(reloadRefinementProperty, {
    'a counter that a reload sets back': forgetsAtReload,
    'limits of the first load that stay': policiesOfTheFirstLoad,
    'an answer of two configurations': oldHeadersNewTarget,
  }),
  ...nodesWith(deletedKeysProperty, { 'a node that ignores signals about deleted keys': deafToKeys() }),
  ...nodesWith(convergenceProperty, {
    'a node that ignores reloads and has no heartbeat': { ...deaf('reload'), heartbeatMs: 3_600_000 },
    'a heartbeat once an hour, with messages that are lost': { heartbeatMs: 3_600_000 },
    'a reload that applies what an earlier one read': readsThatOvertake,
  }),
]

function nodesWith(property: Property<ClusterSubject>, bugs: Readonly<Record<string, Around>>): Mutant[] {
  return Object.entries(bugs).map(([name, around]) => makeMutant(name, property, clusterSubject(name, { around })))
}

/** Receives no signals and never expires its session cache: sessions are read once. */
function deafToKeys(): Around {
  const quiet = deaf('key-changed')
  return {
    ...quiet,
    store(store) {
      const held = new Map<string, ReturnType<Store['sessions']['find']>>()
      return {
        ...store,
        sessions: {
          ...store.sessions,
          find(name) {
            const known = held.get(name) ?? store.sessions.find(name)
            held.set(name, known)
            return known
          },
        },
      }
    },
  }
}
