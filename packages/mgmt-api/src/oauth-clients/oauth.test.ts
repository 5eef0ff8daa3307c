import { collectResponse, makeInjectedRequest } from '@turnpike/core/engine'
import type { Store } from '@turnpike/core/ports'
import { describe, expect, it } from 'vitest'
import { keyedApi, makeTestGateway, type TestGatewayOptions } from '../../test/test-gateway.ts'

const oauthApi = (id: string, more: object = {}) =>
  keyedApi(id, {
    use_oauth2: true,
    oauth_meta: { allowed_access_types: ['client_credentials'], allowed_authorize_types: ['code'] },
    ...more,
  })
const policy = (id: string, apis: readonly string[], more: object = {}) => ({
  id,
  org_id: 'org1',
  active: true,
  rate: 100,
  per: 1,
  quota_max: -1,
  access_rights: Object.fromEntries(apis.map((api) => [api, { api_id: api, versions: ['Default'] }])),
  ...more,
})
const form = { 'content-type': 'application/x-www-form-urlencoded' }

async function start(more: TestGatewayOptions = {}) {
  const gateway = await makeTestGateway({
    apis: [oauthApi('a'), oauthApi('b'), oauthApi('far', { org_id: 'org2' }), keyedApi('plain')],
    policies: [
      policy('pol', ['a']),
      policy('other', ['a', 'b']),
      policy('ghost', ['a', 'no-such-api', 'b']),
      policy('far', ['a'], { org_id: 'org2' }),
    ],
    ...more,
  })
  const client = (id: string, fields: object = {}) => ({
    client_id: id,
    secret: `${id}-secret`,
    redirect_uri: 'http://client.test/cb',
    api_id: 'a',
    policy_id: 'pol',
    ...fields,
  })
  const create = (id: string, fields: object = {}) =>
    gateway.call('POST', '/svc/oauth/clients/create', client(id, fields))
  const token = async (id: string, api = 'a') => {
    const request = makeInjectedRequest({
      method: 'POST',
      url: `/${api}/oauth/token`,
      headers: { authorization: `Basic ${btoa(`${id}:${id}-secret`)}`, ...form },
      body: 'grant_type=client_credentials',
    })
    const response = await collectResponse(await gateway.engine.handle(request))
    return (JSON.parse(await response.text()) as { access_token: string }).access_token
  }
  const use = (accessToken: string, api = 'a') => gateway.ask(`/${api}/x`, `Bearer ${accessToken}`)
  const post = (path: string, fields: Record<string, string>) =>
    gateway.call('POST', path, new URLSearchParams(fields).toString(), form)
  return { ...gateway, create, token, use, post }
}

describe('clients', () => {
  it('match redirect URIs exactly, also after an update', async () => {
    const { create, call, engine } = await start()
    const statusOf = async (redirect: string) => {
      const query = new URLSearchParams({ response_type: 'code', client_id: 'c', redirect_uri: redirect })
      const request = makeInjectedRequest({ url: `/a/oauth/authorize?${query}` })
      return (await collectResponse(await engine.handle(request))).status
    }
    await create('c')
    const below = 'http://client.test/cb/below'
    expect([await statusOf('http://client.test/cb'), await statusOf(below)]).toEqual([307, 403])
    await call('PUT', '/svc/oauth/clients/a/c', { redirect_uri: 'http://client.test/new', policy_id: 'pol' })
    expect([await statusOf('http://client.test/new'), await statusOf('http://client.test/new/x')]).toEqual([307, 403])
  })

  it('of a policy are stored for each of its OAuth APIs, up to the first unknown one', async () => {
    const { create, call } = await start()
    const said = await create('c', { api_id: '', policy_id: 'ghost' })
    expect([said.status, said.json]).toEqual([400, { status: 'error', message: "API doesn't exist" }])
    expect((await call('GET', '/svc/oauth/clients/a/c')).status).toBe(200)
    expect((await call('GET', '/svc/oauth/clients/b/c')).status).toBe(404)
  })

  it('are listed once each, and of this API only', async () => {
    const { create, call } = await start()
    for (const id of ['one', 'two', 'one']) await create(id)
    await create('far', { api_id: 'far', policy_id: '' })
    const ids = async (api: string) =>
      ((await call('GET', `/svc/oauth/clients/${api}`)).json as { client_id: string }[]).map((one) => one.client_id)
    expect((await ids('a')).toSorted()).toEqual(['one', 'two'])
    expect(await ids('far')).toEqual(['far'])
    expect((await call('GET', '/svc/oauth/clients/apis/far?orgID=org1')).json).toEqual([])
    expect((await call('GET', '/svc/oauth/clients/apis/far?orgID=org2')).json).toEqual(['far'])
    expect(await call('GET', '/svc/oauth/clients/apis/far?orgID=')).toMatchObject({ status: 200, json: [] })
  })

  it('of an API without OAuth are not found by any operation', async () => {
    const { call } = await start()
    for (const [method, path] of [
      ['PUT', '/svc/oauth/clients/plain/c'],
      ['PUT', '/svc/oauth/clients/plain/c/rotate'],
      ['GET', '/svc/oauth/clients/plain/c/tokens'],
      ['DELETE', '/svc/oauth/clients/plain/c'],
    ] as const) {
      const said = await call(method, path, method === 'PUT' ? {} : undefined)
      expect([said.status, said.json], path).toEqual([404, { status: 'error', message: 'OAuth Client ID not found' }])
    }
    expect((await call('PUT', '/svc/oauth/clients/nope/c/rotate')).json).toMatchObject({ message: "API doesn't exist" })
  })

  it('with fields of a wrong type are rejected, and unusual names work', async () => {
    const { create, call } = await start()
    for (const fields of [{ secret: 7 }, { client_id: {} }, { redirect_uri: [] }]) {
      expect((await create('c', fields)).json).toEqual({ status: 'error', message: 'Unmarshalling failed' })
    }
    expect((await call('PUT', '/svc/oauth/clients/a/c', '')).status).toBe(500)
    for (const id of ['../../x', 'a.b', '__proto__', 'ü%']) {
      await create(id)
      const said = await call('GET', `/svc/oauth/clients/a/${encodeURIComponent(id)}`)
      expect(said.json, id).toMatchObject({ client_id: id })
    }
  })

  it('get no token with their old secret after a rotation', async () => {
    const { create, call, token, use } = await start()
    await create('c')
    const before = await token('c')
    const { json } = await call('PUT', '/svc/oauth/clients/a/c/rotate')
    expect((json as { secret: string }).secret).toMatch(/^[A-Za-z0-9+/]{48}$/)
    expect(await token('c')).toBeUndefined()
    expect(await use(before)).toBe(200)
  })
})

describe.each([false, true])('a change of policy, keys hashed: %s', (hashKeys) => {
  it('ends the access tokens of the client, and those only', async () => {
    const { create, call, token, use } = await start({ settings: { keys: { hashKeys, hashFunction: 'sha256' } } })
    await create('one')
    await create('two')
    const [mine, others] = [await token('one'), await token('two')]
    await call('PUT', '/svc/oauth/clients/a/one', { redirect_uri: 'http://client.test/cb', policy_id: 'pol' })
    expect(await use(mine)).toBe(200)
    await call('PUT', '/svc/oauth/clients/a/one', { redirect_uri: 'http://client.test/cb', policy_id: 'other' })
    expect([await use(mine), await use(others)]).toEqual([403, 200])
    const next = await token('one')
    await call('PUT', '/svc/oauth/clients/a/one', {})
    expect(await use(next)).toBe(403)
  })

  it('to another organisation is rejected before the client is read', async () => {
    const { call } = await start({ settings: { keys: { hashKeys } } })
    const said = await call('PUT', '/svc/oauth/clients/a/ghost', { policy_id: 'far' })
    expect(said.json).toEqual({ status: 'error', message: "Policy doesn't exist" })
  })
})

describe('revocation', () => {
  it("of a token revokes the client's own; another client's token gets the same response and stays", async () => {
    const { create, token, use, post } = await start()
    await create('one')
    await create('two')
    const [mine, others] = [await token('one'), await token('two')]
    const fields = { client_id: 'one', org_id: 'org1' }
    const said = await post('/svc/oauth/revoke', { ...fields, token: others })
    expect([said.status, said.json]).toEqual([200, { status: 'ok', message: 'token revoked successfully' }])
    await post('/svc/oauth/revoke', { ...fields, token: mine })
    expect([await use(mine), await use(others)]).toEqual([403, 200])
  })

  it('of all tokens covers each API of the client and requires its secret', async () => {
    const { create, token, use, post } = await start()
    await create('c', { api_id: '', policy_id: 'other' })
    const [a, b] = [await token('c', 'a'), await token('c', 'b')]
    const wrong = await post('/svc/oauth/revoke_all', { client_id: 'c', client_secret: 'x' })
    expect([wrong.status, await use(a, 'a')]).toEqual([200, 200])
    await post('/svc/oauth/revoke_all', { client_id: 'c', client_secret: 'c-secret' })
    expect([await use(a, 'a'), await use(b, 'b')]).toEqual([403, 403])
  })

  it('finds clients of the named organisation', async () => {
    const { create, post } = await start()
    await create('c')
    const fields = { client_id: 'c', token: 't' }
    expect((await post('/svc/oauth/revoke', { ...fields, org_id: 'org2' })).status).toBe(400)
    expect((await post('/svc/oauth/revoke', fields)).status).toBe(200)
  })

  it('handles malformed forms and missing bodies', async () => {
    const { call } = await start()
    const broken = await call('POST', '/svc/oauth/revoke', 'token=%zz', form)
    expect([broken.status, broken.json]).toEqual([
      400,
      { status: 'error', message: 'cannot parse form. Form malformed' },
    ])
    const json = await call('POST', '/svc/oauth/revoke', { token: 'x' }, { 'content-type': 'application/json' })
    expect(json.json).toEqual({ status: 'error', message: 'token is required' })
  })
})

describe('the list of tokens', () => {
  it('has pages of 100', async () => {
    const { create, call, token, clock } = await start()
    await create('c')
    for (let i = 0; i < 101; i += 1) {
      await token('c')
      if (i === 0) clock.advance(1000)
    }
    const page = async (asked: string) => (await call('GET', `/svc/oauth/clients/a/c/tokens?page=${asked}`)).json
    expect(await page('2')).toMatchObject({ Pagination: { page_num: 2, page_total: 2, page_size: 100 }, Tokens: [{}] })
    expect(await page('7')).toMatchObject({ Pagination: { page_num: 7, page_total: 2 }, Tokens: [] })
    for (const odd of ['0', '-3', 'x']) expect(await page(odd)).toMatchObject({ Pagination: { page_num: 1 } })
    const listed = (await call('GET', '/svc/oauth/clients/a/c/tokens')).json as { expires: number }[]
    expect(listed.map(({ expires }) => expires)).toEqual(listed.map(({ expires }) => expires).toSorted())
    clock.advance(3_600_000)
    expect((await call('GET', '/svc/oauth/clients/a/c/tokens')).json).toHaveLength(100)
  })
})

describe('an unavailable store', () => {
  it('is reported with the text of each call', async () => {
    let away = false
    const failing = (real: Store): Store => ({
      ...real,
      records: new Proxy(real.records, {
        get(target, name: keyof Store['records']) {
          return away ? () => Promise.reject(new Error('away')) : target[name]
        },
      }),
    })
    const { makeMemoryStore } = await import('@turnpike/core/store-memory')
    const { create, call } = await start({ store: (clock) => failing(makeMemoryStore({ clock })) })
    await create('c')
    away = true
    const messageOf = async (said: ReturnType<typeof call>) => (await said).json
    const failed = (message: string) => ({ status: 'error', message })
    expect(await messageOf(create('d'))).toEqual(failed('Failure in storing client data.'))
    expect(await messageOf(call('PUT', '/svc/oauth/clients/a/c', {}))).toEqual(failed('Failure in storing client data'))
    expect(await messageOf(call('DELETE', '/svc/oauth/clients/a/c'))).toEqual(failed('Delete failed'))
    expect(await messageOf(call('GET', '/svc/oauth/clients/a/c/tokens'))).toEqual(failed('Get client tokens failed'))
  })
})
