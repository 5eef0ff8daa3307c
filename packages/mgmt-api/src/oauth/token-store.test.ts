import { defaultSettings } from '@turnpike/core/ports'
import { makeMemorySignals } from '@turnpike/core/store-memory'
import { describe, expect, it } from 'vitest'
import { basic, makeOAuthGateway, redirectUri } from '../../test/support/oauth-gateway.ts'
import { clientShape, codeShape, readRecord, writeRecord } from './oauth-records.ts'

const credentials = { grant_type: 'client_credentials' }

describe('an access token', () => {
  it('grants access as the word after Bearer, in any case', async () => {
    const { call, token } = await makeOAuthGateway()
    const { json } = await token(credentials)
    const say = async (authorization?: string) => {
      const response = await call('GET', '/a/x', authorization === undefined ? {} : { authorization })
      return response.status === 200 ? '200' : `${response.status} ${response.json['error']}`
    }
    expect(await say(`bEaReR ${json['access_token']} rest`)).toBe('200')
    expect(await say()).toBe('400 Authorization field missing')
    expect(await say('Bearer')).toBe('400 Authorization field missing')
    expect(await say(`Token ${json['access_token']}`)).toBe('400 Bearer token malformed')
    expect(await say('Bearer ')).toBe('403 Key not authorised')
    expect(await say('Bearer nonsense')).toBe('403 Key not authorised')
  })

  it('is not an ordinary key, and an ordinary key is not an access token', async () => {
    const { putKey, use } = await makeOAuthGateway()
    await putKey('org1abcd', { org_id: 'org1', access_rights: { a: { api_id: 'a' } } })
    expect((await use('abcd')).json['error']).toBe('Key not authorised. OAuth client access was revoked')
  })

  it('becomes invalid with its client: at once here, within a second if another node removed it', async () => {
    const { token, use, own, advance, store } = await makeOAuthGateway()
    const first = (await token(credentials)).json['access_token'] ?? ''
    const second = (await token(credentials, 'two')).json['access_token'] ?? ''
    expect([(await use(first)).status, (await use(second)).status]).toEqual([200, 200])
    await own().clients.remove('one')
    expect((await use(first)).status).toBe(403)
    store.records.remove('oauth-data.a.oauth-clientid.two')
    advance(1000)
    expect((await use(second)).json['error']).toBe('Key not authorised. OAuth client access was revoked')
  })

  it('is accepted in every place that auth_configs.oauth names', async () => {
    const { call, token } = await makeOAuthGateway({
      api: { auth_configs: { oauth: { auth_header_name: 'X-Token', use_param: true, param_name: 't' } } },
    })
    const bearer = `Bearer ${(await token(credentials)).json['access_token']}`
    expect((await call('GET', '/a/x', { 'x-token': bearer })).status).toBe(200)
    expect((await call('GET', `/a/x?t=${encodeURIComponent(bearer)}`)).status).toBe(200)
    expect((await call('GET', '/a/x', { authorization: bearer })).status).toBe(400)
  })

  it.each([false, true])('is stored under the recorded names (hashed: %s)', async (hashKeys) => {
    const hashFunction = 'murmur64' as const
    const { token, store, approve } = await makeOAuthGateway({
      keys: { ...defaultSettings.keys, hashKeys, hashFunction },
    })
    const code = (await approve()).json['code'] ?? ''
    const { json } = await token({ grant_type: 'authorization_code', code, redirect_uri: redirectUri })
    const [{ member, rank } = { member: '', rank: 0 }] = store.records.members('oauth-data.a.oauth-client-tokens.one')
    expect(rank).toBe(Math.floor(Date.UTC(2026, 0, 1) / 1000) + 3600)
    expect(member === json['access_token']).toBe(!hashKeys)
    expect(store.records.names('oauth-data.a.oauth-access.')).toEqual([`oauth-data.a.oauth-access.${member}`])
    expect(store.records.get(`oauth-data.a.oauth-refresh.${json['refresh_token']}`)).toContain('"AccessToken"')
    expect((await store.sessions.get(member))?.session).toMatchObject({ oauthClientId: 'one', expires: rank })
    expect(store.records.names('oauth-data.a.oauth-authorize.')).toEqual([])
    expect(store.records.members('oauth-data.a.oauth-client-index.org1').map((one) => one.member)).toEqual([
      'oauth-clientid.one',
      'oauth-clientid.two',
    ])
  })
})

describe('revocation at the API', () => {
  it('revokes the given token, and nothing that is not a token of the API', async () => {
    const { approve, token, form, use, putKey, store } = await makeOAuthGateway()
    const code = (await approve()).json['code'] ?? ''
    const { json } = await token({ grant_type: 'authorization_code', code, redirect_uri: redirectUri })
    const [access = '', refresh = ''] = [json['access_token'], json['refresh_token']]
    await form('/a/oauth/revoke', { token: access, token_type_hint: 'refresh_token' })
    expect((await use(access)).status).toBe(200)
    await form('/a/oauth/revoke', { token: access })
    expect((await use(access)).status).toBe(403)
    expect((await token({ grant_type: 'refresh_token', refresh_token: refresh })).status).toBe(200)
    await putKey('org1abcd', { org_id: 'org1', access_rights: { a: { api_id: 'a' } } })
    expect((await form('/a/oauth/revoke', { token: 'org1abcd' })).status).toBe(200)
    expect(await store.sessions.get('org1abcd')).toBeDefined()
  })

  it('of all tokens requires the secret', async () => {
    const { token, form, use } = await makeOAuthGateway()
    const mine = (await token(credentials)).json['access_token'] ?? ''
    const others = (await token(credentials, 'two')).json['access_token'] ?? ''
    const say = async (fields: Record<string, string>) => (await form('/a/oauth/revoke_all', fields)).json['message']
    expect(await say({})).toBe('client_id is required')
    expect(await say({ client_id: 'one' })).toBe('client_secret is required')
    expect(await say({ client_id: 'one', client_secret: 'two-secret' })).toBe('client secret is wrong')
    expect((await use(mine)).status).toBe(200)
    expect(await say({ client_id: 'one', client_secret: 'one-secret' })).toBe('tokens revoked successfully')
    expect([(await use(mine)).status, (await use(others)).status]).toEqual([403, 200])
  })
})

describe('expired tokens', () => {
  it('stay listed in the store unless a retain period is set', async () => {
    const { token, advance, oauth, store } = await makeOAuthGateway()
    await token(credentials)
    advance(10_000_000)
    await oauth.purgeExpired()
    expect(store.records.members('oauth-data.a.oauth-client-tokens.one')).toHaveLength(1)
  })

  it('are removed after that period, with their sessions', async () => {
    const { token, advance, oauth, store } = await makeOAuthGateway({ oauth: { retainSeconds: 60 } })
    const old = (await token(credentials)).json['access_token'] ?? ''
    advance(100_000)
    await token(credentials)
    advance(3_559_000)
    await oauth.purgeExpired()
    expect(store.records.members('oauth-data.a.oauth-client-tokens.one')).toHaveLength(2)
    advance(1000)
    await oauth.purgeExpired()
    expect(store.records.members('oauth-data.a.oauth-client-tokens.one')).toHaveLength(1)
    expect(await store.sessions.get(old)).toBeUndefined()
    expect(store.records.get('oauth-purge-lock')).toBeUndefined()
  })

  it('are removed when another node requests it', async () => {
    const signals = makeMemorySignals()
    const { token, advance, store } = await makeOAuthGateway({ oauth: { retainSeconds: 60 }, engine: { signals } })
    await token(credentials)
    advance(10_000_000)
    await signals.publish({ kind: 'purge-expired-tokens' })
    await expect
      .poll(() => store.records.members('oauth-data.a.oauth-client-tokens.one'), { timeout: 10_000 })
      .toEqual([])
  })

  it('are left to the node that already purges', async () => {
    const { token, advance, oauth, store } = await makeOAuthGateway({ oauth: { retainSeconds: 60 } })
    await token(credentials)
    advance(10_000_000)
    store.records.put('oauth-purge-lock', '1', 60_000)
    await oauth.purgeExpired()
    expect(store.records.members('oauth-data.a.oauth-client-tokens.one')).toHaveLength(1)
  })
})

describe('records', () => {
  // As a running gateway wrote them: facts of conformance/redis-vectors.json.
  const client =
    '{"id":"cl1","secret":"sec1","redirecturi":"http://cb","meta_data":{"user_id":"u1"},"policyid":"pol1","description":"d"}'

  it('are written in the shared format', () => {
    const read = readRecord(clientShape, client)
    expect(read).toMatchObject({ id: 'cl1', redirectUri: 'http://cb', policyId: 'pol1' })
    expect(read && writeRecord(clientShape, read)).toBe(client)
  })

  it('are read without regard to case, and ignored if they are invalid', () => {
    const code = `{"Client":{"Id":"cl1","Secret":"s","RedirectUri":"http://cb"},"Code":"x","UserData":null}`
    expect(readRecord(codeShape, code)).toMatchObject({ client: { id: 'cl1', redirectUri: 'http://cb' }, userData: '' })
    for (const text of ['', '{', '[]', '{"Client":7}']) expect(readRecord(codeShape, text)).toBeUndefined()
  })
})

describe('OAuth beside another mode', () => {
  it('requires both, and uses the session of the configured method', async () => {
    const both = {
      use_basic_auth: true,
      auth_configs: { oauth: { auth_header_name: 'X-Token' } },
      base_identity_provided_by: 'oauth_key',
      strip_auth_data: true,
    }
    const { call, token, putKey, upstreamRequests } = await makeOAuthGateway({ api: both })
    await putKey('org1anna', {
      org_id: 'org1',
      access_rights: { a: { api_id: 'a' } },
      basic_auth_data: { password: 'pw', hash_type: 'bcrypt' },
    })
    const bearer = `Bearer ${(await token(credentials)).json['access_token']}`
    expect((await call('GET', '/a/x', { authorization: basic('anna:pw') })).status).toBe(400)
    expect((await call('GET', '/a/x', { 'x-token': bearer })).status).toBe(401)
    const response = await call('GET', '/a/x', { 'x-token': bearer, authorization: basic('anna:pw') })
    expect(response.status).toBe(200)
    expect(upstreamRequests.at(-1)?.headers).not.toContain('x-token')
    expect(upstreamRequests.at(-1)?.headers).not.toContain('authorization')
  })
})
