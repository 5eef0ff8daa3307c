import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine } from '../../../test/support/test-engine.ts'
import { plainSettings } from '../../../test/support/test-settings.ts'
import { readShape } from '../../lib/shape/shape.ts'
import { silentLog } from '../../ports/log.ts'
import { sessionShape } from '../../ports/session.ts'
import type { Store } from '../../ports/store.ts'
import { KeyRegistry } from '../../session/registry/key-registry.ts'
import { makeTokenSessions } from './token-sessions.ts'

describe('the session of a token', () => {
  it('starts empty if the management API removes the previous one at the same time', async () => {
    const { engine, store: memory } = await makeTestEngine({
      definitions: [definitionOf('a')],
      policies: { gold: { org_id: 'org1', access_rights: { a: { api_id: 'a', versions: ['Default'] } } } },
    })
    const { sessionCache, keyLock, policies, orgs, definitions } = engine
    const [api] = definitions()
    if (api === undefined) throw new Error('the API is not loaded')
    let removed = () => {}
    const isRemoved = new Promise<void>((resolve) => {
      removed = resolve
    })
    let confirm = () => {}
    const isConfirmed = new Promise<void>((resolve) => {
      confirm = resolve
    })
    const remove = async (name: string) => {
      const existed = memory.sessions.remove(name)
      removed()
      await isConfirmed
      return existed
    }
    const store: Store = { ...memory, sessions: { ...memory.sessions, remove } }
    const services = {
      ...{ store, sessionCache, keyLock, policies, log: silentLog },
      clock: { now: () => 0, breathe: async () => {} },
      settings: plainSettings,
      signals: { publish: async () => {} },
    }
    const registry = new KeyRegistry({
      ...{ ...services, orgs, apis: definitions },
      ids: { uuid: () => '1' },
      passwords: { hash: async (text) => text, matches: async () => false },
    })
    const sessions = makeTokenSessions(api, services)
    const old = { org_id: 'org1', apply_policies: [], meta_data: { old: true }, access_rights: { a: { api_id: 'a' } } }
    await store.sessions.put('k', readShape(sessionShape, old).value)
    const entry = await sessions.find('k')

    const removal = registry.remove({ name: 'k', stored: true })
    await isRemoved
    const rights = { identity: 'i', policyIds: ['gold'], expires: undefined, oauthClientId: '' }
    const settled = sessions.settle('k', entry, rights)
    confirm()
    await Promise.all([removal, settled])

    const stored = (await store.sessions.get('k'))?.session
    expect(stored?.applyPolicies).toEqual(['gold'])
    expect(stored?.metaData?.['old']).toBeUndefined()
  })
})
