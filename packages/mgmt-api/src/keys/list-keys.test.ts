import { describe, expect, it } from 'vitest'
import { keyedApi, makeTestGateway, sessionFor } from '../../test/test-gateway.ts'

const apis = [keyedApi('a'), keyedApi('b')]

describe('GET /svc/keys', () => {
  it('lists names that begin with the filter, sorted', async () => {
    const gateway = await makeTestGateway({ apis })
    for (const name of ['zoe', 'amy', 'zed']) await gateway.call('POST', `/svc/keys/${name}`, sessionFor('a'))
    expect((await gateway.call('GET', '/svc/keys')).json).toEqual({ keys: ['org1amy', 'org1zed', 'org1zoe'] })
    expect((await gateway.call('GET', '/svc/keys?filter=org1z')).json).toEqual({ keys: ['org1zed', 'org1zoe'] })
    expect((await gateway.call('GET', '/svc/keys?filter=none')).json).toEqual({ keys: [] })
  })

  it('finds base64 names by their organisation', async () => {
    const gateway = await makeTestGateway({ apis, settings: { keys: { hashFunction: 'sha256' } } })
    const made = (await gateway.call('POST', '/svc/keys/amy', sessionFor('a'))).json as { key: string }
    expect((await gateway.call('GET', '/svc/keys?filter=org1')).json).toEqual({ keys: [made.key] })
    expect((await gateway.call('GET', '/svc/keys?filter=org2')).json).toEqual({ keys: [] })
  })

  it('takes an API as filter, which needs a prefix where keys are not hashed', async () => {
    const gateway = await makeTestGateway({ apis })
    await gateway.call('POST', '/svc/keys/amy', sessionFor('a'))
    await gateway.call('POST', '/svc/keys/bob', sessionFor('b'))
    expect((await gateway.call('GET', '/svc/keys?api_id=b&filter=org1')).json).toEqual({ keys: ['org1bob'] })
    expect(await gateway.call('GET', '/svc/keys?api_id=b')).toMatchObject({
      status: 400,
      json: { message: "The 'filter' parameter (Org ID) is required when filtering by 'api_id' in legacy mode" },
    })
  })

  it('counts master keys to every API', async () => {
    const gateway = await makeTestGateway({ apis, settings: { keys: { allowMasterKeys: true } } })
    await gateway.call('POST', '/svc/keys/master', { org_id: 'org1' })
    expect((await gateway.call('GET', '/svc/keys?api_id=any&filter=org1')).json).toEqual({ keys: ['org1master'] })
  })

  it('lists hashes only where that is switched on; then the prefix is ignored', async () => {
    const settings = { keys: { hashKeys: true, hashFunction: 'murmur64' as const } }
    const closed = await makeTestGateway({ apis, settings })
    expect(await closed.call('GET', '/svc/keys')).toMatchObject({
      status: 404,
      json: { message: 'Hashed key listing is disabled in config (enable_hashed_keys_listing)' },
    })
    const gateway = await makeTestGateway({ apis, settings, options: { hashedKeysListing: true } })
    const made = (await gateway.call('POST', '/svc/keys/amy', sessionFor('a'))).json as { key_hash: string }
    expect((await gateway.call('GET', '/svc/keys?filter=zzz')).json).toEqual({ keys: [made.key_hash] })
    expect((await gateway.call('GET', '/svc/keys?api_id=a')).json).toEqual({ keys: [made.key_hash] })
    expect((await gateway.call('GET', '/svc/keys?api_id=b')).json).toEqual({ keys: [] })
  })

  it.each([
    ['', true],
    ['murmur64', true],
    ['murmur128', true],
    ['sha256', false],
  ] as const)('warns about hashes that can be inverted (%s: %s)', async (hashFunction, warns) => {
    const settings = { keys: { hashKeys: true, hashFunction } }
    const gateway = await makeTestGateway({ apis, settings, options: { hashedKeysListing: true } })
    expect((await gateway.call('GET', '/svc/keys')).headers.get('warning')).toBeNull()
    await gateway.call('POST', '/svc/keys/create', sessionFor('a'))
    const warning = (await gateway.call('GET', '/svc/keys')).headers.get('warning')
    expect(warning ?? '').toMatch(warns ? /^299 - ".*can be inverted.*sha256/ : /^$/)
  })
})
