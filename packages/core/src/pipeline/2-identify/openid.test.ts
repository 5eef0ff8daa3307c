import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signToken } from '../../../test/support/jwt/sign-token.ts'
import { testTokenVerifier } from '../../../test/support/jwt/test-token-verifier.ts'
import { definitionOf, makeTestEngine } from '../../../test/support/test-engine.ts'
import { authenticationFields } from '../../definition/openapi/to-classic/authentication.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { TokenVerifier } from '../../ports/token-verifier.ts'

const issuer = 'https://issuer.test/realm'
const now = Date.UTC(2026, 0, 1) / 1000
const base64 = (text: string) => Buffer.from(text).toString('base64')
const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const rejected = '401 Key not authorised'
const good = { iss: issuer, aud: 'web', sub: 'anna', exp: now + 60 }

/** Public keys verify tokens whose signature is the name of the key. */
const tokenVerifier: TokenVerifier = {
  parse: testTokenVerifier.parse,
  readKey: (material) =>
    material.kind === 'jwk'
      ? { family: 'rsa', verifies: ({ text }) => text.endsWith(`.${String(material.jwk['n'])}`) }
      : undefined,
}

function idToken(claims: object, { kid = 'k1', alg = 'RS256', signature = 'key-one' } = {}): string {
  const [header, body] = signToken(claims, { header: { alg, kid } }).split('.')
  return `${header}.${body}.${signature}`
}

async function makeApi(more: object = {}, documents: Record<string, object | number> = {}) {
  const fetched: string[] = []
  const served: Record<string, object | number> = {
    [`${issuer}/.well-known/openid-configuration`]: { issuer, jwks_uri: 'https://issuer.test/keys' },
    'https://issuer.test/keys': { keys: [{ kid: 'k1', kty: 'RSA', n: 'key-one' }] },
    ...documents,
  }
  const rights = { api: {} }
  const made = await makeTestEngine({
    definitions: [
      definitionOf('api', {
        use_keyless: false,
        use_openid: true,
        openid_options: { providers: [{ issuer, client_ids: { [base64('web')]: 'p', [base64('app')]: 'q' } }] },
        ...more,
      }),
      definitionOf('plain', { use_keyless: false }),
    ],
    policies: {
      p: { id: 'p', org_id: 'org1', quota_max: 2, quota_renewal_rate: 60, access_rights: { ...rights, plain: {} } },
      q: { id: 'q', org_id: 'org1', access_rights: rights },
    },
    engine: {
      tokenVerifier,
      fetch: {
        async get(url) {
          fetched.push(url)
          const found = served[url] ?? 404
          return typeof found === 'number'
            ? { status: found, body: new Uint8Array() }
            : { status: 200, body: utf8Bytes(JSON.stringify(found)) }
        },
        postForm: () => Promise.reject(new Error('not used')),
      },
    },
  })
  const send = async (token: string, path = '/api/x') => {
    const { status, body } = await made.send('GET', path, token === '' ? {} : { authorization: `Bearer ${token}` })
    return status === 200 ? '200' : `${status} ${JSON.parse(String(body)).error}`
  }
  return { ...made, fetched, send }
}

describe('an ID token of OpenID Connect', () => {
  it('gets a session of its subject with the policy of its client', async () => {
    const { send, store, fetched } = await makeApi()
    expect(await send(idToken(good))).toBe('200')
    const stored = await store.sessions.get(`org1${md5('anna')}`)
    expect(stored?.session).toMatchObject({ alias: 'anna', applyPolicies: ['p'], oauthClientId: 'web', quotaMax: 2 })
    expect(await send(idToken({ ...good, jti: 'other' }))).toBe('200')
    expect(await send(idToken({ ...good, jti: 'third' }))).toBe('403 Quota exceeded')
    expect(fetched).toHaveLength(2)
  })

  it.each<[string, string]>([
    ['no token', ''],
    ['no JSON web token', 'nonsense'],
    ['a wrong signature', idToken(good, { signature: 'key-two' })],
    ['an unknown key', idToken(good, { kid: 'k2' })],
    ['a shared secret', idToken(good, { alg: 'HS256' })],
    ['no signature', idToken(good, { alg: 'none', signature: '' })],
    ['another issuer', idToken({ ...good, iss: 'https://other.test' })],
    ['no issuer', idToken({ ...good, iss: undefined })],
    ['another audience', idToken({ ...good, aud: ['shop'] })],
    ['no subject', idToken({ ...good, sub: '' })],
    ['an expiry that has passed', idToken({ ...good, exp: now })],
    ['no expiry', idToken({ ...good, exp: undefined })],
    ['an issue in the future', idToken({ ...good, iat: now + 60 })],
  ])('is rejected with %s', async (_what, token) => {
    const { send } = await makeApi()
    expect(await send(token)).toBe(rejected)
  })

  it('may have several audiences if one of them is a client', async () => {
    const { send, store } = await makeApi()
    expect(await send(idToken({ ...good, aud: ['shop', 'app'] }))).toBe('200')
    expect((await store.sessions.get(`org1${md5('anna')}`))?.session.applyPolicies).toEqual(['q'])
  })

  it('has a session per client if the definition says so, which is no API key', async () => {
    const { send, store } = await makeApi({
      openid_options: { segregate_by_client: true, providers: [{ issuer, client_ids: { [base64('web')]: 'p' } }] },
    })
    expect(await send(idToken(good))).toBe('200')
    const name = `org1${md5('web')}${md5('anna')}`
    expect((await store.sessions.get(name))?.session.alias).toBe('anna')
    expect(await send(name, '/plain/x')).toBe('403 Access to this API has been disallowed')
  })

  it('may get its policy from its scopes', async () => {
    const scopes = { oidc: { scope_claim_name: 'scp', scope_to_policy: { read: 'q' } } }
    const { send, store } = await makeApi({ scopes })
    expect(await send(idToken({ ...good, scp: 'read' }))).toBe('200')
    expect((await store.sessions.get(`org1${md5('anna')}`))?.session.applyPolicies).toEqual(['q'])
    expect(await send(idToken({ ...good, scp: 'write' }))).toBe(rejected)
  })

  it('is rejected while its issuer does not respond, or describes another issuer', async () => {
    const configuration = `${issuer}/.well-known/openid-configuration`
    const { send, fetched, advance } = await makeApi({}, { [configuration]: 503 })
    expect([await send(idToken(good)), await send(idToken(good))]).toEqual([rejected, rejected])
    expect(fetched).toHaveLength(1)
    advance(1_000)
    await send(idToken(good))
    expect(fetched).toHaveLength(2)
    const document = { issuer: 'https://evil.test', jwks_uri: 'https://issuer.test/keys' }
    expect(await (await makeApi({}, { [configuration]: document })).send(idToken(good))).toBe(rejected)
  })

  it('closes an API without providers', async () => {
    const { send } = await makeApi({ openid_options: {} })
    expect(await send(idToken(good))).toBe(rejected)
  })
})

it('OpenID Connect in an OpenAPI document is server.authentication.oidc', () => {
  const oidc = {
    enabled: true,
    header: { enabled: true, name: 'X-Id' },
    segregateByClientId: true,
    providers: [{ issuer, clientToPolicyMapping: [{ clientId: 'web', policyId: 'p' }] }],
    scopes: { claimName: 'scp', scopeToPolicyMapping: [{ scope: 'read', policyId: 'q' }] },
  }
  expect(authenticationFields({}, { enabled: true, oidc })).toMatchObject({
    use_openid: true,
    openid_options: { segregate_by_client: true, providers: [{ issuer, client_ids: { [base64('web')]: 'p' } }] },
    scopes: { oidc: { scope_claim_name: 'scp', scope_to_policy: { read: 'q' } } },
    auth_configs: { oidc: { auth_header_name: 'X-Id' } },
  })
})
