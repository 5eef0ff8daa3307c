import { PasswordsBusyError, StoreUnavailableError } from '@turnpike/core/ports'
import { describe, expect, it } from 'vitest'
import { basic, makeOAuthGateway, redirectUri } from '../../test/support/oauth-gateway.ts'

const credentials = { grant_type: 'client_credentials' }
const anna = {
  org_id: 'org1',
  rate: 5,
  per: 1,
  access_rights: { a: { api_id: 'a', versions: ['Default'] } },
  basic_auth_data: { password: 'open-sesame', hash_type: 'bcrypt' },
}

describe('the token endpoint', () => {
  it('checks in the recorded order', async () => {
    const { call, form, token, putClient } = await makeOAuthGateway()
    await putClient('bare', { redirectUri: '' })
    const errorOf = async (response: ReturnType<typeof call>) => {
      const { status, json } = await response
      return `${status} ${json['error']}`
    }
    const header = { authorization: basic('one:one-secret') }
    expect(await errorOf(call('GET', '/a/oauth/token', header))).toBe('403 invalid_request')
    expect(await errorOf(form('/a/oauth/token', { grant_type: 'magic' }))).toBe('403 unsupported_grant_type')
    expect(await errorOf(form('/a/oauth/token', {}, header))).toBe('403 unsupported_grant_type')
    expect(await errorOf(form('/a/oauth/token', credentials))).toBe('403 invalid_request')
    expect(await errorOf(form('/a/oauth/token', credentials, { authorization: 'Basic !!' }))).toBe(
      '403 invalid_request',
    )
    expect(await errorOf(token({ grant_type: 'authorization_code' }, 'ghost'))).toBe('403 invalid_grant')
    expect(await errorOf(token({ grant_type: 'refresh_token' }))).toBe('403 invalid_grant')
    expect(await errorOf(token({ grant_type: 'password', username: 'x' }))).toBe('403 invalid_grant')
    expect(await errorOf(token(credentials, 'ghost'))).toBe('403 server_error')
    expect(await errorOf(form('/a/oauth/token', credentials, { authorization: basic('one:no') }))).toBe(
      '403 unauthorized_client',
    )
    expect(await errorOf(token(credentials, 'bare'))).toBe('403 unauthorized_client')
  })

  it('issues a token for a policy of another organisation, which no API accepts', async () => {
    const { token, use, putClient } = await makeOAuthGateway()
    await putClient('two', { policyId: 'abroad' })
    const { status, json } = await token(credentials, 'two')
    expect([status, json['access_token']]).toEqual([200, expect.stringMatching(/^org2[0-9a-f]{32}$/)])
    expect(await use(json['access_token'] ?? '')).toMatchObject({ status: 403, json: { error: 'Key not authorised' } })
  })

  it('gives the token the rate of the policy, also if a partition does not include it', async () => {
    const { token, putClient, store } = await makeOAuthGateway()
    await putClient('two', { policyId: 'doors' })
    const name = (await token(credentials, 'two')).json['access_token'] ?? ''
    const { session } = (await store.sessions.get(name)) ?? {}
    expect(session).toMatchObject({ rate: 5, accessRights: { a: { limit: { rate: 5, per: 60 } } } })
  })

  it('does not check the secret of a client after many wrong ones from an address if others wait', async () => {
    const test = await makeOAuthGateway({ remoteAddress: '192.0.2.1' })
    const guess = (secret: string, client = 'one') =>
      test.form('/a/oauth/token', credentials, { authorization: basic(`${client}:${secret}`) })
    for (let i = 0; i < 28; i++) {
      test.advance(30_000)
      expect((await guess(`wrong-${i}`)).status).toBe(403)
    }
    const rejected = await Promise.race([guess('late-1'), guess('late-2'), guess('one-secret')])
    expect([rejected.status, rejected.json['error'], Number(rejected.header('retry-after')) > 2]).toEqual([
      429,
      'temporarily_unavailable',
      true,
    ])
    const all = await test.form('/a/oauth/revoke_all', { client_id: 'one', client_secret: 'one-secret' })
    expect(all.status).toBe(429)
    expect((await guess('two-secret', 'two')).status).toBe(200)
    test.advance(30_000)
    expect((await guess('one-secret')).status).toBe(200)
  })

  it('counts the readings of one header as one guess, right if one of them is', async () => {
    const test = await makeOAuthGateway({ remoteAddress: '192.0.2.1' })
    await test.putClient('two', { secret: '50% & more' })
    const guess = (secret: string) =>
      test.form('/a/oauth/token', credentials, { authorization: basic(`two:${encodeURIComponent(secret)}`) })
    for (let i = 0; i < 19; i++) expect((await guess(`wrong & ${i}`)).status).toBe(403)
    expect((await guess('50% & more')).status).toBe(200)
    expect((await guess('wrong & 20')).status).toBe(403)
  })

  it('responds as RFC 6749 requires if that is configured', async () => {
    const { form, token, putClient, use } = await makeOAuthGateway({ oauth: { rfc6749: true } })
    await putClient('bare', { redirectUri: '' })
    await putClient('poor', { policyId: '' })
    const noClient = await form('/a/oauth/token', credentials)
    expect([noClient.status, noClient.json['error'], noClient.header('www-authenticate')]).toEqual([
      401,
      'invalid_client',
      'Basic realm="a"',
    ])
    expect(await token(credentials, 'ghost')).toMatchObject({ status: 401, json: { error: 'invalid_client' } })
    expect(await token({})).toMatchObject({ status: 400, json: { error: 'invalid_request' } })
    expect(await token({ grant_type: 'magic' })).toMatchObject({
      status: 400,
      json: { error: 'unsupported_grant_type' },
    })
    expect(await token({ grant_type: 'refresh_token' })).toMatchObject({
      status: 400,
      json: { error: 'invalid_request' },
    })
    expect(await token(credentials, 'poor')).toMatchObject({ status: 400, json: { error: 'unauthorized_client' } })
    const bare = await token(credentials, 'bare')
    expect((await use(bare.json['access_token'] ?? '')).status).toBe(200)
  })

  it('accepts client credentials in the body by RFC 6749, but not in two places', async () => {
    const inBody = { ...credentials, client_id: 'one', client_secret: 'one-secret' }
    const rfc = await makeOAuthGateway({ oauth: { rfc6749: true } })
    expect((await rfc.form('/a/oauth/token', inBody)).status).toBe(200)
    const wrong = await rfc.form('/a/oauth/token', { ...inBody, client_secret: 'two-secret' })
    expect([wrong.status, wrong.json['error']]).toEqual([401, 'invalid_client'])
    expect((await rfc.form('/a/oauth/token?client_id=one&client_secret=one-secret', credentials)).status).toBe(401)
    const both = await rfc.form('/a/oauth/token', inBody, { authorization: basic('one:one-secret') })
    expect([both.status, both.json['error']]).toEqual([400, 'invalid_request'])
    const recorded = await makeOAuthGateway()
    expect((await recorded.form('/a/oauth/token', inBody)).json['error']).toBe('invalid_request')
  })

  it('accepts raw and percent-encoded credentials', async () => {
    const { form, putClient } = await makeOAuthGateway()
    await putClient('a b', { secret: 'x%41:+' })
    for (const text of ['a b:x%41:+', 'a+b:x%2541%3A%2B', 'a%20b:x%2541%3a%2b']) {
      expect((await form('/a/oauth/token', credentials, { authorization: basic(text) })).status, text).toBe(200)
    }
    expect((await form('/a/oauth/token', credentials, { authorization: basic('a b:xA:+') })).status).toBe(403)
  })

  it('never accepts an empty secret', async () => {
    const { form, putClient } = await makeOAuthGateway()
    await putClient('open', { secret: '' })
    const response = await form('/a/oauth/token', credentials, { authorization: basic('open:') })
    expect(response.json['error']).toBe('unauthorized_client')
  })

  it('handles bodies that are not forms', async () => {
    const { call } = await makeOAuthGateway()
    const header = { authorization: basic('one:one-secret') }
    const ask = async (type: string, body: string) =>
      (await call('POST', '/a/oauth/token', { ...header, 'content-type': type }, body)).json['error']
    expect(await ask('application/x-www-form-urlencoded', 'grant_type=%zz')).toBe('invalid_request')
    expect(await ask('application/json', '{"grant_type":1}')).toBe('invalid_request')
    expect(await ask('application/json', `${'['.repeat(100_000)}`)).toBe('invalid_request')
    expect(await ask('application/json; charset=utf-8', '{"grant_type":"client_credentials"}')).toBe(
      'unsupported_grant_type',
    )
    expect(await ask('text/plain', 'grant_type=client_credentials')).toBe('unsupported_grant_type')
    expect(await ask('application/x-www-form-urlencoded', '__proto__=1&constructor=2')).toBe('unsupported_grant_type')
  })

  it('rejects other methods and bodies that are too long', async () => {
    const { call, form } = await makeOAuthGateway()
    const response = await call('PUT', '/a/oauth/token')
    expect([response.status, response.json['message'], response.header('allow')]).toEqual([
      405,
      'Method not supported',
      'GET, POST',
    ])
    expect((await form('/a/oauth/token', { grant_type: 'x'.repeat(2_000_000) })).status).toBe(413)
  })

  it('responds with 503 while the store is unavailable', async () => {
    const { token, own, logged } = await makeOAuthGateway()
    const { clients } = own()
    Object.assign(clients, { find: () => Promise.reject(new StoreUnavailableError('no response')) })
    const response = await token(credentials)
    expect([response.status, response.json['error']]).toEqual([503, 'Storage is not available, please try again'])
    expect(logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('works below the id of the API too, and its responses are not cacheable', async () => {
    const { form } = await makeOAuthGateway({
      api: { proxy: { listen_path: '/elsewhere/', target_url: 'http://u.test' } },
    })
    const response = await form('/a/oauth/token/', credentials, { authorization: basic('one:one-secret') })
    expect([response.status, response.header('cache-control')]).toEqual([200, 'no-cache, no-store, must-revalidate'])
  })

  it('sends CORS headers if the API enables them', async () => {
    const { call } = await makeOAuthGateway({ api: { CORS: { enable: true, allowed_origins: ['http://page.test'] } } })
    const preflight = await call('OPTIONS', '/a/oauth/token', {
      origin: 'http://page.test',
      'access-control-request-method': 'POST',
    })
    expect([preflight.status, preflight.header('access-control-allow-origin')]).toEqual([204, 'http://page.test'])
    const response = await call('POST', '/a/oauth/token', { origin: 'http://page.test' })
    expect([response.status, response.header('access-control-allow-origin')]).toEqual([403, 'http://page.test'])
  })
})

describe('the password grant', () => {
  const ask = { grant_type: 'password', username: 'anna', password: 'open-sesame' }

  it('grants the rights of the user, without the password', async () => {
    const { putKey, token, use, store } = await makeOAuthGateway()
    await putKey('org1anna', anna)
    const { json } = await token(ask)
    expect((await use(json['access_token'] ?? '')).status).toBe(200)
    const stored = (await store.sessions.get(json['access_token'] ?? ''))?.session
    expect(stored).toMatchObject({ rate: 5, oauthClientId: 'one', basicAuthData: { password: '' } })
  })

  it('revokes the earlier token of the client for this user, not those of other clients', async () => {
    const { putKey, token, use } = await makeOAuthGateway()
    await putKey('org1anna', anna)
    const first = (await token(ask)).json['access_token'] ?? ''
    const ofOther = (await token(ask, 'two')).json['access_token'] ?? ''
    const second = (await token(ask)).json['access_token'] ?? ''
    const statuses = await Promise.all([first, ofOther, second].map(async (one) => (await use(one)).status))
    expect(statuses).toEqual([403, 200, 200])
  })

  it('responds with 503 if too many passwords are being checked', async () => {
    const matches = () => Promise.reject(new PasswordsBusyError())
    const passwords = { hash: (text: string) => Promise.resolve(text), matches }
    const { putKey, token } = await makeOAuthGateway({ engine: { passwords } })
    await putKey('org1anna', anna)
    const response = await token(ask)
    expect(response.status).toBe(503)
    expect(response.text).toContain('Too many passwords')
  })

  it('accepts a verified password from the cache during the back-off, and no other', async () => {
    const { putKey, token, advance } = await makeOAuthGateway()
    await putKey('org1anna', anna)
    const grant = async (password: string) => (await token({ ...ask, password })).status
    for (let i = 0; i < 10; i++) await grant(`wrong${i}`)
    expect(await grant(ask.password)).toBe(403)
    advance(1000)
    expect(await grant(ask.password)).toBe(200)
    for (let i = 0; i < 11; i++) await grant(`wrong${i}`)
    expect([await grant(ask.password), await grant('wrong')]).toEqual([200, 403])
  })

  it('rejects a wrong password, a key without one, and an expired user', async () => {
    const { putKey, token } = await makeOAuthGateway()
    await putKey('org1anna', anna)
    await putKey('org1none', { ...anna, basic_auth_data: {} })
    await putKey('org1late', { ...anna, expires: 1_700_000_000 })
    for (const fields of [{ password: 'x' }, { username: 'none' }, { username: 'late' }, { username: 'nobody' }]) {
      expect((await token({ ...ask, ...fields })).json['error']).toBe('access_denied')
    }
  })
})

describe('codes and refresh tokens', () => {
  const exchange = (code: string) => ({ grant_type: 'authorization_code', code, redirect_uri: redirectUri })

  it('belong to their client, and another client cannot consume them', async () => {
    const { approve, token } = await makeOAuthGateway()
    const code = (await approve()).json['code'] ?? ''
    expect((await token(exchange(code), 'two')).json['error']).toBe('invalid_grant')
    const { json } = await token(exchange(code))
    const renewal = { grant_type: 'refresh_token', refresh_token: json['refresh_token'] ?? '' }
    expect((await token(renewal, 'two')).json['error']).toBe('invalid_client')
    expect((await token(renewal)).status).toBe(200)
  })

  it('are not consumed if the policy results in no session', async () => {
    const { approve, token, putClient } = await makeOAuthGateway()
    const code = (await approve()).json['code'] ?? ''
    await putClient('one', { policyId: 'gone' })
    expect((await token(exchange(code))).json['error']).toBe('server_error')
    await putClient('one')
    expect((await token(exchange(code))).status).toBe(200)
  })

  it('expire: codes after 250 s, tokens after their lifetime', async () => {
    const { approve, token, use, advance } = await makeOAuthGateway()
    const early = (await approve()).json['code'] ?? ''
    const late = (await approve()).json['code'] ?? ''
    advance(249_999)
    const { json } = await token(exchange(early))
    advance(1)
    expect((await token(exchange(late))).json['error']).toBe('invalid_grant')
    advance(3_600_000)
    expect((await use(json['access_token'] ?? '')).status).toBe(401)
  })

  it('have the approved scope, never a wider one', async () => {
    const { approve, token } = await makeOAuthGateway()
    const code = (await approve({ scope: 'read write' })).json['code'] ?? ''
    const { json } = await token({ ...exchange(code), scope: 'admin' })
    expect(json['scope']).toBe('read write')
    const renew = (scope: string) =>
      token({ grant_type: 'refresh_token', refresh_token: json['refresh_token'] ?? '', scope })
    expect((await renew('read admin')).json['error']).toBe('access_denied')
    expect((await renew('read')).json['scope']).toBe('read')
  })
})
