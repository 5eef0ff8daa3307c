/** A store whose operations fail at random, in every way in which a store can fail. */
import { type Store, StoreUnavailableError } from '@turnpike/core/ports'

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface FaultyStore {
  readonly store: Store
  /** Probability that an operation fails. */
  chance: number
  /** Number of failures so far. */
  failures: number
}

export function makeFaultyStore(inner: Store, random: () => number): FaultyStore {
  const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  const fail = (): unknown => {
    faulty.failures += 1
    const away = new StoreUnavailableError('seeded outage')
    switch (Math.floor(random() * 5)) {
      case 0:
        throw away
      case 1:
        throw new Error('seeded I/O error')
      case 2:
        return Promise.reject(away)
      case 3:
        return Promise.reject(new Error('seeded I/O error'))
      default:
        return later(random() * 30).then(() => Promise.reject(away))
    }
  }
  const withFaults = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(from, name) {
        const value: unknown = Reflect.get(from, name)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => (random() < faulty.chance ? fail() : Reflect.apply(value, from, args))
      },
    })
  const { sessions, organisations, counters, responses, records } = inner
  const faulty: FaultyStore = {
    chance: 0,
    failures: 0,
    store: {
      sessions: withFaults(sessions),
      organisations: withFaults(organisations),
      counters: withFaults(counters),
      responses: withFaults(responses),
      records: withFaults(records),
      check: async () => (faulty.chance === 0 ? inner.check() : { ok: false, reason: 'seeded outage' }),
      close: () => inner.close(),
    },
  }
  return faulty
}
