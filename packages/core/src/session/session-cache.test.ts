import { beforeEach, describe, expect, test } from 'vitest'
import { definitionOf } from '../../test/support/test-engine.ts'
import { plainSettings } from '../../test/support/test-settings.ts'
import type { ApiDefinition } from '../definition/api-definition.ts'
import { parseDefinition } from '../definition/parse-definition.ts'
import { isPromise, type Maybe } from '../lib/maybe.ts'
import { silentLog } from '../ports/log.ts'
import { type Session, sessionShape } from '../ports/session.ts'
import type { GatewaySettings } from '../ports/settings.ts'
import type { SessionStore, SessionSummary, StoredSession } from '../ports/store.ts'
import type { CachedKey } from './cached-key.ts'
import { makeKeyName, storedNameOf } from './names/key-name.ts'
import { readPolicy } from './policies/parse-policies.ts'
import { makePolicyBook, type PolicyBook } from './policies/policy-book.ts'
import { mayRequireProof } from './required-proof.ts'
import { makeSessionCache, type SessionCache } from './session-cache.ts'
import { parseSession } from './session-json.ts'
import { splitSession } from './shared-rights.ts'

/** A store that records its reads. If `slow` is set, reads resolve when the test calls `resolveReads()`. */
interface FakeStore extends SessionStore {
  readonly held: Map<string, StoredSession>
  reads: string[]
  slow: boolean
  /** True if the store separates shared rights from the rest of a session. */
  splits: boolean
  /** Resolves all pending reads with the values at the time of the read. */
  resolveReads(): Promise<void>
}

function summaryOf({ session, storedUntil }: StoredSession, splits: boolean): SessionSummary {
  const { expires, lastUpdated } = session
  const rights = splits ? splitSession(session, sessionShape.zero()).rights : session
  return {
    rights,
    expires,
    lastUpdated,
    mayRequireProof: mayRequireProof(session),
    storedUntil,
    whole: () => session,
  }
}

function makeFakeStore(): FakeStore {
  const held = new Map<string, StoredSession>()
  const waiting: (() => void)[] = []
  return {
    held,
    reads: [],
    slow: false,
    splits: false,
    find(name): Maybe<SessionSummary | undefined> {
      this.reads.push(name)
      const stored = held.get(name)
      const seen = stored && summaryOf(stored, this.splits)
      if (!this.slow) return seen
      return new Promise((resolve) => waiting.push(() => resolve(seen)))
    },
    get: (name) => held.get(name),
    put() {},
    remove: (name) => held.delete(name),
    list: () => [],
    async resolveReads() {
      for (const go of waiting.splice(0)) go()
      for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    },
  }
}

let now: number
let fakeStore: FakeStore
let policies: PolicyBook

beforeEach(() => {
  now = 1_000_000
  fakeStore = makeFakeStore()
  policies = makePolicyBook([])
})

function store(name: string, json: object = {}, storedUntil?: number): void {
  const session = parseSession({ org_id: 'org1', ...json }).session as Session
  fakeStore.held.set(name, { session, storedUntil })
}

function cacheWith(keys: Partial<GatewaySettings['keys']> = {}): SessionCache {
  const clock = { now: () => now, after: () => () => {}, breathe: () => Promise.resolve() }
  const settings = { ...plainSettings, keys: { ...plainSettings.keys, ...keys } }
  return makeSessionCache({ store: { sessions: fakeStore }, settings, policies: () => policies, clock, log: silentLog })
}

function atOnce(found: Maybe<CachedKey | undefined>): CachedKey | undefined {
  if (isPromise(found)) throw new Error('the cache returned a promise')
  return found
}

describe('a key', () => {
  test('is found by its full and its short name, without a promise', () => {
    store('org1joe')
    const cache = cacheWith()
    expect(atOnce(cache.find('joe', 'org1'))).toMatchObject({ keyName: 'org1joe', storedName: 'org1joe' })
    expect(atOnce(cache.find('org1joe', 'org1'))).toMatchObject({ keyName: 'org1joe' })
    expect(atOnce(cache.find('joe', 'org2'))).toBeUndefined()
  })

  test('is read once and then cached', () => {
    store('org1joe')
    const cache = cacheWith()
    const first = cache.find('joe', 'org1')
    expect(cache.find('joe', 'org1')).toBe(first)
    expect(fakeStore.reads).toEqual(['org1joe'])
  })

  test('that is hashed is stored and counted under its hash', () => {
    const name = makeKeyName('org1', 'joe', 'sha256')
    store(storedNameOf(name, true))
    const cache = cacheWith({ hashKeys: true, hashFunction: 'sha256' })
    expect(atOnce(cache.find('joe', 'org1'))).toMatchObject({ keyName: name, storedName: storedNameOf(name, true) })
    expect(atOnce(cache.find(storedNameOf(name, true), 'org1'))).toBeUndefined()
  })

  test('made with an older hash function is found through the fallback', () => {
    store('org1joe')
    const cache = cacheWith({ hashFunction: 'sha256', hashFunctionFallback: [''] })
    expect(atOnce(cache.find('joe', 'org1'))?.keyName).toBe('org1joe')
  })

  test('that is unknown is looked up again, because it may have been created since', () => {
    const cache = cacheWith()
    expect(atOnce(cache.find('joe', 'org1'))).toBeUndefined()
    store('org1joe')
    expect(atOnce(cache.find('joe', 'org1'))).toBeDefined()
  })

  test('has the generation of the last change of the key or its policies', () => {
    const read = readPolicy({
      id: 'gold',
      org_id: 'org1',
      rate: 5,
      per: 1,
      access_rights: { a: {} },
      last_updated: '1700',
    })
    if ('problem' in read) throw new Error(read.problem)
    policies = makePolicyBook([read.policy])
    const api = parseDefinition(JSON.stringify(definitionOf('a')), 'a.json', 'h', {
      secret: () => undefined,
    }).definition
    const generationOf = (lastUpdated: string, splits: boolean) => {
      store('org1joe', { apply_policies: ['gold'], last_updated: lastUpdated })
      fakeStore.splits = splits
      const key = atOnce(cacheWith().find('joe', 'org1'))
      const access = key?.accessTo(api as ApiDefinition)
      return access && key?.counterOn(access).generation
    }
    for (const splits of [false, true]) {
      expect(generationOf('1600', splits)).toBe('1700')
      expect(generationOf('1800', splits)).toBe('1800')
    }
  })

  test('shares its profile with keys of equal rights, and has its own fields', () => {
    const zero = sessionShape.zero()
    const rights = { ...zero, orgId: 'org1', rate: 5, per: 1 }
    for (const alias of ['joe', 'ann']) store(`org1${alias}`, { rate: 5, per: 1, alias })
    fakeStore.find = (name) => ({
      rights,
      expires: 0,
      lastUpdated: '',
      mayRequireProof: false,
      storedUntil: undefined,
      whole: () => (fakeStore.held.get(name) as StoredSession).session,
    })
    const cache = cacheWith()
    const [joe, ann] = ['joe', 'ann'].map((name) => atOnce(cache.find(name, 'org1')) as CachedKey)
    expect(joe?.profile).toBe(ann?.profile)
    expect([joe?.session.alias, ann?.session.alias]).toEqual(['joe', 'ann'])
  })

  test('counts by its own metadata if a policy sets the pattern', () => {
    const read = readPolicy({
      id: 'gold',
      org_id: 'org1',
      rate: 5,
      per: 1,
      access_rights: { a: {} },
      meta_data: { rate_limit_pattern: '$svc_meta.team' },
    })
    if ('problem' in read) throw new Error(read.problem)
    policies = makePolicyBook([read.policy])
    const api = parseDefinition(JSON.stringify(definitionOf('a')), 'a.json', 'h', {
      secret: () => undefined,
    }).definition
    fakeStore.splits = true
    const subjects = ['red', 'blue'].map((team) => {
      store(`org1${team}`, { apply_policies: ['gold'], meta_data: { team } })
      const key = atOnce(cacheWith().find(team, 'org1'))
      const access = key?.accessTo(api as ApiDefinition)
      return access && key?.counterOn(access).subject
    })
    expect(subjects).toEqual(['red', 'blue'])
  })

  test('has its expiry, and its hash for logs', () => {
    store('org1joe', { expires: 1500 })
    expect(atOnce(cacheWith().find('joe', 'org1'))).toMatchObject({
      expiresAt: 1_500_000,
      logName: storedNameOf('org1joe', true),
    })
  })
})

describe('a cached key is evicted', () => {
  test('when the stored session expires', () => {
    store('org1joe', {}, now + 1000)
    const cache = cacheWith()
    cache.find('joe', 'org1')
    fakeStore.held.clear()
    now += 999
    expect(atOnce(cache.find('joe', 'org1'))).toBeDefined()
    now += 1
    expect(atOnce(cache.find('joe', 'org1'))).toBeUndefined()
  })

  test('under every name when the key is forgotten', () => {
    store('org1joe', { alias: 'old' })
    const cache = cacheWith()
    cache.find('joe', 'org1')
    cache.find('org1joe', 'org1')
    store('org1joe', { alias: 'new' })
    cache.forget('org1joe')
    expect(atOnce(cache.find('joe', 'org1'))?.session.alias).toBe('new')
    expect(atOnce(cache.find('org1joe', 'org1'))?.session.alias).toBe('new')
  })

  test('when a key with precedence over its name is created', () => {
    store('joe', { alias: 'bare' })
    const cache = cacheWith()
    expect(atOnce(cache.find('joe', 'org1'))?.session.alias).toBe('bare')
    store('org1joe', { alias: 'full' })
    cache.forget('org1joe')
    expect(atOnce(cache.find('joe', 'org1'))?.session.alias).toBe('full')
  })

  test('when policies are replaced', () => {
    const gold = (rate: number) => {
      const read = readPolicy({ id: 'gold', org_id: 'org1', rate, per: 1, access_rights: { a: {} } })
      if ('problem' in read) throw new Error(read.problem)
      return makePolicyBook([read.policy])
    }
    store('org1joe', { apply_policies: ['gold'] })
    policies = gold(1)
    const cache = cacheWith()
    expect(atOnce(cache.find('joe', 'org1'))?.session.rate).toBe(1)
    policies = gold(2)
    cache.renew()
    expect(atOnce(cache.find('joe', 'org1'))?.session.rate).toBe(2)
    policies = makePolicyBook([])
    cache.renew()
    expect(atOnce(cache.find('joe', 'org1'))?.policyProblem).toBe('policy not found: "gold"')
  })

  test('at once if caching is disabled', () => {
    store('org1joe')
    const cache = cacheWith({ cachedSessions: 0 })
    expect(atOnce(cache.find('joe', 'org1'))).toBeDefined()
    expect(atOnce(cache.find('joe', 'org1'))).toBeDefined()
    expect(fakeStore.reads).toEqual(['org1joe', 'org1joe'])
  })

  test('as the least recently used one when the cache is full', () => {
    const cache = cacheWith({ cachedSessions: 2 })
    for (const name of ['a', 'b', 'c']) store(`org1${name}`)
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) cache.find(name, 'org1')
    expect(fakeStore.reads).toEqual(['org1a', 'org1b', 'org1c', 'org1b'])
  })
})

describe('on an asynchronous store', () => {
  beforeEach(() => {
    fakeStore.slow = true
  })

  test('concurrent lookups share one read of all candidate names', async () => {
    store('joe')
    const cache = cacheWith()
    const lookups = [cache.find('joe', 'org1'), cache.find('joe', 'org1')]
    expect(fakeStore.reads).toEqual(['org1joe', 'joe'])
    await fakeStore.resolveReads()
    const [first, second] = await Promise.all(lookups)
    expect(first).toMatchObject({ keyName: 'joe' })
    expect(second).toBe(first)
    expect(atOnce(cache.find('joe', 'org1'))).toBe(first)
  })

  test('a read that started before a removal does not restore the key', async () => {
    store('org1joe')
    const cache = cacheWith()
    const early = cache.find('joe', 'org1')
    fakeStore.held.delete('org1joe')
    cache.forget('org1joe')
    const late = cache.find('joe', 'org1')
    await fakeStore.resolveReads()
    expect(await early).toBeDefined()
    expect(await late).toBeUndefined()
    fakeStore.slow = false
    expect(atOnce(cache.find('joe', 'org1'))).toBeUndefined()
  })

  test('a read that started before a reload is not cached', async () => {
    store('org1joe')
    const cache = cacheWith()
    const early = cache.find('joe', 'org1')
    cache.renew()
    await fakeStore.resolveReads()
    await early
    fakeStore.reads = []
    cache.find('joe', 'org1')
    expect(fakeStore.reads).toEqual(['org1joe', 'joe'])
  })

  test('a failed read is not cached', async () => {
    const cache = cacheWith()
    store('org1joe')
    const working = fakeStore.find
    fakeStore.find = () => Promise.reject(new Error('away'))
    await expect(cache.find('joe', 'org1')).rejects.toThrow('away')
    fakeStore.find = working
    fakeStore.slow = false
    expect(atOnce(cache.find('joe', 'org1'))).toBeDefined()
  })
})
