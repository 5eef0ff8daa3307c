import { describe, expect, it } from 'vitest'
import { keyedApi, makeTestGateway, sessionFor } from '../../test/test-gateway.ts'

const apis = [keyedApi('a')]

describe('POST /svc/keys/create', () => {
  it('makes a key of the organisation and 32 hex digits', async () => {
    const gateway = await makeTestGateway({ apis })
    const { json } = await gateway.call('POST', '/svc/keys/create', sessionFor('a'))
    expect(json).toEqual({ key: expect.stringMatching(/^org1[0-9a-f]{32}$/), status: 'ok', action: 'added' })
  })

  it('returns the hash if keys are hashed', async () => {
    const gateway = await makeTestGateway({ apis, settings: { keys: { hashKeys: true } } })
    const { json } = await gateway.call('POST', '/svc/keys/create', sessionFor('a'))
    expect(json).toMatchObject({ key_hash: expect.stringMatching(/^[0-9a-f]{8}$/) })
  })

  it('checks in this order: body, certificate, bindings, policies, rights', async () => {
    const gateway = await makeTestGateway({ apis })
    await gateway.call('POST', '/svc/keys/create', { ...sessionFor('a'), certificate: 'org1cert' })
    const taken = { org_id: 'org1', certificate: 'org1cert', mtls_static_certificate_bindings: ['zzz'] }
    const bound = { org_id: 'org1', mtls_static_certificate_bindings: ['zzz'], apply_policies: ['ghost'] }
    const wrongPolicy = { org_id: 'org1', apply_policies: ['ghost'] }
    const responses = []
    for (const body of ['{', taken, bound, wrongPolicy, { org_id: 'org1' }]) {
      const { status, json } = await gateway.call('POST', '/svc/keys/create', body)
      responses.push([status, (json as { message: string }).message])
    }
    expect(responses).toEqual([
      [500, 'Unmarshalling failed'],
      [500, 'Failed to create key - Key with given certificate already found:org1cert'],
      [400, 'invalid certificate ID: zzz'],
      [500, 'Failed to create key - policy not found: "ghost"'],
      [400, 'Failed to create key, keys must have at least one Access Rights record set.'],
    ])
  })

  it('makes an HMAC secret when HMAC is on', async () => {
    const gateway = await makeTestGateway({ apis })
    const made = await gateway.call('POST', '/svc/keys/create', { ...sessionFor('a'), hmac_enabled: true })
    const { json } = await gateway.call('GET', `/svc/keys/${(made.json as { key: string }).key}`)
    expect(json).toMatchObject({ hmac_enabled: true, hmac_string: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/) })
  })

  it('keeps an expiry in the past and does not know suppress_reset', async () => {
    const gateway = await makeTestGateway({ apis })
    const made = await gateway.call('POST', '/svc/keys/create?suppress_reset=1', { ...sessionFor('a'), expires: 100 })
    const { json } = await gateway.call('GET', `/svc/keys/${(made.json as { key: string }).key}`)
    expect(json).toMatchObject({ expires: 100, last_updated: '1767225600', quota_renews: 1_767_225_600 })
  })

  it('does not check MCP fields', async () => {
    const gateway = await makeTestGateway({ apis })
    const rights = { a: { json_rpc_methods: [{ name: 'x' }] } }
    expect((await gateway.call('POST', '/svc/keys/create', { org_id: 'org1', access_rights: rights })).status).toBe(200)
  })
})
