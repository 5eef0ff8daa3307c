import { describe, expect, it } from 'vitest'
import { definitionOf } from '../../../core/test/support/test-engine.ts'
import { makeOAuthGateway } from '../../test/support/oauth-gateway.ts'

const rfc = { oauth: { rfc6749: true } }
const root = '/.well-known/oauth-authorization-server'
const host = { host: 'gate.test' }

describe('authorization server metadata', () => {
  it.each([`${root}/a`, `${root}/a/`, `/a${root}`])('is found at %s', async (path) => {
    const { call } = await makeOAuthGateway(rfc)
    const response = await call('GET', path, { ...host, 'x-forwarded-proto': 'https' })
    expect([response.status, response.header('content-type')]).toEqual([200, 'application/json'])
    expect(response.json).toEqual({
      issuer: 'https://gate.test/a',
      authorization_endpoint: 'https://gate.test/a/oauth/authorize',
      token_endpoint: 'https://gate.test/a/oauth/token',
      revocation_endpoint: 'https://gate.test/a/oauth/revoke',
      response_types_supported: ['code', 'token'],
      grant_types_supported: ['client_credentials', 'password', 'authorization_code', 'refresh_token', 'implicit'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      code_challenge_methods_supported: ['S256', 'plain'],
    })
  })

  it('does not repeat a host that could break out of the text', async () => {
    const { call } = await makeOAuthGateway(rfc)
    expect((await call('GET', `${root}/a`, { host: 'a"b' })).status).toBe(400)
  })

  it('is read by GET only, at exactly its path', async () => {
    const { call } = await makeOAuthGateway({ ...rfc, others: [definitionOf('plain')] })
    expect((await call('POST', `${root}/a`, host)).status).toBe(405)
    expect((await call('GET', `${root}/a/x`, host)).status).toBe(404)
    expect((await call('GET', `${root}/plain`, host)).status).toBe(404)
  })

  it('exists only with oauth_rfc6749_errors', async () => {
    const { call, upstreamRequests } = await makeOAuthGateway({ api: { use_keyless: true } })
    expect((await call('GET', `${root}/a`, host)).status).toBe(404)
    expect((await call('GET', `/a${root}`, host)).status).toBe(200)
    expect(upstreamRequests).toHaveLength(1)
  })
})
