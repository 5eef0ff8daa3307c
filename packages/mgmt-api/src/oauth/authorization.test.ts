import { describe, expect, it } from 'vitest'
import { definitionOf } from '../../../core/test/support/test-engine.ts'
import { formText, makeOAuthGateway, redirectUri } from '../../test/support/oauth-gateway.ts'

const asked = { response_type: 'code', client_id: 'one', redirect_uri: redirectUri }

describe('the authorization call', () => {
  it('redirects to the login page with the original query', async () => {
    const { call } = await makeOAuthGateway()
    const query = 'response_type=code&client_id=one&state=a%20b&x'
    for (const path of ['/a/oauth/authorize', '/a/oauth/authorize/']) {
      const response = await call('GET', `${path}?${query}`)
      expect([response.status, response.header('location')]).toEqual([307, `http://login.test/page?${query}`])
    }
  })

  it('reports errors in a status message', async () => {
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

describe('a redirect URI below the registered one', () => {
  const below = { ...asked, redirect_uri: `${redirectUri}/deeper` }
  const ways = [
    { title: 'is rejected', client: {}, oauth: {}, status: 403 },
    { title: 'works with oauth_redirect_uri_prefix', client: {}, oauth: { redirectPrefix: true }, status: 307 },
    { title: 'works for clients of other versions', client: { exactRedirect: false }, oauth: {}, status: 307 },
  ]
  it.each(ways)('$title', async ({ client, oauth, status }) => {
    const { call, putClient } = await makeOAuthGateway({ oauth })
    await putClient('one', client)
    expect((await call('GET', `/a/oauth/authorize?${formText(below)}`)).status).toBe(status)
  })

  it('is rejected at the exchange of the code', async () => {
    const { approve, token } = await makeOAuthGateway()
    const exchange = async (redirect: string) => {
      const code = (await approve()).json['code'] ?? ''
      return (await token({ grant_type: 'authorization_code', code, redirect_uri: redirect })).json['error']
    }
    expect([await exchange(below.redirect_uri), await exchange(redirectUri)]).toEqual(['invalid_request', undefined])
  })
})

describe('the approval', () => {
  it('checks the management key first', async () => {
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

  it('is rejected if no management key is configured', async () => {
    const { approve } = await makeOAuthGateway({ managementKey: '' })
    expect((await approve()).status).toBe(403)
  })

  it('returns errors in the redirect if the redirect URI is valid', async () => {
    const { approve } = await makeOAuthGateway()
    const wrong = await approve({ redirect_uri: 'http://evil.test/', state: 'a b' })
    expect(wrong.json).toMatchObject({ error: 'invalid_request', state: 'a b' })
    expect(wrong.json['redirect_to']).toMatch(
      /^http:\/\/client\.test\/cb\?error=invalid_request&error_description=.*&state=a\+b$/,
    )
    expect((await approve({ client_id: 'ghost' })).json).not.toHaveProperty('redirect_to')
    expect((await approve({ response_type: 'id_token' })).json['error']).toBe('unsupported_response_type')
  })

  it('returns a token at once for response_type token', async () => {
    const { approve, use } = await makeOAuthGateway()
    const { json } = await approve({ response_type: 'token', state: 's', scope: 'read' })
    const token = json['access_token'] ?? ''
    expect(json['redirect_to']).toBe(
      `${redirectUri}#access_token=${token}&expires_in=3600&scope=read&state=s&token_type=bearer`,
    )
    expect(Object.keys(json)).toEqual(['access_token', 'expires_in', 'redirect_to', 'scope', 'state', 'token_type'])
    expect((await use(token)).status).toBe(200)
  })

  it('uses the rights of key_rules; invalid key_rules leave them to the policy', async () => {
    const { approve, token, store } = await makeOAuthGateway()
    const rateOf = async (rules: string) => {
      const code = (await approve({ key_rules: rules })).json['code'] ?? ''
      const { json } = await token({ grant_type: 'authorization_code', code, redirect_uri: redirectUri })
      return (await store.sessions.get(json['access_token'] ?? ''))?.session.rate ?? json['error']
    }
    const rights = { a: { api_id: 'a' } }
    expect(await rateOf(JSON.stringify({ rate: 7, per: 1, access_rights: rights }))).toBe(7)
    expect(await rateOf(JSON.stringify({ org_id: 'org1', apply_policies: ['other'], access_rights: rights }))).toBe(7)
    expect(await rateOf('no json')).toBe(100)
    expect(await rateOf('{"rate":"many"}')).toBe(100)
    expect(await rateOf('{"rate":7}')).toBe(7)
    expect(await rateOf(JSON.stringify({ rate: 7, apply_policies: ['gone'] }))).toBe(7)
  })

  it('gives a token without rights that opens the OAuth APIs of its client, and nothing else', async () => {
    const others = [
      definitionOf('plain', { use_keyless: false }),
      definitionOf('other', { use_keyless: false, use_oauth2: true }),
    ]
    const { approve, call, use } = await makeOAuthGateway({ others, keys: { allowMasterKeys: true } })
    const tokenOf = async (rules: object) =>
      (await approve({ response_type: 'token', key_rules: JSON.stringify(rules) })).json['access_token'] ?? ''
    const token = await tokenOf({ org_id: 'org1', rate: 900, per: 1 })
    expect(token).toMatch(/^org1[0-9a-f]{32}$/)
    expect((await use(token)).status).toBe(200)
    expect((await call('GET', '/other/x', { authorization: `Bearer ${token}` })).status).toBe(403)
    // A session without rights is a master key on other APIs, but not the session of a token.
    expect((await call('GET', '/plain/x', { authorization: token })).status).toBe(403)
    expect(await tokenOf({ rate: 900, per: 1 })).toMatch(/^[0-9a-f]{32}$/)
    expect((await use(await tokenOf({}))).status).toBe(200)
    expect((await use(await tokenOf({ apply_policies: ['gone'] }))).status).toBe(403)
  })

  it('rejects repeated parameters, as the RFC requires', async () => {
    const { call } = await makeOAuthGateway({ oauth: { rfc6749: true } })
    const response = await call('GET', `/a/oauth/authorize?${formText(asked)}&client_id=two`)
    expect(response.status).toBe(400)
  })
})
