import { describe, expect, it } from 'vitest'
import { basic, makeOAuthGateway } from '../../test/support/oauth-gateway.ts'

const password = { grant_type: 'password', username: 'anna', password: 'open-sesame' }

const done = [200, 'token revoked successfully']

async function makeGateway() {
  const gateway = await makeOAuthGateway({ oauth: { rfc6749: true } })
  await gateway.putKey('org1anna', {
    org_id: 'org1',
    access_rights: { a: { api_id: 'a' } },
    basic_auth_data: { password: 'open-sesame', hash_type: 'bcrypt' },
  })
  const { json } = await gateway.token(password, 'one')
  const revoke = async (fields: Record<string, string>, client?: string) => {
    const header = client === undefined ? {} : { authorization: basic(`${client}:${client}-secret`) }
    const response = await gateway.form('/a/oauth/revoke', fields, header)
    return [response.status, response.json['error'] ?? response.json['message']]
  }
  const isUsable = async () => (await gateway.use(json['access_token'] ?? '')).status === 200
  return { ...gateway, revoke, isUsable, access: json['access_token'] ?? '', refresh: json['refresh_token'] ?? '' }
}

describe('revocation by RFC 7009', () => {
  it('has no effect on the token of another client, and does not say so', async () => {
    const { revoke, isUsable, access, refresh, token } = await makeGateway()
    expect(await revoke({ token: access }, 'two')).toEqual(done)
    expect(await revoke({ token: refresh }, 'two')).toEqual(done)
    expect(await revoke({ token: 'unknown' }, 'two')).toEqual(done)
    expect(await isUsable()).toBe(true)
    expect((await token({ grant_type: 'refresh_token', refresh_token: refresh }, 'one')).status).toBe(200)
  })

  it('revokes the access token of the client with any hint', async () => {
    const { revoke, isUsable, access } = await makeGateway()
    expect(await revoke({ token: access, token_type_hint: 'refresh_token' }, 'one')).toEqual(done)
    expect(await isUsable()).toBe(false)
  })

  it('revokes the access token together with the refresh token', async () => {
    const { revoke, isUsable, refresh, token } = await makeGateway()
    expect(await revoke({ token: refresh, client_id: 'one', client_secret: 'one-secret' })).toEqual(done)
    expect(await isUsable()).toBe(false)
    expect((await token({ grant_type: 'refresh_token', refresh_token: refresh }, 'one')).status).toBe(400)
  })

  it('needs the authentication of a client, by POST', async () => {
    const { revoke, isUsable, access, call, form } = await makeGateway()
    expect(await revoke({ token: access })).toEqual([401, 'invalid_client'])
    expect(await revoke({ token: access, client_id: 'one', client_secret: 'no' })).toEqual([401, 'invalid_client'])
    expect(await revoke({}, 'one')).toEqual([400, 'invalid_request'])
    const header = { authorization: basic('one:one-secret') }
    expect((await call('GET', `/a/oauth/revoke?token=${access}`, header)).status).toBe(400)
    const rejected = await form('/a/oauth/revoke', { token: access })
    expect(rejected.header('www-authenticate')).toBe('Basic realm="a"')
    expect(await isUsable()).toBe(true)
  })
})
