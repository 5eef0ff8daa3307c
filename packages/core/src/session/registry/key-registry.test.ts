import { describe, expect, it } from 'vitest'
import { quotaCounter } from '../../../test/support/plain-counters.ts'
import { plainSettings } from '../../../test/support/test-settings.ts'
import { parseDefinition } from '../../definition/parse-definition.ts'
import { readShape } from '../../lib/shape/shape.ts'
import type { Clock } from '../../ports/clock.ts'
import { silentLog } from '../../ports/log.ts'
import { type Session, sessionShape } from '../../ports/session.ts'
import { counterKey } from '../../ports/store.ts'
import { makeMemoryStore } from '../../store-memory/memory-store.ts'
import { type Policy, policyShape } from '../policies/policy.ts'
import { makePolicyBook } from '../policies/policy-book.ts'
import { makeKeyLock } from './key-lock.ts'
import { KeyRegistry } from './key-registry.ts'
import type { KeyEvent, KeyRegistryDependencies } from './key-registry-types.ts'
import { makeOrgSessions } from './org-sessions.ts'

const start = Date.UTC(2026, 0, 1)

function setUp(more: Partial<KeyRegistryDependencies> = {}, policies: Policy[] = []) {
  let now = start
  const clock: Clock = { now: () => now, after: () => () => {}, breathe: async () => {} }
  const store = makeMemoryStore({ clock })
  const events: KeyEvent[] = []
  const forgotten: string[] = []
  let made = 0
  const parts: KeyRegistryDependencies = {
    store,
    signals: { publish: async () => {} },
    clock,
    ids: { uuid: () => String(++made).padStart(32, '0') },
    log: silentLog,
    settings: plainSettings,
    passwords: { hash: async (text) => `hashed ${text}`, matches: async () => false },
    policies: () => makePolicyBook(policies),
    apis: () => [apiOf('a', { session_lifetime: 10 }), apiOf('b')],
    keyLock: makeKeyLock(),
    sessionCache: { forget: (name) => void forgotten.push(name) },
    orgs: { forget: (orgId) => void forgotten.push(`org ${orgId}`) },
    announce: (event) => void events.push(event),
    ...more,
  }
  return {
    registry: new KeyRegistry(parts),
    orgs: makeOrgSessions(parts),
    store,
    events,
    forgotten,
    advance: (ms: number) => {
      now += ms
    },
  }
}

function apiOf(id: string, more: object = {}) {
  const text = JSON.stringify({
    api_id: id,
    org_id: 'org1',
    proxy: { listen_path: `/${id}/`, target_url: 'http://u' },
    ...more,
  })
  const { definition } = parseDefinition(text, `${id}.json`, id, { secret: () => undefined })
  if (definition === undefined) throw new Error('the definition is invalid')
  return definition
}

function session(wire: object): Session {
  return readShape(sessionShape, { org_id: 'org1', access_rights: { b: { api_id: 'b' } }, ...wire }).value
}

const policy = (wire: object): Policy => readShape(policyShape, wire).value

describe('a change of a key', () => {
  it('evicts the key on this node before the call returns, and persists if other nodes cannot be notified', async () => {
    const warned: string[] = []
    const { registry, forgotten, store } = setUp({
      signals: { publish: () => Promise.reject(new Error('away')) },
      log: { ...silentLog, warn: (message) => void warned.push(message) },
    })
    expect(await registry.put('x', session({}))).toMatchObject({ kind: 'written', keyName: 'org1x' })
    expect((await registry.remove({ name: 'org1x' })).kind).toBe('removed')
    expect(forgotten).toEqual(['org1x', 'org1x'])
    expect(warned).toHaveLength(2)
    expect(await store.sessions.get('org1x')).toBeUndefined()
  })

  it('is announced with the key name after it was made', async () => {
    const { registry, events } = setUp()
    await registry.create(session({}))
    await registry.put('x', session({}))
    await registry.put('x', session({ access_rights: null }))
    await registry.replace({ name: 'org1x' }, session({}))
    await registry.remove({ name: 'org1x' })
    await registry.remove({ name: 'org1x' })
    expect(events.map(({ name, message }) => `${name} ${message}`)).toEqual([
      'TokenCreated Key generated.',
      'TokenCreated Key modified.',
      'TokenUpdated Key modified.',
      'TokenDeleted Key deleted.',
    ])
  })

  it('that is rejected changes neither session nor counters', async () => {
    const { registry, store } = setUp()
    await registry.put('x', session({ quota_max: 5, alias: 'first' }))
    await store.counters.consume(quotaCounter('org1x', { max: 5, renewalSeconds: 0 }), 2)
    const rejected = await registry.replace({ name: 'org1x' }, session({ apply_policies: ['ghost'], alias: 'second' }))
    expect(rejected).toEqual({ kind: 'policies', reason: 'policy not found: "ghost"' })
    expect(await registry.read({ name: 'org1x' })).toMatchObject({ alias: 'first', quotaRemaining: 3 })
  })

  it('clears the counter of each scope', async () => {
    const { registry, store } = setUp()
    const scoped = session({ access_rights: { b: { limit: { quota_max: 3, quota_renewal_rate: 60 } } } })
    await registry.put('x', scoped)
    await store.counters.consume(quotaCounter('org1x', { max: 3, renewalSeconds: 60 }, 'b'), 2)
    expect((await registry.read({ name: 'org1x' }))?.accessRights?.b?.limit.quotaRemaining).toBe(1)
    await registry.replace({ name: 'org1x' }, scoped)
    expect((await registry.read({ name: 'org1x' }))?.accessRights?.b?.limit.quotaRemaining).toBe(3)
  })

  it('shows the end of the current quota period, for the session and for each API limit', async () => {
    const { registry, store, advance } = setUp()
    const limit = { quota_max: 3, quota_renewal_rate: 60 }
    await registry.put('x', session({ ...limit, access_rights: { a: {}, b: { limit } } }))
    expect((await registry.read({ name: 'org1x' }))?.accessRights?.b?.limit.quotaRenews).toBe(0)
    advance(5000)
    for (const scope of ['', 'b']) {
      await store.counters.consume(quotaCounter('org1x', { max: 3, renewalSeconds: 60 }, scope), 1)
    }
    const shown = await registry.read({ name: 'org1x' })
    expect(shown?.quotaRenews).toBe(start / 1000 + 65)
    expect(shown?.accessRights?.b?.limit.quotaRenews).toBe(start / 1000 + 65)
  })

  it('with suppress_reset keeps the renewal of each API limit', async () => {
    const { registry, store, advance } = setUp()
    await registry.put('x', session({ quota_max: 5, quota_renewal_rate: 60 }))
    advance(5000)
    await registry.replace({ name: 'org1x' }, session({ quota_max: 9, quota_renewal_rate: 60 }), {
      suppressReset: true,
    })
    const stored = (await store.sessions.get('org1x'))?.session
    expect(stored).toMatchObject({ quotaMax: 9, quotaRenews: start / 1000 + 60, lastUpdated: String(start / 1000) })
  })

  it('with suppress_reset keeps the period of an API limit only if both sessions have one', async () => {
    const { registry, store } = setUp()
    const limited = (quota_renews: number) => ({ limit: { quota_max: 3, quota_renewal_rate: 60, quota_renews } })
    const keep = { suppressReset: true }
    await registry.put('x', session({ access_rights: { a: limited(70), b: limited(80) } }), keep)
    const given = session({ access_rights: { a: {}, b: limited(81), c: limited(91) } })
    await registry.replace({ name: 'org1x' }, given, keep)
    const rights = (await store.sessions.get('org1x'))?.session.accessRights
    // A limit with any field would replace those of the session.
    expect(rights?.a?.limit).toEqual(sessionRight('a').limit)
    expect([rights?.b?.limit.quotaRenews, rights?.c?.limit.quotaRenews]).toEqual([80, 91])
  })

  it('with suppress_reset that creates the key again stores the period of the new session', async () => {
    const { registry, store } = setUp()
    await registry.put('x', session({ quota_max: 5, quota_renewal_rate: 60 }))
    await registry.put('x', session({ quota_max: 5, quota_renews: 77, last_updated: '12' }), { suppressReset: true })
    expect((await store.sessions.get('org1x'))?.session).toMatchObject({ quotaRenews: 77, lastUpdated: '12' })
  })
})

describe('policies', () => {
  const expiring = policy({ id: 'p', org_id: 'org1', key_expires_in: 30, access_rights: { b: { api_id: 'b' } } })

  it('set the expiry of new keys, but not of existing ones', async () => {
    const { registry } = setUp({}, [expiring])
    await registry.put('x', session({ apply_policies: ['p'], expires: 4_000_000_000 }))
    expect(await registry.read({ name: 'org1x' })).toMatchObject({ expires: start / 1000 + 30 })
    await registry.put('x', session({ apply_policies: ['p'] }))
    expect(await registry.read({ name: 'org1x' })).toMatchObject({ expires: 0 })
  })

  it('in the metadata of a key set its expiry too', async () => {
    const { registry } = setUp({}, [expiring])
    const inline = { id: 'own', org_id: 'org1', key_expires_in: 60, access_rights: { b: { api_id: 'b' } } }
    await registry.put('x', session({ apply_policies: ['p'], meta_data: { policies: [inline] } }))
    expect(await registry.read({ name: 'org1x' })).toMatchObject({ expires: start / 1000 + 60 })
  })

  it('of another organisation than the API reject the key', async () => {
    const foreign = { ...expiring, accessRights: { other: { ...sessionRight('b') } } }
    const { registry } = setUp({ apis: () => [apiOf('other', { org_id: 'org2' })] }, [foreign])
    expect(await registry.put('x', session({ apply_policies: ['p'] }))).toEqual({
      kind: 'policies',
      reason: 'attempting to apply policy from different organisation to key, skipping',
    })
  })
})

function sessionRight(id: string) {
  const right = session({ access_rights: { [id]: { api_id: id } } }).accessRights?.[id]
  if (right === undefined) throw new Error('the right is missing')
  return right
}

describe('a key is stored', () => {
  it('for the longest lifetime of its APIs, starting again with each change', async () => {
    const { registry, store, advance } = setUp()
    await registry.put('x', session({ access_rights: { a: {} } }))
    expect((await store.sessions.get('org1x'))?.storedUntil).toBe(start + 10_000)
    advance(4000)
    await registry.changePolicies('org1x', [])
    expect((await store.sessions.get('org1x'))?.storedUntil).toBe(start + 10_000)
    await registry.replace({ name: 'org1x' }, session({ access_rights: { a: {} } }))
    expect((await store.sessions.get('org1x'))?.storedUntil).toBe(start + 14_000)
  })

  it('forever by default', async () => {
    const { registry, store } = setUp()
    await registry.put('x', session({ expires: start / 1000 + 5 }))
    expect((await store.sessions.get('org1x'))?.storedUntil).toBeUndefined()
  })
})

describe('a master key', () => {
  it('has access to every API if master keys are allowed', async () => {
    const keys = { ...plainSettings.keys, allowMasterKeys: true }
    const { registry } = setUp({ settings: { ...plainSettings, keys } })
    expect((await registry.put('x', session({ access_rights: null }))).kind).toBe('written')
    expect(await registry.list({ prefix: 'org1', apiId: 'any' })).toEqual(['org1x'])
  })

  it('is rejected otherwise', async () => {
    const { registry } = setUp()
    expect(await registry.create(session({ access_rights: {} }))).toEqual({ kind: 'no-rights' })
  })
})

describe('sessions of organisations', () => {
  it('show the remaining quota', async () => {
    const { orgs, store, forgotten } = setUp()
    await orgs.put('org1', session({ quota_max: 5, quota_renewal_rate: 60 }), false)
    const ofOrg = { ...quotaCounter('org1', { max: 5, renewalSeconds: 60 }), kind: 'organisation' } as const
    await store.counters.consume({ ...ofOrg, id: counterKey(ofOrg) }, 2)
    expect(await orgs.read('org1')).toMatchObject({ quotaRemaining: 3, quotaRenews: start / 1000 + 60 })
    expect([await orgs.remove('org1'), await orgs.remove('org1')]).toEqual([true, false])
    expect(forgotten).toEqual(['org org1', 'org org1', 'org org1'])
  })
})
