import { describe, expect, it } from 'vitest'
import { formText, makeOAuthGateway, redirectUri } from '../../test/support/oauth-gateway.ts'

const asked = { response_type: 'code', client_id: 'one', redirect_uri: redirectUri }

describe('the authorisation call', () => {
  it('sends to the login page with the query as it came', async () => {
    const { call } = await makeOAuthGateway()
    const query = 'response_type=code&client_id=one&state=a%20b&x'
    for (const path of ['/a/oauth/authorize', '/a/oauth/authorize/']) {
      const response = await call('GET', `${path}?${query}`)
      expect([response.status, response.header('location')]).toEqual([307, `http://login.test/page?${query}`])
    }
  })

  it('says what is wrong with it in a status message', async () => {
    const { call, putClient } = await makeOAuthGateway({ oauth: { errorStatus: 422 } })
    await putClient('bare', { redirectUri: '' })
    const ask = async (fields: Record<string, string>) => {
      const { status, json } = await call('GET', `/a/oauth/authorize?${formText({ ...asked, ...fields })}`)
      return `${status} ${json['status']} ${String(json['message']).slice(0, 37)}`
    }
    expect(await ask({ response_type: 'token id_token' })).toBe('422 error The authorization server does not sup')
    expect(await ask({ client_id: 'ghost' })).toBe('422 error The authorization server encountered ')
    expect(await ask({ client_id: 'bare' })).toBe('422 error The client is not authorized to reque')
    expect(await ask({ redirect_uri: 'http://evil.test/' })).toBe('422 error The request is missing a required par')
    expect(await ask({ code_challenge: 'short' })).toBe('422 error The request is missing a required par')
    expect((await call('GET', '/a/oauth/authorize?response_type=%zz')).status).toBe(400)
    expect((await call('DELETE', '/a/oauth/authorize')).json['message']).toBe('Method not supported')
  })
})

describe('the approval', () => {
  it('needs the management key before anything else is looked at', async () => {
    const { call, form } = await makeOAuthGateway()
    for (const key of ['', 'wrong']) {
      const response = await form('/a/svc/oauth/authorize-client', asked, { 'x-svc-authorization': key })
      expect([response.status, response.json['message']]).toEqual([
        403,
        'Attempted administrative access with invalid or missing key!',
      ])
    }
    expect((await call('GET', '/a/svc/oauth/authorize-client')).status).toBe(403)
    const wrongMethod = await call('GET', '/a/svc/oauth/authorize-client', { 'x-svc-authorization': 'manager' })
    expect(wrongMethod.status).toBe(405)
  })

  it('is refused where nobody says what the management key is', async () => {
    const { approve } = await makeOAuthGateway({ isManagementKey: () => false })
    expect((await approve()).status).toBe(403)
  })

  it('tells errors where the client can be told of them', async () => {
    const { approve } = await makeOAuthGateway()
    const wrong = await approve({ redirect_uri: 'http://evil.test/', state: 'a b' })
    expect(wrong.json).toMatchObject({ error: 'invalid_request', state: 'a b' })
    expect(wrong.json['redirect_to']).toMatch(
      /^http:\/\/client\.test\/cb\?error=invalid_request&error_description=.*&state=a\+b$/,
    )
    expect((await approve({ client_id: 'ghost' })).json).not.toHaveProperty('redirect_to')
    expect((await approve({ response_type: 'id_token' })).json['error']).toBe('unsupported_response_type')
  })

  it('gives a token at once where that is asked for', async () => {
    const { approve, use } = await makeOAuthGateway()
    const { json } = await approve({ response_type: 'token', state: 's', scope: 'read' })
    const token = json['access_token'] ?? ''
    expect(json['redirect_to']).toBe(
      `${redirectUri}#access_token=${token}&expires_in=3600&scope=read&state=s&token_type=bearer`,
    )
    expect(json).not.toHaveProperty('refresh_token')
    expect((await use(token)).status).toBe(200)
  })

  it('gives the rights of its key_rules; what is no session leaves them to the policy', async () => {
    const { approve, token, store } = await makeOAuthGateway()
    const rateOf = async (rules: string) => {
      const code = (await approve({ key_rules: rules })).json['code'] ?? ''
      const { json } = await token({ grant_type: 'authorization_code', code, redirect_uri: redirectUri })
      return (await store.sessions.get(json['access_token'] ?? ''))?.session.rate ?? json['error']
    }
    const rights = { a: { api_id: 'a' } }
    expect(await rateOf(JSON.stringify({ rate: 7, per: 1, access_rights: rights }))).toBe(7)
    expect(await rateOf(JSON.stringify({ apply_policies: ['other'], access_rights: rights }))).toBe(7)
    expect(await rateOf('no json')).toBe(100)
    expect(await rateOf('{"rate":"many"}')).toBe(100)
    // Without rights it would be a master key.
    expect(await rateOf('{"rate":7}')).toBe('server_error')
    expect(await rateOf(JSON.stringify({ apply_policies: ['gone'] }))).toBe('server_error')
  })

  it('cannot be had by asking for a parameter twice, by the RFC', async () => {
    const { call } = await makeOAuthGateway({ oauth: { rfc6749: true } })
    const response = await call('GET', `/a/oauth/authorize?${formText(asked)}&client_id=two`)
    expect(response.status).toBe(400)
  })
})
