import { beforeEach, describe, expect, test } from 'vitest'
import { definitionOf } from '../../../test/support/test-engine.ts'
import { plainSettings } from '../../../test/support/test-settings.ts'
import type { ApiDefinition } from '../../definition/api-definition.ts'
import { parseDefinition } from '../../definition/parse-definition.ts'
import type { Maybe } from '../../lib/maybe.ts'
import { silentLog } from '../../ports/log.ts'
import type { Session } from '../../ports/session.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import type { SessionStore, StoredSession } from '../../ports/store.ts'
import { makeKeyName, storedNameOf } from '../names/key-name.ts'
import { outlineOf, type SessionOutline, splitSession } from '../outline.ts'
import { readPolicy } from '../policies/parse-policies.ts'
import { makePolicyBook, type PolicyBook } from '../policies/policy-book.ts'
import { parseSession } from '../session-json.ts'
import type { KeyEntry, Keyring } from './keyring.ts'
import { makeKeyring } from './make-keyring.ts'

/** A store that counts its reads, and answers when it is told to where it is slow. */
interface Shelf extends SessionStore {
  readonly held: Map<string, StoredSession>
  reads: string[]
  slow: boolean
  /** Lets all reads under way answer with what they saw when they were asked. */
  answer(): Promise<void>
}

function makeShelf(): Shelf {
  const held = new Map<string, StoredSession>()
  const waiting: (() => void)[] = []
  return {
    held,
    reads: [],
    slow: false,
    get(name): Maybe<StoredSession | undefined> {
      this.reads.push(name)
      const seen = held.get(name)
      if (!this.slow) return seen
      return new Promise((resolve) => waiting.push(() => resolve(seen)))
    },
    put() {},
    remove: (name) => held.delete(name),
    list: () => [],
    async answer() {
      for (const go of waiting.splice(0)) go()
      for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    },
  }
}

let now: number
let shelf: Shelf
let policies: PolicyBook

beforeEach(() => {
  now = 1_000_000
  shelf = makeShelf()
  policies = makePolicyBook([])
})

function store(name: string, json: object = {}, goneAt?: number): void {
  const session = parseSession({ org_id: 'org1', ...json }).session as Session
  shelf.held.set(name, { session, goneAt })
}

function keyringWith(keys: Partial<GatewaySettings['keys']> = {}): Keyring {
  const clock = { now: () => now, after: () => () => {}, breathe: () => Promise.resolve() }
  const settings = { ...plainSettings, keys: { ...plainSettings.keys, ...keys } }
  return makeKeyring({ store: { sessions: shelf }, settings, policies: () => policies, clock, log: silentLog })
}

function atOnce(found: Maybe<KeyEntry | undefined>): KeyEntry | undefined {
  if (found instanceof Promise) throw new Error('the keyring made a promise')
  return found
}

describe('a key', () => {
  test('is found by its full and its short name, without a promise', () => {
    store('org1joe')
    const keyring = keyringWith()
    expect(atOnce(keyring.find('joe', 'org1'))).toMatchObject({ keyName: 'org1joe', storedName: 'org1joe' })
    expect(atOnce(keyring.find('org1joe', 'org1'))).toMatchObject({ keyName: 'org1joe' })
    expect(atOnce(keyring.find('joe', 'org2'))).toBeUndefined()
  })

  test('is read once and then kept', () => {
    store('org1joe')
    const keyring = keyringWith()
    const first = keyring.find('joe', 'org1')
    expect(keyring.find('joe', 'org1')).toBe(first)
    expect(shelf.reads).toEqual(['org1joe'])
  })

  test('that is hashed is stored and counted under its hash', () => {
    const name = makeKeyName('org1', 'joe', 'sha256')
    store(storedNameOf(name, true))
    const keyring = keyringWith({ hashKeys: true, hashFunction: 'sha256' })
    expect(atOnce(keyring.find('joe', 'org1'))).toMatchObject({ keyName: name, storedName: storedNameOf(name, true) })
    expect(atOnce(keyring.find(storedNameOf(name, true), 'org1'))).toBeUndefined()
  })

  test('made with an older function is found by way of the fallback', () => {
    store('org1joe')
    const keyring = keyringWith({ hashFunction: 'sha256', hashFunctionFallback: [''] })
    expect(atOnce(keyring.find('joe', 'org1'))?.keyName).toBe('org1joe')
  })

  test('that is unknown is asked for again: it may have been made meanwhile', () => {
    const keyring = keyringWith()
    expect(atOnce(keyring.find('joe', 'org1'))).toBeUndefined()
    store('org1joe')
    expect(atOnce(keyring.find('joe', 'org1'))).toBeDefined()
  })

  test('names its bucket after whichever was changed later, the key or its policies', () => {
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
    const bucketOf = (lastUpdated: string, outline?: SessionStore['outline']) => {
      store('org1joe', { apply_policies: ['gold'], last_updated: lastUpdated })
      Object.assign(shelf, { outline })
      const key = atOnce(keyringWith().find('joe', 'org1'))
      const access = key?.accessTo(api as ApiDefinition)
      return access && key?.counterOn(api as ApiDefinition, access).generation
    }
    // As of a store that tells what sessions have in common, whose policies are then applied once for all.
    const outline = (name: string): SessionOutline | undefined => {
      const stored = shelf.held.get(name)
      return stored && { ...outlineOf(stored), common: splitSession(stored.session).common }
    }
    for (const told of [undefined, outline]) {
      expect(bucketOf('1600', told)).toBe('1700')
      expect(bucketOf('1800', told)).toBe('1800')
    }
  })

  test('tells when it expires, and its hash for logs', () => {
    store('org1joe', { expires: 1500 })
    expect(atOnce(keyringWith().find('joe', 'org1'))).toMatchObject({
      expiresAt: 1_500_000,
      logName: storedNameOf('org1joe', true),
    })
  })
})

describe('what is kept ends', () => {
  test('when the store forgets the session', () => {
    store('org1joe', {}, now + 1000)
    const keyring = keyringWith()
    keyring.find('joe', 'org1')
    shelf.held.clear()
    now += 999
    expect(atOnce(keyring.find('joe', 'org1'))).toBeDefined()
    now += 1
    expect(atOnce(keyring.find('joe', 'org1'))).toBeUndefined()
  })

  test('under every name when the key is forgotten', () => {
    store('org1joe', { alias: 'old' })
    const keyring = keyringWith()
    keyring.find('joe', 'org1')
    keyring.find('org1joe', 'org1')
    store('org1joe', { alias: 'new' })
    keyring.forget('org1joe')
    expect(atOnce(keyring.find('joe', 'org1'))?.session.alias).toBe('new')
    expect(atOnce(keyring.find('org1joe', 'org1'))?.session.alias).toBe('new')
  })

  test('when policies are replaced', () => {
    const gold = (rate: number) => {
      const read = readPolicy({ id: 'gold', org_id: 'org1', rate, per: 1, access_rights: { a: {} } })
      if ('problem' in read) throw new Error(read.problem)
      return makePolicyBook([read.policy])
    }
    store('org1joe', { apply_policies: ['gold'] })
    policies = gold(1)
    const keyring = keyringWith()
    expect(atOnce(keyring.find('joe', 'org1'))?.session.rate).toBe(1)
    policies = gold(2)
    keyring.renew()
    expect(atOnce(keyring.find('joe', 'org1'))?.session.rate).toBe(2)
    policies = makePolicyBook([])
    keyring.renew()
    expect(atOnce(keyring.find('joe', 'org1'))?.policyProblem).toBe('policy not found: "gold"')
  })

  test('at once where nothing is to be kept', () => {
    store('org1joe')
    const keyring = keyringWith({ cachedSessions: 0 })
    expect(atOnce(keyring.find('joe', 'org1'))).toBeDefined()
    expect(atOnce(keyring.find('joe', 'org1'))).toBeDefined()
    expect(shelf.reads).toEqual(['org1joe', 'org1joe'])
  })

  test('for the least recently used when there are too many', () => {
    const keyring = keyringWith({ cachedSessions: 2 })
    for (const name of ['a', 'b', 'c']) store(`org1${name}`)
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) keyring.find(name, 'org1')
    expect(shelf.reads).toEqual(['org1a', 'org1b', 'org1c', 'org1b'])
  })
})

describe('on a store that takes time', () => {
  beforeEach(() => {
    shelf.slow = true
  })

  test('all who ask at the same time share one read, of all names in one go', async () => {
    store('joe')
    const keyring = keyringWith()
    const asked = [keyring.find('joe', 'org1'), keyring.find('joe', 'org1')]
    expect(shelf.reads).toEqual(['org1joe', 'joe'])
    await shelf.answer()
    const [first, second] = await Promise.all(asked)
    expect(first).toMatchObject({ keyName: 'joe' })
    expect(second).toBe(first)
    expect(atOnce(keyring.find('joe', 'org1'))).toBe(first)
  })

  test('a read that a removal overtook does not bring the key back', async () => {
    store('org1joe')
    const keyring = keyringWith()
    const early = keyring.find('joe', 'org1')
    shelf.held.delete('org1joe')
    keyring.forget('org1joe')
    const late = keyring.find('joe', 'org1')
    await shelf.answer()
    expect(await early).toBeDefined()
    expect(await late).toBeUndefined()
    shelf.slow = false
    expect(atOnce(keyring.find('joe', 'org1'))).toBeUndefined()
  })

  test('a read that a reload overtook is not kept', async () => {
    store('org1joe')
    const keyring = keyringWith()
    const early = keyring.find('joe', 'org1')
    keyring.renew()
    await shelf.answer()
    await early
    shelf.reads = []
    keyring.find('joe', 'org1')
    expect(shelf.reads).toEqual(['org1joe', 'joe'])
  })

  test('a read that fails is not remembered', async () => {
    const keyring = keyringWith()
    store('org1joe')
    const working = shelf.get
    shelf.get = () => Promise.reject(new Error('away'))
    await expect(keyring.find('joe', 'org1')).rejects.toThrow('away')
    shelf.get = working
    shelf.slow = false
    expect(atOnce(keyring.find('joe', 'org1'))).toBeDefined()
  })
})
