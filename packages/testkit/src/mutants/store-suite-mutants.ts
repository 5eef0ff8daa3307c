/** Seeded bugs in a store's records and lists, which the cases of its suite must detect. */
import type { RankedLists, RecordStore, Store } from '@turnpike/core/ports'
import { makeMemoryStore } from '@turnpike/core/store-memory'
import type { StoreCases } from '../suites/store-case.ts'
import { listCases } from '../suites/store-lists.ts'
import { recordCases } from '../suites/store-records.ts'
import type { StoreUnderTest } from '../suites/store-suite.ts'
import { makeVirtualClock } from '../virtual-clock.ts'

export interface StoreSuiteMutant {
  /** What is wrong, in words. */
  readonly name: string
  /** At least one of these cases must fail. */
  readonly cases: StoreCases
  /** A store with the seeded bug. */
  make(): StoreUnderTest
}

type Change<Part> = (real: Part) => Partial<Part>

const withRecords = (name: string, change: Change<RecordStore>) => mutant(`records: ${name}`, recordCases, change)
const withLists = (name: string, change: Change<RankedLists>) => mutant(`lists: ${name}`, listCases, change)

function mutant(
  name: string,
  cases: StoreCases,
  change: (real: Store['records']) => Partial<Store['records']>,
): StoreSuiteMutant {
  return {
    name,
    cases,
    make() {
      const clock = makeVirtualClock()
      const real = makeMemoryStore({ clock })
      const store = { ...real, records: { ...real.records, ...change(real.records) } }
      return { store, pass: (ms) => clock.advance(ms), cleanup: () => real.close() }
    },
  }
}

export const storeSuiteMutants: readonly StoreSuiteMutant[] = [
  withRecords('a lifetime is ignored', (real) => ({ put: (name, text) => real.put(name, text) })),
  withRecords('an earlier lifetime stays', (real) => {
    const lifetimes = new Map<string, number>()
    return {
      put(name, text, lifetimeMs = lifetimes.get(name)) {
        if (lifetimeMs !== undefined) lifetimes.set(name, lifetimeMs)
        return real.put(name, text, lifetimeMs)
      },
    }
  }),
  withRecords('a lifetime of nothing is taken for none', (real) => ({
    put: (name, text, lifetimeMs) => real.put(name, text, lifetimeMs === 0 ? undefined : lifetimeMs),
  })),
  withRecords('an empty text is taken for none', (real) => ({
    get: async (name) => (await real.get(name)) || undefined,
  })),
  withRecords('a text is given back without the white space around it', (real) => ({
    put: (name, text, lifetimeMs) => real.put(name, text.trim(), lifetimeMs),
  })),
  withRecords('adding overwrites', (real) => ({
    async add(name, text, lifetimeMs) {
      const isNew = (await real.get(name)) === undefined
      await real.put(name, text, lifetimeMs)
      return isNew
    },
  })),
  withRecords('adding lengthens the lifetime of what is there', (real) => ({
    async add(name, text, lifetimeMs) {
      const there = await real.get(name)
      await real.put(name, there ?? text, lifetimeMs)
      return there === undefined
    },
  })),
  withRecords('adding looks first and writes later', (real) => ({
    async add(name, text, lifetimeMs) {
      if ((await real.get(name)) !== undefined) return false
      await real.put(name, text, lifetimeMs)
      return true
    },
  })),
  withRecords('taking looks first and removes later', (real) => ({
    async take(name) {
      const text = await real.get(name)
      if (text !== undefined) await real.remove(name)
      return text
    },
  })),
  withRecords('taking leaves the text where it was', (real) => ({ take: (name) => real.get(name) })),
  withRecords('removing looks first and removes later', (real) => ({
    async remove(name) {
      const found = (await real.get(name)) !== undefined
      await real.remove(name)
      return found
    },
  })),
  withRecords('removing says yes to everybody', (real) => ({
    remove(name) {
      void real.remove(name)
      return true
    },
  })),
  withRecords('names are cut', (real) => ({
    get: (name) => real.get(name.slice(0, 1000)),
    put: (name, text, lifetimeMs) => real.put(name.slice(0, 1000), text, lifetimeMs),
  })),
  withRecords('a prefix is taken for a pattern', (real) => ({
    async names(prefix) {
      const pattern = new RegExp(`^${prefix.replace(/\[$/, '.')}`)
      return (await real.names('')).filter((name) => pattern.test(name) && !name.includes('['))
    },
  })),
  withRecords('names that are over are listed', (real) => {
    const put = new Set<string>()
    return {
      put(name, text, lifetimeMs) {
        put.add(name)
        return real.put(name, text, lifetimeMs)
      },
      names: (prefix) => [...put].filter((name) => name.startsWith(prefix)),
    }
  }),
  withLists('ranks are ordered as texts', (real) => ({
    members: async (list, from) =>
      (await real.members(list, from)).sort((a, b) => (`${a.rank}` < `${b.rank}` ? -1 : 1)),
  })),
  withLists('members of one rank stand as they came', (real) => ({
    members: async (list, from) =>
      (await real.members(list, from)).sort((a, b) => a.rank - b.rank || (a.member > b.member ? -1 : 1)),
  })),
  withLists('ranks lose what is behind the point', (real) => ({
    addMember: (list, member, rank) => real.addMember(list, member, Math.trunc(rank)),
  })),
  withLists('a member stays under its former rank too', (real) => {
    const former = new Map<string, { member: string; rank: number }[]>()
    return {
      addMember(list, member, rank) {
        former.set(list, [...(former.get(list) ?? []), { member, rank }])
        return real.addMember(list, member, rank)
      },
      members: (list, from = Number.NEGATIVE_INFINITY) =>
        (former.get(list) ?? []).filter(({ rank }) => rank >= from).sort((a, b) => a.rank - b.rank),
    }
  }),
  withLists('the lowest rank is kept', (real) => ({
    async addMember(list, member, rank) {
      const before = (await real.members(list)).find((entry) => entry.member === member)
      await real.addMember(list, member, Math.min(rank, before?.rank ?? rank))
    },
  })),
  withLists('the first rank of the range is left out', (real) => ({
    members: async (list, from) =>
      (await real.members(list, from)).filter(({ rank }) => from === undefined || rank > from),
  })),
  withLists('the rank that is pruned to stays', (real) => ({
    pruneMembers: (list, toRank) => real.pruneMembers(list, toRank - 1e-9),
  })),
  withLists('pruning takes off a slice at most', (real) => ({
    async pruneMembers(list, toRank) {
      const members = (await real.members(list)).filter(({ rank }) => rank <= toRank).slice(0, 500)
      for (const { member } of members) await real.removeMember(list, member)
      return members.length
    },
  })),
  withLists('pruning looks first and counts what it saw', (real) => ({
    async pruneMembers(list, toRank) {
      const seen = (await real.members(list)).filter(({ rank }) => rank <= toRank).length
      await real.pruneMembers(list, toRank)
      return seen
    },
  })),
  withLists('removing says yes to everybody', (real) => ({
    removeMember(list, member) {
      void real.removeMember(list, member)
      return true
    },
  })),
  withLists('lists whose names begin alike are one', (real) => {
    const cut = (list: string) => list.split('.')[0] as string
    return {
      addMember: (list, member, rank) => real.addMember(cut(list), member, rank),
      members: (list, from) => real.members(cut(list), from),
      pruneMembers: (list, toRank) => real.pruneMembers(cut(list), toRank),
    }
  }),
]
