/**
 * A real OAuth client (oauth4webapi) against a gateway on real sockets, with recorded errors and with those of RFC 6749.
 * The test is the login page: it approves with the management key.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeMemoryLog } from '@turnpike/testkit'
import * as oauth from 'oauth4webapi'
import { afterEach, describe, expect, it } from 'vitest'
import { createGateway } from '../src/gateway/create-gateway.ts'
import type { Gateway } from '../src/gateway/gateway.ts'
import { frontEnds, type TestedFrontEnd } from './support/front-ends.ts'
import { startRecordingUpstream } from './support/upstream.ts'

const managementKey = 'a-management-key'
const redirectUri = 'http://127.0.0.1:9/callback'
// Both must survive the percent-encoding of RFC 6749, 2.3.1, and a raw header could not carry the id at all.
const clientId = 'shop: front & back'
const clientSecret = 'pass: w%rd + ü/='
const insecure = { [oauth.allowInsecureRequests]: true }

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

interface Setup {
  readonly frontEnd: TestedFrontEnd
  readonly store: 'memory' | 'lmdb'
  readonly rfc: boolean
}

async function start({ frontEnd, store, rfc }: Setup) {
  const upstream = await startRecordingUpstream()
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-oauth-'))
  const log = makeMemoryLog()
  const gateway: Gateway = await createGateway({
    config: { secret: managementKey, oauth_rfc6749_errors: rfc, data_path: folder },
    store,
    frontEnd,
    log,
    definitions: [
      {
        name: 'shop',
        api_id: 'shop',
        org_id: 'acme',
        active: true,
        use_keyless: false,
        use_oauth2: true,
        oauth_meta: {
          allowed_access_types: ['authorization_code', 'client_credentials', 'refresh_token'],
          allowed_authorize_types: ['code'],
          auth_login_redirect: 'http://127.0.0.1:9/login',
        },
        version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
        proxy: { listen_path: '/shop/', target_url: upstream.url, strip_listen_path: true },
      },
    ],
    policies: {
      shoppers: {
        id: 'shoppers',
        org_id: 'acme',
        active: true,
        rate: 1000,
        per: 1,
        quota_max: -1,
        access_rights: { shop: { api_id: 'shop', versions: ['Default'] } },
      },
    },
  })
  const { url } = await gateway.listen(0, '127.0.0.1')
  ends.push(
    () => upstream.close(),
    () => rmSync(folder, { recursive: true, force: true }),
    () => gateway.close(0),
  )
  const manage = (path: string, init: RequestInit = {}) =>
    fetch(url + path, { method: 'POST', ...init, headers: { 'x-svc-authorization': managementKey, ...init.headers } })
  const made = await manage('/svc/oauth/clients/create', {
    body: JSON.stringify({
      api_id: 'shop',
      client_id: clientId,
      secret: clientSecret,
      redirect_uri: redirectUri,
      policy_id: 'shoppers',
    }),
  })
  expect(made.status).toBe(200)

  const server: oauth.AuthorizationServer = {
    issuer: url,
    authorization_endpoint: `${url}/shop/oauth/authorize/`,
    token_endpoint: `${url}/shop/oauth/token`,
    revocation_endpoint: `${url}/shop/oauth/revoke`,
  }
  const client: oauth.Client = { client_id: clientId }
  const secret = oauth.ClientSecretBasic(clientSecret)

  /** The way of a user through the browser: sent to the login page, which approves and sends them back. */
  async function authorize(challenge: Record<string, string> = {}): Promise<URLSearchParams> {
    const asked = new URL(server.authorization_endpoint as string)
    const parameters = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      state: 'st',
      ...challenge,
    }
    asked.search = new URLSearchParams(parameters).toString()
    const sent = await fetch(asked, { redirect: 'manual' })
    expect(sent.status).toBe(307)
    const login = new URL(sent.headers.get('location') as string)
    expect(login.pathname).toBe('/login')
    const approval = await manage('/shop/svc/oauth/authorize-client/', { body: new URLSearchParams(login.search) })
    const { redirect_to } = (await approval.json()) as { redirect_to: string }
    return oauth.validateAuthResponse(server, client, new URL(redirect_to), 'st')
  }
  const exchange = (callback: URLSearchParams, verifier: string | typeof oauth.nopkce) =>
    oauth
      .authorizationCodeGrantRequest(server, client, secret, callback, redirectUri, verifier, insecure)
      .then((answer) => oauth.processAuthorizationCodeResponse(server, client, answer))
  const refresh = (token: string) =>
    oauth
      .refreshTokenGrantRequest(server, client, secret, token, insecure)
      .then((answer) => oauth.processRefreshTokenResponse(server, client, answer))
  const use = async (token: string) =>
    (await fetch(`${url}/shop/x`, { headers: { authorization: `Bearer ${token}` } })).status
  return { url, server, client, secret, log, authorize, exchange, refresh, use, manage }
}

const rejectedWith = (error: string, status: number) => expect.objectContaining({ error, status })
const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

const setups: readonly Setup[] = [
  { frontEnd: frontEnds[0] ?? 'node', store: 'memory', rfc: false },
  { frontEnd: 'node', store: 'lmdb', rfc: true },
]

describe.each(setups)('a client of OAuth 2.0, %j', (setup) => {
  const { rfc } = setup
  const status = rfc ? 400 : 403
  const rejectedUse = rfc ? 401 : 403

  it('gets tokens for a code with PKCE, renews them once, and gives them up', async () => {
    const { server, client, secret, authorize, exchange, refresh, use, log } = await start(setup)
    const verifier = oauth.generateRandomCodeVerifier()
    const challenge = await oauth.calculatePKCECodeChallenge(verifier)
    const callback = await authorize({ code_challenge: challenge, code_challenge_method: 'S256' })
    const wrong = await failure(exchange(callback, oauth.generateRandomCodeVerifier()))
    expect(wrong).toEqual(rejectedWith('invalid_grant', status))
    const first = await exchange(callback, verifier)
    expect(first).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
    expect(await use(first.access_token)).toBe(200)

    const second = await refresh(first.refresh_token as string)
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect([await use(first.access_token), await use(second.access_token)]).toEqual([rejectedUse, 200])

    for (const token of [second.access_token, second.refresh_token as string]) {
      await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, secret, token, insecure))
    }
    expect(await use(second.access_token)).toBe(rejectedUse)
    expect(await failure(refresh(second.refresh_token as string))).toEqual(rejectedWith('invalid_grant', status))

    expect(await failure(exchange(callback, verifier))).toEqual(rejectedWith('invalid_grant', status))
    expect(await failure(refresh(first.refresh_token as string))).toEqual(rejectedWith('invalid_grant', status))

    const printed = JSON.stringify(log.lines)
    const secrets = [first.access_token, second.access_token, first.refresh_token, second.refresh_token, clientSecret]
    for (const text of [...secrets, callback.get('code'), verifier]) expect(printed).not.toContain(text)
  })

  it('may prove itself by a plain challenge', async () => {
    const { authorize, exchange, use } = await start(setup)
    const verifier = oauth.generateRandomCodeVerifier()
    const callback = await authorize({ code_challenge: verifier, code_challenge_method: 'plain' })
    expect(await failure(exchange(callback, oauth.nopkce))).toEqual(rejectedWith('invalid_grant', status))
    expect(await use((await exchange(callback, verifier)).access_token)).toBe(200)
  })

  it.runIf(rfc)('discovers the endpoints', async () => {
    const { server } = await start(setup)
    const issuer = new URL(`${server.issuer}/shop`)
    const found = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' })
    const metadata = await oauth.processDiscoveryResponse(issuer, found)
    expect(metadata.token_endpoint).toBe(server.token_endpoint)
    expect(metadata.code_challenge_methods_supported).toContain('S256')
  })

  it.runIf(rfc)('may send its credentials in the body', async () => {
    const { server, client, use } = await start(setup)
    const inBody = oauth.ClientSecretPost(clientSecret)
    const response = await oauth.clientCredentialsGrantRequest(server, client, inBody, {}, insecure)
    const tokens = await oauth.processClientCredentialsResponse(server, client, response)
    expect(await use(tokens.access_token)).toBe(200)
  })

  it('gets a token for its own credentials', async () => {
    const { server, client, secret, use } = await start(setup)
    const answer = await oauth.clientCredentialsGrantRequest(server, client, secret, { scope: 'read' }, insecure)
    const tokens = await oauth.processClientCredentialsResponse(server, client, answer)
    expect(tokens.refresh_token).toBeUndefined()
    expect(tokens.scope).toBe('read')
    expect(await use(tokens.access_token)).toBe(200)
  })

  it('with a wrong secret is rejected with WWW-Authenticate, as the RFC requires', async () => {
    const { server, client } = await start(setup)
    const wrong = oauth.ClientSecretBasic('wrong')
    const answer = await oauth.clientCredentialsGrantRequest(server, client, wrong, {}, insecure)
    expect(answer.status).toBe(rfc ? 401 : 403)
    expect(answer.headers.get('www-authenticate')).toBe(rfc ? 'Basic realm="shop"' : null)
    const { error } = (await answer.json()) as { error: string }
    expect(error).toBe(rfc ? 'invalid_client' : 'unauthorized_client')
  })

  it('wins once where fifty exchange one code, or one refresh token, at once', async () => {
    const { authorize, exchange, refresh } = await start(setup)
    const callback = await authorize()
    const codes = await Promise.allSettled(Array.from({ length: 50 }, () => exchange(callback, oauth.nopkce)))
    const [won, ...others] = codes.filter((one) => one.status === 'fulfilled')
    expect(others).toEqual([])
    // The others had the code too, so the tokens of the winner have ended.
    expect(await failure(refresh(won?.value.refresh_token as string))).toEqual(rejectedWith('invalid_grant', status))
    const token = (await exchange(await authorize(), oauth.nopkce)).refresh_token as string
    const renewed = await Promise.allSettled(Array.from({ length: 50 }, () => refresh(token)))
    expect(renewed.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
  })
})
