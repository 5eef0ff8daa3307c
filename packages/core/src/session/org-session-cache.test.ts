import { beforeEach, describe, expect, test } from 'vitest'
import { plainSettings } from '../../test/support/test-settings.ts'
import { isPromise, type Maybe } from '../lib/maybe.ts'
import type { Session } from '../ports/session.ts'
import type { GatewaySettings } from '../ports/settings.ts'
import type { SessionStore, StoredSession } from '../ports/store.ts'
import type { OrgEntry } from './org-session-cache.ts'
import { makeOrgSessionCache } from './org-session-cache.ts'
import { parseSession } from './session-json.ts'

let now = 0
let reads = 0
let held: Map<string, StoredSession>
let slow: ((response: () => void) => void) | undefined

beforeEach(() => {
  now = 1000
  reads = 0
  held = new Map()
  slow = undefined
})

function registry(changed: Partial<GatewaySettings> = {}) {
  const organisations: SessionStore = {
    get(orgId): Maybe<StoredSession | undefined> {
      reads++
      const seen = held.get(orgId)
      const wait = slow
      return wait === undefined ? seen : new Promise((resolve) => wait(() => resolve(seen)))
    },
    find: () => undefined,
    put() {},
    remove: () => false,
    list: () => [],
  }
  const clock = { now: () => now, after: () => () => {}, breathe: () => Promise.resolve() }
  return makeOrgSessionCache({
    store: { organisations },
    settings: { ...plainSettings, ...changed },
    clock,
  })
}

function store(orgId: string, json: object, storedUntil?: number): void {
  held.set(orgId, { session: parseSession(json).session as Session, storedUntil })
}

function atOnce(found: Maybe<OrgEntry | undefined>): OrgEntry | undefined {
  if (isPromise(found)) throw new Error('the registry returned a promise')
  return found
}

describe('the session of an organisation', () => {
  test('is read once until it changes, also if it does not exist', () => {
    const orgs = registry()
    expect(atOnce(orgs.find('o'))).toBeUndefined()
    store('o', { is_inactive: true })
    expect(atOnce(orgs.find('o'))).toBeUndefined()
    orgs.forget('o')
    expect(atOnce(orgs.find('o'))?.inactive).toBe(true)
    expect(atOnce(orgs.find('o'))?.inactive).toBe(true)
    expect(reads).toBe(2)
  })

  test('is not returned after its lifetime', () => {
    store('o', {}, 2000)
    const orgs = registry()
    expect(atOnce(orgs.find('o'))).toBeDefined()
    held.clear()
    now = 2000
    expect(atOnce(orgs.find('o'))).toBeUndefined()
  })

  test('has a quota if quota_max is above 0, and a rate if rate and per are above 0', () => {
    store('o', { quota_max: 5, quota_renewal_rate: 60, rate: 2, per: 10, last_updated: '7' })
    expect(atOnce(registry().find('o'))).toMatchObject({
      counter: {
        subject: 'o',
        kind: 'organisation',
        generation: '7',
        quota: { max: 5, renewalSeconds: 60 },
        rate: { rate: 2, per: 10 },
      },
    })
    store('p', { quota_max: -1, rate: 2 })
    expect(atOnce(registry().find('p'))).toMatchObject({ counter: { quota: undefined, rate: undefined } })
  })

  test('gives access to every API unless it has access rights', () => {
    store('all', {})
    store('one', { access_rights: { a: {} } })
    const orgs = registry()
    expect(atOnce(orgs.find('all'))?.opens('a')).toBe(true)
    expect([atOnce(orgs.find('one'))?.opens('a'), atOnce(orgs.find('one'))?.opens('b')]).toEqual([true, false])
  })

  test('that changed during a read is not cached', async () => {
    const responses: (() => void)[] = []
    slow = (response) => responses.push(response)
    const orgs = registry()
    const early = orgs.find('o')
    store('o', { is_inactive: true })
    orgs.forget('o')
    slow = undefined
    expect(atOnce(orgs.find('o'))?.inactive).toBe(true)
    for (const response of responses) response()
    expect(await early).toBeUndefined()
    expect(atOnce(orgs.find('o'))?.inactive).toBe(true)
  })
})
