import { describe, expect, it } from 'vitest'
import { signToken, testSecret } from '../../../test/support/jwt/sign-token.ts'
import { definitionOf, makeTestEngine } from '../../../test/support/test-engine.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'

const rights = { api: { api_id: 'api', versions: ['Default'] } }
const policies = {
  p: { id: 'p', org_id: 'org1', rate: 100, per: 1, quota_max: 2, quota_renewal_rate: 60, access_rights: rights },
  q: { id: 'q', org_id: 'org1', rate: 100, per: 1, quota_max: 9, quota_renewal_rate: 60, access_rights: rights },
  elsewhere: { id: 'elsewhere', org_id: 'org1', access_rights: { other: {} } },
  sleeping: { id: 'sleeping', org_id: 'org1', is_inactive: true, access_rights: rights },
  short: { id: 'short', org_id: 'org1', key_expires_in: 10, access_rights: rights },
}
const now = Date.UTC(2026, 0, 1) / 1000

async function makeApi(more: object = {}, engine: object = {}) {
  const definition = definitionOf('api', {
    use_keyless: false,
    enable_jwt: true,
    jwt_signing_method: 'hmac',
    jwt_source: encodeBase64(utf8Bytes(testSecret)),
    jwt_identity_base_field: 'user',
    jwt_policy_field_name: 'pol',
    ...more,
  })
  const made = await makeTestEngine({ definitions: [definition], policies, engine })
  const sendRequest = async (token: string) => {
    const response = await made.send('GET', '/api/x', token === '' ? {} : { authorization: `Bearer ${token}` })
    const { error } = response.status === 200 ? { error: '' } : JSON.parse(String(response.body))
    return `${response.status} ${error}`.trim()
  }
  return { ...made, sendRequest }
}

describe('a token signed by the source of the API', () => {
  it('must have an issuer and an audience of the lists of a classic definition', async () => {
    const { sendRequest } = await makeApi({ jwt_allowed_issuers: ['i', 'j'], jwt_allowed_audiences: ['a'] })
    const send = (claims: object) => sendRequest(signToken({ user: 'u', pol: 'p', ...claims }))
    expect(await send({ iss: 'j', aud: ['x', 'a'] })).toBe('200')
    expect(await send({ iss: 'k', aud: 'a' })).toBe('401 Key not authorized: invalid issuer claim: k')
    expect(await send({ aud: 'a' })).toBe('401 Key not authorized: issuer claim is required but not present in token')
    expect(await send({ iss: 'i', aud: 'b' })).toBe('401 Key not authorized: no matching audience found in token: [b]')
  })

  it('is accepted of any issuer of a key set, with a warning of the start, unless the definition names one', async () => {
    const warned = async (more: object) => {
      const { logged } = await makeApi({ jwt_source: 'https://issuer.test/keys', ...more })
      return JSON.stringify(logged).includes('accepts every token of its key set')
    }
    expect(await warned({})).toBe(true)
    expect(await warned({ jwt_allowed_audiences: ['a'] })).toBe(false)
  })

  it('creates a session from its policy, named by organisation and MD5 of the identity', async () => {
    const { sendRequest, store } = await makeApi()
    expect(await sendRequest(signToken({ user: 'u23', pol: 'p', client_id: 'c' }))).toBe('200')
    const stored = await store.sessions.get('org145f1ec947069c5fbecc675a77123d6e4')
    expect(stored?.session).toMatchObject({
      alias: 'u23',
      orgId: 'org1',
      applyPolicies: ['p'],
      oauthClientId: 'c',
      expires: 0,
      quotaMax: 2,
    })
  })

  it('shares the quota with all tokens of its identity', async () => {
    const { sendRequest } = await makeApi()
    expect(await sendRequest(signToken({ user: 'a', pol: 'p', jti: 1 }))).toBe('200')
    expect(await sendRequest(signToken({ user: 'a', pol: 'p', jti: 2 }))).toBe('200')
    expect(await sendRequest(signToken({ user: 'a', pol: 'p', jti: 3 }))).toBe('403 Quota exceeded')
    expect(await sendRequest(signToken({ user: 'b', pol: 'p' }))).toBe('200')
  })

  it('changes the policy of its session if it names another one', async () => {
    const { sendRequest, store } = await makeApi()
    expect(await sendRequest(signToken({ user: 'u23', pol: 'p' }))).toBe('200')
    expect(await sendRequest(signToken({ user: 'u23', pol: 'q' }))).toBe('200')
    const stored = await store.sessions.get('org145f1ec947069c5fbecc675a77123d6e4')
    expect(stored?.session).toMatchObject({ applyPolicies: ['q'], quotaMax: 9 })
  })

  it('is rejected with the text of the error', async () => {
    const { sendRequest } = await makeApi()
    expect(await sendRequest('')).toBe('400 Authorization field missing')
    expect(await sendRequest('nonsense')).toBe('403 Key not authorized')
    expect(await sendRequest(signToken({ user: 'a', pol: 'p' }, { secret: 'another' }))).toBe('403 Key not authorized')
    expect(await sendRequest(signToken({ user: 'a', pol: 'p' }, { header: { crit: ['x'] } }))).toBe(
      '403 Key not authorized',
    )
    const method = '403 Key not authorized: Unexpected signing method'
    expect(await sendRequest(signToken({ user: 'a', pol: 'p' }, { header: { alg: 'none' } }))).toBe(method)
    expect(await sendRequest(signToken({ user: 'a', pol: 'p' }, { header: { alg: 'RS256' } }))).toBe(method)
    expect(await sendRequest(signToken({ user: 'a', pol: 'p', exp: now }))).toBe(
      '401 Key not authorized: token has expired',
    )
    expect(await sendRequest(signToken({ user: 'a', pol: 'p', exp: 0 }))).toBe(
      '401 Key not authorized: token has expired',
    )
    expect(await sendRequest(signToken({ pol: 'p' }))).toBe('403 no suitable claims for user ID were found')
    expect(await sendRequest(signToken({ user: '', pol: 'p' }))).toBe(
      '403 found an empty user ID in predefined base claim, claim: user',
    )
    expect(await sendRequest(signToken({ sub: '', pol: 'p' }))).toBe('403 found an empty user ID in sub claim')
    expect(await sendRequest(signToken({ user: 'a', pol: 'none' }))).toBe('403 key not authorized: no matching policy')
    expect(await sendRequest(signToken({ user: 'a' }))).toBe('403 key not authorized: no matching policy found')
    expect(await sendRequest(signToken({ user: 'a', pol: 'elsewhere' }))).toBe(
      '403 Access to this API has been disallowed',
    )
    expect(await sendRequest(signToken({ user: 'b', pol: 'sleeping' }))).toBe('403 Key is inactive, please renew')
  })

  it.each(['sha384', 'sha512'] as const)('may be signed with HMAC and %s', async (hash) => {
    const { sendRequest } = await makeApi()
    expect(await sendRequest(signToken({ user: 'a', pol: 'p' }, { hash }))).toBe('200')
  })

  it('is cached until its expiry', async () => {
    const { sendRequest, advance } = await makeApi()
    const token = signToken({ user: 'a', pol: 'q', exp: now + 60 })
    expect(await sendRequest(token)).toBe('200')
    expect(await sendRequest(token)).toBe('200')
    advance(60_000)
    expect(await sendRequest(token)).toBe('401 Key not authorized: token has expired')
  })

  it('follows policies as they change', async () => {
    const { sendRequest, files, engine } = await makeApi()
    const token = signToken({ user: 'a', pol: 'q' })
    expect(await sendRequest(token)).toBe('200')
    files.policies = JSON.stringify({ p: policies.p })
    await engine.reload()
    expect(await sendRequest(token)).toBe('403 key not authorized: no matching policy')
  })

  it('sets the expiry of the session if it is later than that of the policy', async () => {
    const { sendRequest, store } = await makeApi()
    const expires = async () => (await store.sessions.get('org145f1ec947069c5fbecc675a77123d6e4'))?.session.expires
    expect(await sendRequest(signToken({ user: 'u23', pol: 'short', exp: now + 5 }))).toBe('200')
    expect(await expires()).toBe(now + 10)
    expect(await sendRequest(signToken({ user: 'u23', pol: 'short', exp: now + 99 }))).toBe('200')
    expect(await expires()).toBe(now + 99)
  })

  it('is accepted within the clock skew, which does not extend its session', async () => {
    const { sendRequest } = await makeApi({ jwt_expires_at_validation_skew: 100 })
    expect(await sendRequest(signToken({ user: 'a', pol: 'p', exp: now - 5 }))).toBe(
      '401 Key has expired, please renew',
    )
  })
})

describe('policies of a token', () => {
  const scopes = { jwt: { scope_claim_name: 'scp', scope_to_policy: { read: 'p', write: 'q' } } }

  it('come from its scopes', async () => {
    const { sendRequest } = await makeApi({ scopes })
    expect(await sendRequest(signToken({ user: 'a', scp: 'read write' }))).toBe('200')
    expect(await sendRequest(signToken({ user: 'b', scp: ['admin'] }))).toBe(
      '403 key not authorized: no matching policy found in scope claim',
    )
    expect(await sendRequest(signToken({ user: 'b' }))).toBe('403 key not authorized: no matching policy found')
    expect(await sendRequest(signToken({ user: 'a' }))).toBe('403 key not authorized: no scope or policy in token')
  })

  it('come from the deprecated scope fields', async () => {
    const { sendRequest } = await makeApi({ jwt_scope_claim_name: 's', jwt_scope_to_policy_mapping: { read: 'p' } })
    expect(await sendRequest(signToken({ user: 'a', s: 'read' }))).toBe('200')
  })

  it('come from the key of the client', async () => {
    const { sendRequest, putKey } = await makeApi({ jwt_client_base_field: 'azp' })
    await putKey('org1shop', { org_id: 'org1', apply_policies: ['p'] })
    expect(await sendRequest(signToken({ user: 'a', azp: 'shop' }))).toBe('200')
    expect(await sendRequest(signToken({ user: 'b', azp: 'nobody' }))).toBe(
      '403 key not authorized: no matching policy found',
    )
    await putKey('org1abc', { org_id: 'org1', apply_policies: ['p'] })
    // No longer than min_token_length, so the key is not found.
    expect(await sendRequest(signToken({ user: 'b', azp: 'abc' }))).toBe(
      '403 key not authorized: no matching policy found',
    )
    await putKey('org1shop', { org_id: 'org1', apply_policies: ['elsewhere'] })
    expect(await sendRequest(signToken({ user: 'a', azp: 'shop' }))).toBe('403 Access to this API has been disallowed')
  })
})

describe('a token of a key with a secret of its own', () => {
  const own = { jwt_source: '' }
  const key = (secret: string) => ({ org_id: 'org1', jwt_data: { secret }, access_rights: rights })

  it('is named by kid, else by the identity field, else by the subject', async () => {
    const { sendRequest, putKey } = await makeApi(own)
    await putKey('org1kate', key('s'))
    expect(await sendRequest(signToken({}, { header: { kid: 'kate' }, secret: 's' }))).toBe('200')
    expect(await sendRequest(signToken({ user: 'org1kate' }, { secret: 's' }))).toBe('200')
    expect(await sendRequest(signToken({ sub: 'kate' }, { secret: 's' }))).toBe('200')
    expect(await sendRequest(signToken({ sub: 'kate' }, { secret: 't' }))).toBe('403 Key not authorized')
    expect(await sendRequest(signToken({ sub: 'kate' }, { header: { kid: 'nobody' }, secret: 's' }))).toBe(
      '403 Key not authorized',
    )
    expect(await sendRequest(signToken({}, { secret: 's' }))).toBe('403 Key not authorized')
  })

  it('ignores kid if the API is configured to', async () => {
    const { sendRequest, putKey } = await makeApi({ ...own, jwt_skip_kid: true })
    await putKey('org1kate', key('s'))
    expect(await sendRequest(signToken({ sub: 'kate' }, { header: { kid: 'nobody' }, secret: 's' }))).toBe('200')
  })

  it('is rejected as soon as the secret changes or the key is removed', async () => {
    const { sendRequest, putKey, store, engine } = await makeApi(own)
    const token = signToken({ sub: 'kate' }, { secret: 's' })
    await putKey('org1kate', key('s'))
    expect(await sendRequest(token)).toBe('200')
    await putKey('org1kate', key('t'))
    expect(await sendRequest(token)).toBe('403 Key not authorized')
    await putKey('org1kate', key('s'))
    expect(await sendRequest(token)).toBe('200')
    await store.sessions.remove('org1kate')
    engine.sessionCache.forget('org1kate')
    expect(await sendRequest(token)).toBe('403 Key not authorized')
  })

  it('is rejected if the name of its key is no longer than min_token_length', async () => {
    const { sendRequest, putKey } = await makeApi(own)
    await putKey('org1abc', key('s'))
    expect(await sendRequest(signToken({ sub: 'abc' }, { secret: 's' }))).toBe('403 Key not authorized')
    expect(await sendRequest(signToken({ sub: 'org1abc' }, { secret: 's' }))).toBe('200')
  })

  it('a key without a secret verifies no token', async () => {
    const { sendRequest, putKey } = await makeApi(own)
    await putKey('org1kate', key(''))
    expect(await sendRequest(signToken({ sub: 'kate' }, { secret: '' }))).toBe('403 Key not authorized')
  })
})

describe('an API with an invalid key source', () => {
  it('rejects every token, and logs this when it is loaded', async () => {
    const { sendRequest, logged } = await makeApi({ jwt_source: '%%%' })
    expect(await sendRequest(signToken({ user: 'a', pol: 'p' }))).toBe('403 Key not authorized')
    expect(logged.find((line) => line.message === 'every token of an API is rejected')?.fields).toMatchObject({
      api: 'api',
      reason: 'jwt_source holds no secret in base64',
    })
  })
})
