import { describe, expect, it } from 'vitest'
import { keyedApi, makeTestGateway, sessionFor } from '../../test/test-gateway.ts'

const apis = [keyedApi('a'), keyedApi('mcp', { application_protocol: 'mcp' })]
const message = (said: { json: unknown }) => (said.json as { message?: string }).message

describe('POST /svc/keys/{name}', () => {
  it('prefixes the name with the organisation once', async () => {
    const gateway = await makeTestGateway({ apis })
    for (const name of ['alice', 'org1alice']) {
      const { json } = await gateway.call('POST', `/svc/keys/${name}`, sessionFor('a'))
      expect(json).toEqual({ key: 'org1alice', status: 'ok', action: 'added' })
    }
  })

  it('keeps a full name in base64 as it is', async () => {
    const gateway = await makeTestGateway({ apis, settings: { keys: { hashFunction: 'murmur64' } } })
    const first = (await gateway.call('POST', '/svc/keys/alice', sessionFor('a'))).json as { key: string }
    expect((await gateway.call('POST', `/svc/keys/${first.key}`, sessionFor('a'))).json).toEqual(first)
  })

  it('makes a random key where no name is given', async () => {
    const gateway = await makeTestGateway({ apis })
    const { json } = await gateway.call('POST', '/svc/keys', sessionFor('a'))
    expect(json).toMatchObject({ key: expect.stringMatching(/^org1[0-9a-f]{32}$/) })
  })

  it('replaces the session of a key that is there', async () => {
    const gateway = await makeTestGateway({ apis })
    await gateway.call('POST', '/svc/keys/x', { ...sessionFor('a'), alias: 'first' })
    await gateway.call('POST', '/svc/keys/x', sessionFor('a'))
    expect((await gateway.call('GET', '/svc/keys/org1x')).json).not.toHaveProperty('alias')
  })

  it('returns one text for missing rights and for policies, and keeps the stored session', async () => {
    const gateway = await makeTestGateway({ apis })
    await gateway.call('POST', '/svc/keys/x', { ...sessionFor('a'), alias: 'first', quota_max: 5 })
    await gateway.ask('/a/x', 'org1x')
    for (const body of [{ org_id: 'org1' }, { ...sessionFor('a'), apply_policies: ['ghost'] }]) {
      const said = await gateway.call('POST', '/svc/keys/x', body)
      expect(said.status).toBe(500)
      expect(message(said)).toBe('Failed to create key, ensure security settings are correct.')
    }
    expect((await gateway.call('GET', '/svc/keys/org1x')).json).toMatchObject({ alias: 'first', quota_remaining: 4 })
  })

  it('drops an expiry in the past', async () => {
    const gateway = await makeTestGateway({ apis })
    await gateway.call('POST', '/svc/keys/x', { ...sessionFor('a'), expires: 100 })
    expect((await gateway.call('GET', '/svc/keys/org1x')).json).not.toHaveProperty('expires')
  })

  it.each([
    ['restricted_types', 'Account'],
    ['allowed_types', {}],
    ['field_access_rights', 7],
    ['json_rpc_methods', {}],
    ['json_rpc_methods_access_rights', []],
    ['mcp_primitives', true],
    ['mcp_access_rights', 'all'],
  ])('rejects an access right with another type of %s', async (name, value) => {
    const gateway = await makeTestGateway({ apis })
    const said = await gateway.call('POST', '/svc/keys/x', {
      org_id: 'org1',
      access_rights: { other: { [name]: value } },
    })
    expect([said.status, message(said)]).toEqual([400, 'Request malformed'])
  })

  it.each([
    ['allowed_urls[1].url', { allowed_urls: [{ url: '/x' }, { url: '/y(' }] }],
    ['endpoints[0].path', { endpoints: [{ path: '/y[', methods: [] }] }],
  ])('rejects a path that is not a valid pattern, in policies too: %s', async (place, right) => {
    const gateway = await makeTestGateway({ apis })
    const body = { id: 'p', org_id: 'org1', access_rights: { a: { api_id: 'a', ...right } } }
    await gateway.call('POST', '/svc/keys/x', { org_id: 'org1', access_rights: { a: { api_id: 'a' } } })
    for (const [method, path] of [
      ['POST', '/svc/keys/create'],
      ['POST', '/svc/keys/x'],
      ['PUT', '/svc/keys/x'],
      ['POST', '/svc/policies'],
    ] as const) {
      const said = await gateway.call(method, path, body)
      expect([said.status, message(said)]).toEqual([
        400,
        expect.stringContaining(`access_rights.a.${place} is not a valid pattern: `),
      ])
    }
  })

  it('rejects MCP fields elsewhere and the others on MCP proxies', async () => {
    const gateway = await makeTestGateway({ apis })
    const put = (rights: object) => gateway.call('POST', '/svc/keys/x', { org_id: 'org1', access_rights: rights })
    expect(message(await put({ a: { mcp_primitives: [{ type: 'tool', name: 't' }] } }))).toBe(
      'MCP fields can only be configured on MCP Proxies, API "a" is not an MCP Proxy',
    )
    expect(message(await put({ mcp: { allowed_urls: [{ url: '/x', methods: ['GET'] }] } }))).toBe(
      'HTTP/REST and GraphQL fields cannot be configured on MCP Proxies, API "mcp" is an MCP Proxy',
    )
    expect((await put({ mcp: { mcp_primitives: [{ type: 'tool' }] }, unknown: { mcp_primitives: [1] } })).status).toBe(
      200,
    )
  })

  it('hashes the password of a basic user and never shows it', async () => {
    const gateway = await makeTestGateway({ apis })
    const body = { ...sessionFor('a'), basic_auth_data: { password: 'open sesame' } }
    expect((await gateway.call('POST', '/svc/keys/anna', body)).json).toMatchObject({ key: 'org1anna' })
    const { json, text } = await gateway.call('GET', '/svc/keys/org1anna')
    expect(json).toMatchObject({ basic_auth_data: { hash_type: 'bcrypt' } })
    expect(text).not.toMatch(/password|sesame|slow:/)
    expect(gateway.log.mentions('sesame')).toBe(false)
  })

  it('rejects a password if bcrypt would compare only its beginning', async () => {
    const gateway = await makeTestGateway({ apis })
    const put = async (password: string) =>
      gateway.call('POST', '/svc/keys/anna', { ...sessionFor('a'), basic_auth_data: { password } })
    expect((await put('é'.repeat(36))).status).toBe(200)
    const { status, json } = await put('é'.repeat(37))
    expect(status).toBe(400)
    expect(json).toMatchObject({ message: expect.stringMatching(/^basic_auth_data.password has 74 bytes, but bcrypt/) })
    const body = { ...sessionFor('a'), basic_auth_data: { password: 'é'.repeat(37) } }
    expect((await gateway.call('POST', '/svc/keys/create', body)).status).toBe(400)
  })

  it('returns no key of a basic user if keys are hashed', async () => {
    const gateway = await makeTestGateway({ apis, settings: { keys: { hashKeys: true, hashFunction: 'sha256' } } })
    const body = { ...sessionFor('a'), basic_auth_data: { password: 'pw' } }
    const { json } = await gateway.call('POST', '/svc/keys/anna', body)
    expect(json).toMatchObject({ key: '', key_hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })
})
