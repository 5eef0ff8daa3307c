import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine } from '../../../test/support/test-engine.ts'
import { headerOf, headersOf } from '../../http/headers.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { FetchOptions, FetchResponse } from '../../ports/fetch.ts'

interface Call {
  readonly url: string
  readonly form: string
  readonly authorization: string | undefined
}

const oauth = (more: object = {}) => ({
  enabled: true,
  oauth: {
    enabled: true,
    allowed_authorize_types: ['clientCredentials'],
    client_credentials: {
      client_id: 'the gate',
      client_secret: 'low:tide',
      token_url: 'https://issuer.test/token',
      scopes: ['read', 'write'],
      ...more,
    },
  },
})

async function makeGateway(upstream_auth: object, token?: (call: Call) => Promise<FetchResponse> | FetchResponse) {
  const calls: Call[] = []
  const test = await makeTestEngine({
    definitions: [definitionOf('a', { upstream_auth })],
    engine: {
      fetch: {
        get: () => Promise.reject(new Error('not used')),
        async postForm(url: string, form: string, options: FetchOptions = {}) {
          const call = { url, form, authorization: options.authorization }
          calls.push(call)
          if (token === undefined) throw new Error('refused')
          return token(call)
        },
      },
    },
  })
  const send = (headers: Record<string, string> = {}) => test.send('GET', '/a/x', headers)
  const sent = () => test.upstreamRequests.map(({ headers }) => headerOf(headers, 'authorization'))
  return { ...test, calls, send, sent }
}

const reply = (value: object, status = 200): FetchResponse => ({ status, body: utf8Bytes(JSON.stringify(value)) })

describe('basic authentication to the upstream', () => {
  const basic = { enabled: true, username: 'Aladdin', password: 'open sesame' }

  it('replaces the header of the client', async () => {
    const gateway = await makeGateway({ enabled: true, basic_auth: basic })
    await gateway.send({ authorization: 'mine' })
    const { headers = [] } = gateway.upstreamRequests[0] ?? {}
    expect(headersOf(headers, 'authorization')).toEqual(['Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=='])
  })

  it('uses another header if the definition names one', async () => {
    const header = { enabled: true, name: 'X-Proof' }
    const gateway = await makeGateway({ enabled: true, basic_auth: { ...basic, header } })
    await gateway.send({ authorization: 'mine' })
    expect(gateway.sent()).toEqual(['mine'])
    expect(headerOf(gateway.upstreamRequests[0]?.headers ?? [], 'x-proof')).toMatch(/^Basic /)
  })

  it.each([{ enabled: false, basic_auth: basic }, { enabled: true, basic_auth: { ...basic, enabled: false } }, null])(
    'does nothing with %j',
    async (settings) => {
      const gateway = await makeGateway(settings as object)
      await gateway.send({ authorization: 'mine' })
      expect(gateway.sent()).toEqual(['mine'])
    },
  )
})

describe('OAuth 2.0 to the upstream', () => {
  it('gets a token by client credentials, and keeps it until shortly before it expires', async () => {
    const gateway = await makeGateway(oauth(), () => reply({ access_token: 't1', expires_in: 60 }))
    await Promise.all([gateway.send(), gateway.send()])
    gateway.advance(49_999)
    await gateway.send()
    expect(gateway.calls).toEqual([
      {
        url: 'https://issuer.test/token',
        form: 'grant_type=client_credentials&scope=read+write',
        authorization: `Basic ${Buffer.from('the+gate:low%3Atide').toString('base64')}`,
      },
    ])
    expect(gateway.sent()).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t1'])
    gateway.advance(1)
    await gateway.send()
    expect(gateway.calls).toHaveLength(2)
  })

  it('keeps a token without a lifetime for five minutes', async () => {
    const gateway = await makeGateway(oauth(), () => reply({ access_token: 't1' }))
    await gateway.send()
    gateway.advance(289_999)
    await gateway.send()
    expect(gateway.calls).toHaveLength(1)
    gateway.advance(1)
    await gateway.send()
    expect(gateway.calls).toHaveLength(2)
  })

  it('sends the credentials in the body to a server that does not accept them in the header', async () => {
    const gateway = await makeGateway(oauth({ scopes: null }), ({ authorization }) =>
      authorization === undefined ? reply({ access_token: 't1', expires_in: 20 }) : reply({ error: 'x' }, 401),
    )
    await gateway.send()
    expect(gateway.calls[1]).toMatchObject({
      form: 'grant_type=client_credentials&client_id=the+gate&client_secret=low%3Atide',
      authorization: undefined,
    })
    gateway.advance(20_000)
    await gateway.send()
    expect(gateway.calls).toHaveLength(3)
    expect(gateway.sent()).toEqual(['Bearer t1', 'Bearer t1'])
  })

  it('gets a token by the password grant', async () => {
    const password = {
      client_id: 'c',
      client_secret: 's',
      token_url: 'http://issuer.test/t',
      username: 'u',
      password: 'p',
    }
    const settings = { enabled: true, oauth: { enabled: true, allowed_authorize_types: ['password'], password } }
    const gateway = await makeGateway(settings, () => reply({ access_token: 't1' }))
    await gateway.send()
    expect(gateway.calls[0]?.form).toBe('grant_type=password&username=u&password=p')
  })

  it.each([
    ['no server', undefined],
    ['an error', () => reply({ error: 'invalid_client' }, 500)],
    ['no token', () => reply({ token_type: 'bearer' })],
    ['a token with a line break', () => reply({ access_token: 'a\r\nX: y' })],
    ['no JSON', () => ({ status: 200, body: utf8Bytes('<html>') })],
  ])('rejects requests with %s, and pauses before the next call', async (_, token) => {
    const gateway = await makeGateway(oauth(), token)
    expect((await gateway.send()).status).toBe(500)
    expect((await gateway.send()).status).toBe(500)
    expect(gateway.calls).toHaveLength(1)
    gateway.advance(1_000)
    await gateway.send()
    expect(gateway.calls).toHaveLength(2)
    expect(gateway.upstreamRequests).toEqual([])
  })

  it.each([
    [{ ...oauth(), basic_auth: { enabled: true } }],
    [oauth({ token_url: 'ftp://issuer.test' })],
    [oauth({ client_id: '' })],
    [oauth({ client_secret: 'env://NOT_SET' })],
    [{ enabled: true, basic_auth: { enabled: true, username: 'u', password: 'secrets://none' } }],
    [{ enabled: true, oauth: { enabled: true } }],
    [{ enabled: true, oauth: { enabled: true, allowed_authorize_types: ['implicit'] } }],
    [{ enabled: true, basic_auth: { enabled: true, username: 'a:b' } }],
  ])('rejects every request with invalid settings: %j', async (settings) => {
    const gateway = await makeGateway(settings, () => reply({ access_token: 't1' }))
    expect((await gateway.send()).status).toBe(500)
    expect(gateway.upstreamRequests).toEqual([])
  })
})
