import { makeMemoryStore } from '@turnpike/core/store-memory'
import { describe, expect, it } from 'vitest'
import { makeManualClock } from '../../../core/test/support/manual-clock.ts'
import { makeClientStore } from './client-store.ts'

const clock = makeManualClock(0)
const record = (id: string) => JSON.stringify({ id, secret: 's', redirecturi: '', policyid: '' })

describe('clients of an API', () => {
  it('without a list are found by the names of their records, and listed from then on', async () => {
    const store = makeMemoryStore({ clock })
    for (const id of ['two', 'one']) await store.records.put(`oauth-data.a.oauth-clientid.${id}`, record(id))
    await store.records.put('oauth-data.b.oauth-clientid.three', record('three'))
    const clients = makeClientStore({ id: 'a', orgId: 'org1' }, { store, clock, changed: () => undefined })
    expect((await clients.list()).map(({ id }) => id)).toEqual(['one', 'two'])
    const members = await store.records.members('oauth-data.a.oauth-client-index.org1')
    expect(members.map(({ member }) => member)).toEqual(['oauth-clientid.one', 'oauth-clientid.two'])
  })
})
