import { describe, expect, it } from 'vitest'
import { makeOAuthGateway, redirectUri } from '../../test/support/oauth-gateway.ts'

type Gateway = Awaited<ReturnType<typeof makeOAuthGateway>>

const redeem = async ({ token }: Gateway, code: string, client = 'one', more: Record<string, string> = {}) =>
  token({ grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...more }, client)
const refresh = ({ token }: Gateway, refresh_token = '', client = 'one') =>
  token({ grant_type: 'refresh_token', refresh_token }, client)
const isUsable = async ({ use }: Gateway, token = '') => (await use(token)).status === 200

async function redeemed() {
  const gateway = await makeOAuthGateway()
  const code = (await gateway.approve()).json['code'] ?? ''
  const { json } = await redeem(gateway, code)
  return { gateway, code, first: json }
}

describe('a grant that is used twice', () => {
  it('ends the tokens of a code, also after refreshes', async () => {
    const { gateway, code, first } = await redeemed()
    const second = (await refresh(gateway, first['refresh_token'])).json
    const third = (await refresh(gateway, second['refresh_token'])).json
    expect(await isUsable(gateway, third['access_token'])).toBe(true)
    expect((await redeem(gateway, code)).json['error']).toBe('invalid_grant')
    expect(await isUsable(gateway, third['access_token'])).toBe(false)
    expect((await refresh(gateway, third['refresh_token'])).json['error']).toBe('invalid_grant')
  })

  it('ends the tokens of a refresh token', async () => {
    const { gateway, first } = await redeemed()
    const second = (await refresh(gateway, first['refresh_token'])).json
    expect((await refresh(gateway, first['refresh_token'])).json['error']).toBe('invalid_grant')
    expect(await isUsable(gateway, second['access_token'])).toBe(false)
    expect((await refresh(gateway, second['refresh_token'])).json['error']).toBe('invalid_grant')
  })

  it('ends nothing for another client', async () => {
    const { gateway, code, first } = await redeemed()
    await redeem(gateway, code, 'two')
    await refresh(gateway, 'unknown')
    expect(await isUsable(gateway, first['access_token'])).toBe(true)
    expect((await refresh(gateway, first['refresh_token'])).status).toBe(200)
  })

  it('ends nothing if its first use failed', async () => {
    const gateway = await makeOAuthGateway()
    const code = (await gateway.approve()).json['code'] ?? ''
    expect((await redeem(gateway, code, 'one', { redirect_uri: 'http://other.test/' })).status).toBe(403)
    const { json } = await redeem(gateway, code)
    expect(await isUsable(gateway, json['access_token'])).toBe(true)
  })

  it('gives concurrent requests no token that stays', async () => {
    const { gateway, first } = await redeemed()
    const both = await Promise.all([1, 2].map(() => refresh(gateway, first['refresh_token'])))
    const issued = both.filter(({ status }) => status === 200).map(({ json }) => json['access_token'])
    expect(issued).toHaveLength(1)
    for (const token of issued) expect(await isUsable(gateway, token)).toBe(false)
  })
})

it('a code_verifier without a challenge is refused', async () => {
  const gateway = await makeOAuthGateway()
  const code = (await gateway.approve()).json['code'] ?? ''
  const more = { code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' }
  expect((await redeem(gateway, code, 'one', more)).json['error']).toBe('invalid_grant')
  expect((await redeem(gateway, code)).status).toBe(200)
})

it.each([false, true])('a token can be revoked as long as it works (oauth_rfc6749_errors: %s)', async (rfc6749) => {
  const gateway = await makeOAuthGateway({ oauth: { tokenSeconds: 10, rfc6749 } })
  const token = (await gateway.token({ grant_type: 'client_credentials' })).json['access_token'] ?? ''
  gateway.advance(10_000)
  expect(await isUsable(gateway, token)).toBe(true)
  const client = { client_id: 'one', client_secret: 'one-secret' }
  expect((await gateway.form('/a/oauth/revoke', { token, ...(rfc6749 ? client : {}) })).status).toBe(200)
  expect(await isUsable(gateway, token)).toBe(false)
})
