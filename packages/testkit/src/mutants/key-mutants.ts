/** Mutants of the key lifecycle. */
import type { SessionStore, Store } from '@turnpike/core/ports'
import { keysProperty } from '../properties/property-17-keys.ts'
import { engineKeys, type KeysSubject, type KeysUnderTest } from '../properties/subjects/keys-subject.ts'
import { slowed, turns } from '../properties/subjects/slow-store.ts'
import { type Mutant, mutantsOf } from './mutant.ts'

const hashed = { hashKeys: true, hashFunction: 'sha256' } as const

/** The engine's keys with some methods replaced. */
function patch(change: (real: KeysUnderTest) => Partial<KeysUnderTest>): KeysSubject {
  const real = engineKeys('patched', hashed)
  return {
    ...real,
    async make() {
      const underTest = await real.make()
      return { ...underTest, ...change(underTest) }
    },
  }
}

/** The engine's keys on a store with some methods replaced. */
function patchStore(change: (real: SessionStore) => Partial<SessionStore>): KeysSubject {
  const around = (store: Store) => ({ ...store, sessions: { ...store.sessions, ...change(store.sessions) } })
  return engineKeys('patched store', { ...hashed, store: around })
}

export const keyMutants: readonly Mutant[] = mutantsOf(keysProperty, {
  'keys: the hash is forgotten when a key is read by it': patch((real) => ({
    read: (id, by) => (by === 'stored' ? Promise.resolve(undefined) : real.read(id, by)),
  })),
  'keys: an update brings a removed key back': patch((real) => ({
    async update(id, by, facts) {
      if (await real.update(id, by, facts)) return true
      await real.add(id, facts)
      return true
    },
  })),
  'keys: an update looks first and writes later, so it brings back what was removed meanwhile': patch((real) => ({
    async update(id, by, facts) {
      if ((await real.read(id, by)) === undefined) return false
      await turns(20)
      await real.add(id, facts)
      return true
    },
  })),
  'keys: an update by the short name is answered and lost': patch((real) => ({
    update: async (id, by, facts) =>
      by === 'short' ? (await real.read(id, by)) !== undefined : real.update(id, by, facts),
  })),
  'keys: a key that is made over another keeps what that one said': patch((real) => ({
    add: async (id, facts) => real.add(id, (await real.read(id, 'full')) ?? facts),
  })),
  'keys: a removal is answered and left undone': patchStore(() => ({ remove: () => true })),
  'keys: a removal is answered before it is done': patchStore((real) => ({
    remove(name) {
      const stored = real.get(name)
      void turns(40).then(() => real.remove(name))
      return stored !== undefined
    },
  })),
  'keys: a removed key stays in the memory of the node': patch((real) => {
    const admitted = new Set<string>()
    return {
      async admits(id, by) {
        if (admitted.has(`${by} ${id}`)) return true
        const passes = await real.admits(id, by)
        if (passes) admitted.add(`${by} ${id}`)
        return passes
      },
    }
  }),
  'keys: an expired key is let through for two more seconds': patch((real) => ({
    async admits(id, by) {
      const facts = await real.read(id, by)
      return facts !== undefined && (facts.expires === 0 || Math.floor(real.now() / 1000) <= facts.expires + 2)
    },
  })),
  'keys: the list keeps what was removed': patch((real) => {
    const seen = new Set<string>()
    return {
      async list() {
        for (const name of (await real.list()) ?? []) seen.add(name)
        return [...seen]
      },
    }
  }),
  'keys: the list shows names where keys are hashed': patch((real) => ({
    list: async () => (await real.list())?.map((name) => `org1${name}`),
  })),
  'keys: two keys share one stored name': patchStore((real) => ({
    get: (name) => real.get(name.slice(0, 1)),
    put: (name, session, lifetimeMs) => real.put(name.slice(0, 1), session, lifetimeMs),
    remove: (name) => real.remove(name.slice(0, 1)),
  })),
  'keys: changes made at once over a slow store are not queued': patch((real) => ({
    async remove(id, by) {
      const found = await real.read(id, by)
      await turns(10)
      if (found !== undefined) await real.remove(id, by)
      return found !== undefined
    },
  })),
})

/** The engine's keys on a slow store. Not a mutant: the tests of the property use it. */
export const slowKeys = engineKeys('slow store', {
  ...hashed,
  store: (store) => ({ ...store, sessions: slowed(store.sessions, { find: 1, get: 1, put: 1, remove: 1, list: 1 }) }),
})
