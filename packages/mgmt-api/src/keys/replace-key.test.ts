import { describe, expect, it } from 'vitest'
import { keyedApi, makeTestGateway, sessionFor, type TestGateway } from '../../test/test-gateway.ts'

const limited = { ...sessionFor('a'), quota_max: 3, quota_renewal_rate: 60 }
const show = async (gateway: TestGateway, name: string) => (await gateway.call('GET', `/svc/keys/${name}`)).json

async function withKey(more: object = {}): Promise<TestGateway> {
  const gateway = await makeTestGateway({ apis: [keyedApi('a', more)] })
  await gateway.call('POST', '/svc/keys/x', limited)
  await gateway.ask('/a/x', 'org1x')
  return gateway
}

describe('PUT /svc/keys/{name}', () => {
  it('replaces everything but the creation date', async () => {
    const gateway = await withKey()
    await gateway.clock.run(5000)
    const said = await gateway.call('PUT', '/svc/keys/org1x', { ...sessionFor('a'), tags: ['t'] })
    expect(said.json).toEqual({ key: 'org1x', status: 'ok', action: 'modified' })
    expect(await show(gateway, 'org1x')).toEqual({
      ...sessionFor('a'),
      tags: ['t'],
      date_created: '2026-01-01T00:00:00.000Z',
      last_updated: '1767225605',
      quota_renews: 1_767_225_605,
    })
  })

  it('resets quotas', async () => {
    const gateway = await withKey()
    expect(await show(gateway, 'org1x')).toMatchObject({ quota_remaining: 2 })
    await gateway.call('PUT', '/svc/keys/org1x', limited)
    expect(await show(gateway, 'org1x')).not.toHaveProperty('quota_remaining')
  })

  it.each([
    ['1', 1],
    ['true', 2],
    ['', 2],
  ])('with suppress_reset=%s, %s of 3 are left after the next request', async (value, left) => {
    const gateway = await withKey()
    await gateway.clock.run(5000)
    await gateway.call('PUT', `/svc/keys/org1x?suppress_reset=${value}`, limited)
    const { last_updated: updated } = (await show(gateway, 'org1x')) as { last_updated: string }
    expect(updated).toBe(value === '1' ? '1767225600' : '1767225605')
    await gateway.ask('/a/x', 'org1x')
    expect(await show(gateway, 'org1x')).toMatchObject({ quota_remaining: left })
  })

  it('leaves quotas where every API says dont_set_quota_on_create, and still sets last_updated', async () => {
    const gateway = await withKey({ dont_set_quota_on_create: true })
    await gateway.clock.run(5000)
    await gateway.call('PUT', '/svc/keys/org1x', limited)
    expect(await show(gateway, 'org1x')).toMatchObject({ quota_remaining: 2, last_updated: '1767225605' })
  })

  it('keeps the stored expiry in place of one in the past', async () => {
    const gateway = await withKey()
    await gateway.call('PUT', '/svc/keys/org1x', { ...limited, expires: 4_102_444_800 })
    await gateway.call('PUT', '/svc/keys/org1x', { ...limited, expires: 100 })
    expect(await show(gateway, 'org1x')).toMatchObject({ expires: 4_102_444_800 })
  })

  it('keeps a password that is not given, or given as its hash', async () => {
    const gateway = await withKey()
    await gateway.call('POST', '/svc/keys/u', { ...limited, basic_auth_data: { password: 'pw' } })
    const stored = async () => (await gateway.keys.locate({ name: 'org1u' }))?.session.basicAuthData
    const first = await stored()
    await gateway.call('PUT', '/svc/keys/org1u', limited)
    expect(await stored()).toEqual(first)
    await gateway.call('PUT', '/svc/keys/org1u', { ...limited, basic_auth_data: { password: first?.password } })
    expect(await stored()).toEqual(first)
    await gateway.call('PUT', '/svc/keys/org1u', { ...limited, basic_auth_data: { password: 'other' } })
    expect(await stored()).not.toEqual(first)
  })

  it('rejects a session that removes the certificate of a key or names one that is not stored', async () => {
    const gateway = await withKey()
    await gateway.call('POST', '/svc/keys/c', { ...limited, certificate: 'org1abc' })
    const put = async (certificate: string) =>
      (await gateway.call('PUT', '/svc/keys/org1c', { ...limited, certificate })).json
    expect(await put('')).toMatchObject({ message: 'Key cannot be used without a certificate' })
    expect(await put('org1other')).toMatchObject({ message: 'Key must be used with an existent certificate' })
    expect(await put('org1abc')).toMatchObject({ action: 'modified' })
  })

  it('returns 404 for missing keys', async () => {
    const gateway = await withKey()
    const said = await gateway.call('PUT', '/svc/keys/org1ghost', limited)
    expect([said.status, said.json]).toEqual([404, { status: 'error', message: 'Key is not found' }])
  })
})
