import { describe, expect, it } from 'vitest'
import { keyedApi, makeTestGateway, sessionFor } from '../../test/test-gateway.ts'

const apis = [keyedApi('a'), keyedApi('other', { org_id: 'org2' })]
const gold = {
  id: 'gold',
  org_id: 'org1',
  rate: 7,
  per: 2,
  quota_max: 50,
  quota_renewal_rate: 120,
  access_rights: { a: { api_id: 'a', versions: ['Default'] } },
}

describe('names of keys', () => {
  it('are short where the organisation is known: by org_id, or by an API of it', async () => {
    const gateway = await makeTestGateway({ apis })
    await gateway.call('POST', '/svc/keys/amelia', sessionFor('a'))
    const statuses = []
    for (const query of ['', '?org_id=org1', '?org_id=org2', '?api_id=a', '?api_id=other', '?api_id=none']) {
      statuses.push((await gateway.call('GET', `/svc/keys/amelia${query}`)).status)
    }
    expect(statuses).toEqual([404, 200, 404, 200, 404, 404])
  })

  it('are never short where keys may not be acted on by user name', async () => {
    const gateway = await makeTestGateway({ apis, settings: { keys: { actionsByUsername: false } } })
    await gateway.call('POST', '/svc/keys/amelia', sessionFor('a'))
    expect((await gateway.call('GET', '/svc/keys/amelia?org_id=org1')).status).toBe(404)
    expect((await gateway.call('GET', '/svc/keys/amelia?org_id=org1&username=true')).status).toBe(404)
    expect((await gateway.call('GET', '/svc/keys/org1amelia?username=true')).status).toBe(200)
  })

  it('are full names too for ?username=true, with a hash function', async () => {
    const gateway = await makeTestGateway({ apis, settings: { keys: { hashFunction: 'murmur128' } } })
    const { key } = (await gateway.call('POST', '/svc/keys/amelia', sessionFor('a'))).json as { key: string }
    for (const name of ['amelia', key]) {
      expect((await gateway.call('GET', `/svc/keys/${name}?org_id=org1&username=true`)).status).toBe(200)
    }
  })

  it('are required by PUT and DELETE', async () => {
    const gateway = await makeTestGateway({ apis })
    const put = await gateway.call('PUT', '/svc/keys', sessionFor('a'))
    expect(put).toMatchObject({ status: 404, json: { message: 'Key is not found' } })
    expect((await gateway.call('PUT', '/svc/keys', '{')).status).toBe(400)
    const removed = await gateway.call('DELETE', '/svc/keys/')
    expect(removed).toMatchObject({ status: 404, json: { message: 'There is no such key found' } })
  })

  it('are hashes with ?hashed, for GET, PUT and DELETE', async () => {
    const gateway = await makeTestGateway({ apis, settings: { keys: { hashKeys: true, hashFunction: 'sha256' } } })
    const made = (await gateway.call('POST', '/svc/keys/amelia', sessionFor('a'))).json as { key_hash: string }
    const path = `/svc/keys/${made.key_hash}`
    expect((await gateway.call('GET', path)).status).toBe(404)
    expect((await gateway.call('GET', `${path}?hashed=yes`)).status).toBe(200)
    expect((await gateway.call('PUT', `${path}?hashed=1`, sessionFor('a'))).json).toMatchObject({ key: made.key_hash })
    expect((await gateway.call('DELETE', `${path}?hashed=1`)).json).toMatchObject({ key: made.key_hash })
    expect((await gateway.call('DELETE', `${path}?hashed=1`)).json).toMatchObject({
      message: 'There is no such key found',
    })
  })

  it('cannot be hashes while keys are not hashed', async () => {
    const gateway = await makeTestGateway({ apis })
    expect(await gateway.call('GET', '/svc/keys/any?hashed=1')).toMatchObject({
      status: 400,
      json: { message: 'Key requested by hash but key hashing is not enabled' },
    })
  })
})

describe('GET /svc/keys/{name}', () => {
  it('shows policies applied and what is left of the quota of each API', async () => {
    const gateway = await makeTestGateway({ apis, policies: [gold] })
    await gateway.call('POST', '/svc/keys/amelia', { org_id: 'org1', apply_policies: ['gold'] })
    const before = (await gateway.call('GET', '/svc/keys/org1amelia')).json
    expect(before).toMatchObject({ rate: 7, access_rights: { a: { limit: { quota_max: 50, quota_remaining: 50 } } } })
    await gateway.ask('/a/x', 'org1amelia')
    expect((await gateway.call('GET', '/svc/keys/org1amelia')).json).toMatchObject({
      quota_remaining: 49,
      access_rights: { a: { limit: { quota_remaining: 49 } } },
    })
  })

  it('follows a policy that a reload changed', async () => {
    const gateway = await makeTestGateway({ apis, policies: [gold] })
    await gateway.call('POST', '/svc/keys/amelia', { org_id: 'org1', apply_policies: ['gold'] })
    gateway.files.set('policies/gold.json', JSON.stringify({ ...gold, quota_max: 9 }))
    await gateway.call('GET', '/svc/reload?block=true')
    expect((await gateway.call('GET', '/svc/keys/org1amelia')).json).toMatchObject({ quota_max: 9 })
  })
})

describe('DELETE /svc/keys/{name}', () => {
  it('removes the key and what was counted; the key admits nothing from the response on', async () => {
    const gateway = await makeTestGateway({ apis })
    const limited = { ...sessionFor('a'), quota_max: 1, quota_renewal_rate: 60 }
    await gateway.call('POST', '/svc/keys/amelia', limited)
    expect(await gateway.ask('/a/x', 'amelia')).toBe(200)
    const said = await gateway.call('DELETE', '/svc/keys/org1amelia')
    expect(said.json).toEqual({ key: 'org1amelia', status: 'ok', action: 'deleted' })
    expect(await gateway.ask('/a/x', 'amelia')).toBe(403)
    await gateway.call('POST', '/svc/keys/amelia?suppress_reset=1', limited)
    expect(await gateway.ask('/a/x', 'amelia')).toBe(200)
  })

  it('answers null with api_id=-1', async () => {
    const gateway = await makeTestGateway({ apis })
    await gateway.call('POST', '/svc/keys/amelia', sessionFor('a'))
    const said = await gateway.call('DELETE', '/svc/keys/org1amelia?api_id=-1')
    expect([said.status, said.text]).toEqual([200, 'null\n'])
  })
})

describe('POST /svc/keys/preview', () => {
  it('shows what policies make of a session, passes their errors over and stores nothing', async () => {
    const gateway = await makeTestGateway({ apis, policies: [gold] })
    const preview = async (body: unknown) => await gateway.call('POST', '/svc/keys/preview', body)
    expect((await preview({ org_id: 'org1', apply_policies: ['gold'] })).json).toMatchObject({
      rate: 7,
      date_created: '2026-01-01T00:00:00.000Z',
      last_updated: '1767225600',
    })
    expect((await preview({ org_id: 'org1', apply_policies: ['ghost'] })).status).toBe(200)
    expect(await preview('x')).toMatchObject({ status: 500, json: { message: 'Unmarshalling failed' } })
    expect((await gateway.call('GET', '/svc/keys')).json).toEqual({ keys: [] })
  })

  it('returns the date of a policy that was changed later', async () => {
    const later = { ...gold, last_updated: '9999999999' }
    const gateway = await makeTestGateway({ apis, policies: [later] })
    const { json } = await gateway.call('POST', '/svc/keys/preview', { org_id: 'org1', apply_policies: ['gold'] })
    expect(json).toMatchObject({ last_updated: '9999999999' })
  })

  it('leaves GET to a key of that name', async () => {
    const gateway = await makeTestGateway({ apis })
    await gateway.call('POST', '/svc/keys/org1preview', sessionFor('a'))
    expect((await gateway.call('GET', '/svc/keys/preview?org_id=org1')).status).toBe(200)
  })
})

describe('POST /svc/keys/policy/{stored name}', () => {
  it('gives apply_policies followed by policy, at once and without a reset', async () => {
    const gateway = await makeTestGateway({ apis, policies: [gold] })
    await gateway.call('POST', '/svc/keys/amelia', { ...sessionFor('a'), quota_max: 9, quota_renewal_rate: 60 })
    await gateway.ask('/a/x', 'org1amelia')
    const body = { apply_policies: ['ghost'], policy: 'gold' }
    const said = await gateway.call('POST', '/svc/keys/policy/org1amelia', body)
    expect(said.json).toEqual({ key: 'org1amelia', status: 'ok', action: 'updated' })
    expect((await gateway.call('GET', '/svc/keys/org1amelia')).json).toMatchObject({
      apply_policies: ['ghost', 'gold'],
      quota_max: 50,
      quota_remaining: 49,
    })
  })

  it('replaces apply_policy_id too', async () => {
    const gateway = await makeTestGateway({ apis, policies: [gold] })
    await gateway.call('POST', '/svc/keys/amelia', { ...sessionFor('a'), apply_policy_id: 'gold' })
    await gateway.call('POST', '/svc/keys/policy/org1amelia', { apply_policies: [] })
    const { json } = await gateway.call('GET', '/svc/keys/org1amelia')
    expect(json).not.toHaveProperty('apply_policy_id')
  })

  it('wants the stored name and an instruction', async () => {
    const gateway = await makeTestGateway({ apis })
    await gateway.call('POST', '/svc/keys/amelia', sessionFor('a'))
    expect(await gateway.call('POST', '/svc/keys/policy/amelia', { policy: 'p' })).toMatchObject({
      status: 404,
      json: { message: 'Key not found' },
    })
    expect(await gateway.call('POST', '/svc/keys/policy/org1amelia', 'x')).toMatchObject({
      status: 400,
      json: { message: "Couldn't decode instruction" },
    })
  })
})
