import { describe, expect, it } from 'vitest'
import { signToken, testSecret } from '../../../test/support/jwt/sign-token.ts'
import { definitionOf, makeTestEngine } from '../../../test/support/test-engine.ts'
import { authenticationFields } from '../../definition/openapi/to-classic/authentication.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'

const jwt = { enabled: true, signing_method: 'hmac', source: encodeBase64(utf8Bytes(testSecret)) }
const introspection = { enabled: true, url: 'http://issuer.test/?x=1', client_id: 'id', client_secret: 's&s' }
const failed = '500 error happened during the access token validation'
const now = Date.UTC(2026, 0, 1) / 1000

/** `response`: the body of the introspection server, by token; an Error: it does not respond. */
async function makeApi(provider: object | undefined, response?: (token: string) => object | string | Error) {
  const forms: string[] = []
  const definition = definitionOf('api', {
    use_keyless: false,
    external_oauth: { enabled: true, providers: provider === undefined ? [] : [provider] },
  })
  const made = await makeTestEngine({
    definitions: [definition],
    engine: {
      fetch: {
        get: () => Promise.reject(new Error('not used')),
        async postForm(_url, form) {
          forms.push(form)
          const body = response?.(new URLSearchParams(form).get('token') ?? '') ?? ''
          if (body instanceof Error) throw body
          return { status: 200, body: utf8Bytes(typeof body === 'string' ? body : JSON.stringify(body)) }
        },
      },
    },
  })
  const send = async (token: string) => {
    const { status, body } = await made.send('GET', '/api/x', token === '' ? {} : { authorization: `Bearer ${token}` })
    return status === 200 ? '200' : `${status} ${JSON.parse(String(body)).error}`
  }
  return { ...made, forms, send, request: made.send }
}

describe('a token of another server that is verified by its signature', () => {
  it('gets a session that is not stored, with a rate and without a quota', async () => {
    const { request, store } = await makeApi({ jwt })
    const { status, headers } = await request('GET', '/api/x', { authorization: signToken({ sub: 'ida' }) })
    const header = (name: string) => headers[headers.indexOf(name) + 1]
    expect([status, header('x-ratelimit-limit'), header('x-ratelimit-remaining')]).toEqual([200, '-1', '10'])
    expect(header('x-ratelimit-reset')).toBe(String(now + 20))
    expect(await store.sessions.list('')).toEqual([])
  })

  it('gets the stored session of its identity', async () => {
    const { send, putKey } = await makeApi({ jwt: { ...jwt, identity_base_field: 'user.id' } })
    // The MD5 of "42".
    await putKey('org1a1d0c6e83f027327d8461063f4ac58a6', {
      org_id: 'org1',
      is_inactive: true,
      access_rights: { api: {} },
    })
    expect(await send(signToken({ user: { id: 42 } }))).toBe('403 Key is inactive, please renew')
    expect(await send(signToken({ user: { id: 43 } }))).toBe('200')
    expect(await send(signToken({ sub: 'someone' }))).toBe('200')
  })

  it.each([
    ['no token', '', '400 authorization field missing'],
    ['one part', 'driftwood', '401 token verification failed: token contains an invalid number of segments'],
    ['four parts', 'a.b.c.d', '401 token verification failed: token contains an invalid number of segments'],
    ['no JSON', 'a.b.c', '401 token verification failed: the token cannot be read'],
    ['another secret', signToken({ sub: 'a' }, { secret: 'x' }), '401 token verification failed: signature is invalid'],
    ['another family', signToken({ sub: 'a' }, { header: { alg: 'RS256' } }), failed],
    ['no signature', signToken({ sub: 'a' }, { header: { alg: 'none' } }), failed],
    ['an expiry that has passed', signToken({ sub: 'a', exp: now }), '401 key not authorized: token has expired'],
    ['a start in the future', signToken({ sub: 'a', nbf: now + 9 }), '401 key not authorized: token is not valid yet'],
    [
      'an issue in the future',
      signToken({ sub: 'a', iat: now + 9 }),
      '401 key not authorized: token used before issued',
    ],
    ['no identity', signToken({}), failed],
    ['an empty subject', signToken({ sub: '' }), failed],
    ['a number as subject', signToken({ sub: 7 }), failed],
  ])('is rejected with %s', async (_what, token, expected) => {
    const { send } = await makeApi({ jwt })
    expect(await send(token)).toBe(expected)
  })

  it('is checked for its times at each request', async () => {
    const { send, advance } = await makeApi({ jwt })
    const token = signToken({ sub: 'a', exp: now + 60 })
    expect(await send(token)).toBe('200')
    advance(60_000)
    expect(await send(token)).toBe('401 key not authorized: token has expired')
  })

  it('may use a clock skew', async () => {
    const { send } = await makeApi({ jwt: { ...jwt, expires_at_validation_skew: 10 } })
    expect(await send(signToken({ sub: 'a', exp: now - 9 }))).toBe('200')
  })
})

describe('external OAuth that is not configured', () => {
  it('rejects every token', async () => {
    const token = signToken({ sub: 'a' })
    expect(await (await makeApi(undefined)).send(token)).toBe('404 there should be at least one provider configured')
    expect(await (await makeApi({})).send(token)).toBe('500 access token validation method is not specified')
    const { send, logged } = await makeApi({ jwt: { ...jwt, source: '' } })
    expect(await send(token)).toBe(failed)
    expect(logged.map(({ message }) => message)).toContain('every token of an API is rejected')
  })
})

describe('a token of another server that is introspected', () => {
  it('is sent with the credentials of the client, as a form', async () => {
    const { send, forms } = await makeApi({ introspection }, () => ({ active: true, sub: 'ida' }))
    expect(await send('a b+c')).toBe('200')
    expect(forms).toEqual(['token=a+b%2Bc&client_id=id&client_secret=s%26s'])
    await send('a b+c')
    expect(forms).toHaveLength(2)
  })

  it.each<[string, object | string | Error, string]>([
    ['an inactive token', { active: false, sub: 'a' }, '401 access token is not valid'],
    ['an active that is a text', { active: 'true', sub: 'a' }, '401 access token is not valid'],
    ['no active', { sub: 'a' }, failed],
    ['no identity', { active: true }, failed],
    ['a list', [], failed],
    ['no JSON', 'no json', failed],
    ['no response', new Error('refused'), failed],
    ['an exp that has passed, since the server decides', { active: true, sub: 'a', exp: 1 }, '200'],
  ])('meets %s', async (_what, body, expected) => {
    const { send } = await makeApi({ introspection }, () => body)
    expect(await send('t')).toBe(expected)
  })

  it('is cached, rejected or not, for the time of the definition', async () => {
    const cached = { ...introspection, cache: { enabled: true, timeout: 5 } }
    const { send, forms, advance } = await makeApi({ introspection: cached }, (token) =>
      token === 'bad' ? { active: false } : { active: true, sub: 'a', ...(token === 'old' ? { exp: now + 2 } : {}) },
    )
    expect(await Promise.all([send('good'), send('good')])).toEqual(['200', '200'])
    for (const token of ['bad', 'old', 'bad', 'old', 'good']) await send(token)
    expect(forms).toHaveLength(3)
    advance(2_000)
    expect(await send('old')).toBe('401 access token is not valid')
    expect(await send('good')).toBe('200')
    expect(forms).toHaveLength(3)
    advance(3_000)
    expect(await send('good')).toBe('200')
    expect(forms).toHaveLength(4)
  })

  it('is not cached if the server failed', async () => {
    let body: object | Error = new Error('away')
    const cached = { ...introspection, cache: { enabled: true, timeout: 5 } }
    const { send } = await makeApi({ introspection: cached }, () => body)
    expect(await send('t')).toBe(failed)
    body = { active: true, sub: 'a' }
    expect(await send('t')).toBe('200')
  })
})

describe('external OAuth in an OpenAPI document', () => {
  const document = {
    security: [{ outside: [] }],
    components: { securitySchemes: { outside: { type: 'oauth2', flows: {} } } },
  }
  const fieldsOf = (own: object) =>
    authenticationFields(document, { enabled: true, securitySchemes: { outside: { enabled: true, ...own } } })

  it('is a scheme of type oauth2 with providers', () => {
    const fields = fieldsOf({
      header: { enabled: true, name: 'X-Token' },
      providers: [
        {
          jwt: { enabled: true, signingMethod: 'rsa', source: 's', identityBaseField: 'u', issuedAtValidationSkew: 1 },
          introspection: {
            enabled: true,
            url: 'u',
            clientId: 'c',
            clientSecret: 's',
            cache: { enabled: true, timeout: 3 },
          },
        },
      ],
    })
    expect(fields).toMatchObject({
      use_keyless: false,
      external_oauth: {
        enabled: true,
        providers: [
          {
            jwt: {
              enabled: true,
              signing_method: 'rsa',
              source: 's',
              identity_base_field: 'u',
              issued_at_validation_skew: 1,
            },
            introspection: { enabled: true, client_id: 'c', client_secret: 's', cache: { enabled: true, timeout: 3 } },
          },
        ],
      },
      auth_configs: { externalOAuth: { name: 'outside', auth_header_name: 'X-Token' } },
    })
    expect(fields).not.toHaveProperty('use_oauth2')
  })

  it('is the OAuth server of the gateway without providers', () => {
    expect(fieldsOf({})).toMatchObject({ use_oauth2: true })
  })
})
