/** Keys, policies and APIs that the dashboard creates and edits, over the calls of its page. */
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGateway } from '../src/gateway/create-gateway.ts'
import type { Gateway } from '../src/gateway/gateway.ts'
import { type Folder, keyedApi, makeFolder, managementKey, openApi } from './support/folder.ts'

const adminSecret = 'admin-secret-of-the-test'
let folder: Folder
let gateway: Gateway
let cookie: string

async function start(config: object = {}): Promise<void> {
  const organisations = [{ id: 'acme' }, { id: 'other' }]
  const user_groups = [
    { id: 'readers', org_id: 'acme', user_permissions: { apis: 'read', keys: 'read', policies: 'read' } },
  ]
  const dashboard = { enabled: true, listen_port: 0, admin_secret: adminSecret, organisations, user_groups }
  folder = makeFolder({ dashboard, storage: { type: 'memory' }, ...config })
  folder.write('apps/mine.json', keyedApi('mine', 'http://127.0.0.1:1/', { jwt_source: 'a-jwt-secret' }))
  folder.write('apps/theirs.json', openApi('theirs', 'http://127.0.0.1:1/', { org_id: 'other' }))
  folder.write('apps/basic.json', openApi('basic', 'http://127.0.0.1:1/', { use_keyless: false, use_basic_auth: true }))
  folder.write('policies/gold.json', { id: 'gold', org_id: 'acme', name: 'Gold', active: true, rate: 5, per: 10 })
  folder.write('policies/alien.json', { id: 'alien', org_id: 'other', name: 'Alien', active: true })
  gateway = await createGateway({ config: folder.file('gateway.json'), log: 'silent' })
  cookie = await signIn()
}

async function signIn(payload: object = {}): Promise<string> {
  const body = JSON.stringify({ OrgID: 'acme', ForSection: 'dashboard', ...payload })
  const headers = { 'Admin-Auth': adminSecret }
  const made = await gateway.inject({ method: 'POST', url: '/admin/sso', headers, body })
  const nonce = (made.json() as { Meta: string }).Meta
  const { pairs } = await gateway.inject(`/tap?nonce=${encodeURIComponent(nonce)}`)
  return (pairs[pairs.indexOf('set-cookie') + 1] ?? '').split(';')[0] ?? ''
}

interface EditOptions {
  readonly body?: unknown
  readonly version?: string
  readonly headers?: Record<string, string>
  readonly cookie?: string
}

async function edit(method: string, path: string, options: EditOptions = {}) {
  const { body, version, headers = { 'sec-fetch-site': 'same-origin' } } = options
  const text = typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body)
  const response = await gateway.inject({
    method,
    url: `/api/dashboard/edit/${path}`,
    headers: {
      cookie: options.cookie ?? cookie,
      ...headers,
      ...(version === undefined ? {} : { 'if-match': version }),
    },
    ...(text === undefined ? {} : { body: text }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: responses are JSON of many shapes
  const { Message, Meta } = response.json() as { Message: string; Meta: any }
  return { status: response.status, message: Message, meta: Meta }
}

beforeEach(() => start())
afterEach(async () => {
  await gateway.close(0)
  folder.remove()
})

const right = { access_rights: { mine: { api_id: 'mine', versions: ['Default'] } } }

describe('keys', () => {
  it('are created with a credential that is shown once and works', async () => {
    const made = await edit('POST', 'keys', { body: { alias: 'Anna', ...right } })
    expect(made).toMatchObject({ status: 200, message: 'created', meta: { id: '', warnings: [] } })
    const { key } = made.meta
    expect((await gateway.keys.get(key))?.org_id).toBe('acme')
    const [hash] = await gateway.keys.list()
    const shown = await edit('GET', `keys/${hash}`)
    expect(shown.meta.document).toMatchObject({ alias: 'Anna', org_id: 'acme' })
    expect(JSON.stringify(shown.meta)).not.toContain(key)
    expect(JSON.stringify(shown.meta)).not.toContain(key.slice(4))
  })

  it.each([true, false])('are edited without a reset of their quota, and removed (hashed: %s)', async (hash_keys) => {
    await gateway.close(0)
    folder.remove()
    await start({ hash_keys })
    const limits = { quota_max: 10, quota_renewal_rate: 3600 }
    const { key } = (await edit('POST', 'keys', { body: { ...right, ...limits } })).meta
    await gateway.inject({ url: '/mine/x', headers: { authorization: key } })
    const list = await gateway.inject({ url: '/api/dashboard/keys', headers: { cookie } })
    const { hash } = (list.json() as { Meta: { keys: { hash: string }[] } }).Meta.keys[0] ?? { hash: '' }
    const { document, version } = (await edit('GET', `keys/${hash}`)).meta
    const saved = await edit('PUT', `keys/${hash}`, { body: { ...document, alias: 'Berta' }, version })
    expect(saved).toMatchObject({ status: 200, message: 'saved', meta: { id: hash } })
    expect(JSON.stringify(saved)).not.toContain(key)
    expect(await gateway.keys.get(key)).toMatchObject({ alias: 'Berta', quota_remaining: 9 })
    const next = (await edit('GET', `keys/${hash}`)).meta.version
    expect((await edit('DELETE', `keys/${hash}`, { version: next })).message).toBe('deleted')
    expect(await gateway.keys.get(key)).toBeUndefined()
  })

  it('keep the password of a basic user, which the page never sees', async () => {
    const access_rights = { basic: { api_id: 'basic', versions: ['Default'] } }
    const user = { org_id: 'acme', access_rights, basic_auth_data: { password: 'open-sesame' } }
    await gateway.keys.create(user, { id: 'anna' })
    const logIn = async (password: string) => {
      const authorization = `Basic ${btoa(`anna:${password}`)}`
      return (await gateway.inject({ url: '/basic/x', headers: { authorization } })).status
    }
    expect([await logIn('open-sesame'), await logIn('wrong')]).toEqual([500, 401])
    const [hash] = await gateway.keys.list()
    const { document, version } = (await edit('GET', `keys/${hash}`)).meta
    expect(document.basic_auth_data.password).toBeUndefined()
    const saved = await edit('PUT', `keys/${hash}`, { body: { ...document, alias: 'changed' }, version })
    expect(saved.status).toBe(200)
    expect([await logIn('open-sesame'), await logIn('wrong')]).toEqual([500, 401])
  })

  it.each([
    [{}, 'A key needs at least one API in access_rights or one policy in apply_policies'],
    [{ apply_policies: ['missing'] }, 'apply_policies: there is no policy missing'],
    [{ apply_policies: ['alien'] }, 'apply_policies: there is no policy alien'],
    [{ access_rights: { theirs: { api_id: 'theirs' } } }, 'access_rights: there is no API theirs'],
    [{ ...right, org_id: 'other' }, 'org_id must be acme, your organisation'],
    ['{"alias": }', /^Line 1, column 11: /],
    ['[]', 'The document must be a JSON object'],
  ])('that cannot work are rejected with the reason: %j', async (body, message) => {
    const response = await edit('POST', 'keys', { body })
    expect(response.status).toBe(400)
    expect(response.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
    expect(await gateway.keys.list()).toEqual([])
  })
})

describe('policies', () => {
  it('are created, edited and removed as files, and take effect', async () => {
    const body = { id: 'silver', name: 'Silver', active: true, rate: 1, per: 60, quota_max: -1, ...right }
    expect(await edit('POST', 'policies', { body })).toMatchObject({ status: 200, message: 'created' })
    expect(gateway.policies.get('silver')).toMatchObject({ org_id: 'acme', rate: 1 })
    const { document, version } = (await edit('GET', 'policies/silver')).meta
    expect((await edit('PUT', 'policies/silver', { body: { ...document, rate: 2 }, version })).status).toBe(200)
    expect(gateway.policies.get('silver')).toMatchObject({ rate: 2 })
    expect(JSON.parse(readFileSync(folder.file('policies/silver.json'), 'utf8')).rate).toBe(2)
    const next = (await edit('GET', 'policies/silver')).meta.version
    expect((await edit('DELETE', 'policies/silver', { version: next })).status).toBe(200)
    expect(gateway.policies.get('silver')).toBeUndefined()
  })

  it('with an id that exists are not replaced by a new one', async () => {
    const response = await edit('POST', 'policies', { body: { id: 'alien', name: 'Mine now' } })
    expect(response).toMatchObject({ status: 409, message: 'A policy with the id alien already exists' })
    expect(gateway.policies.get('alien')).toMatchObject({ name: 'Alien', org_id: 'other' })
  })

  it('report fields without effect, in the words of the management API', async () => {
    const body = {
      id: 'odd',
      name: 'Odd',
      active: true,
      quota_maximum: 5,
      hmac_enabled: true,
      graphql_access_rights: {},
    }
    const response = await edit('POST', 'policies', { body })
    const direct = await gateway.inject({
      method: 'POST',
      url: '/svc/policies',
      headers: { 'X-Svc-Authorization': managementKey },
      body: JSON.stringify({ ...body, id: 'odd2', org_id: 'acme' }),
    })
    expect(response.meta.warnings).toEqual((direct.json() as { warnings?: string[] }).warnings ?? [])
  })
})

describe('an edit', () => {
  it('of a version that is outdated is rejected: by another edit, by the management API and by a file', async () => {
    const { document, version } = (await edit('GET', 'policies/gold')).meta
    expect((await edit('PUT', 'policies/gold', { body: { ...document, rate: 6 }, version })).status).toBe(200)
    const late = await edit('PUT', 'policies/gold', { body: { ...document, rate: 7 }, version })
    const message = 'This policy was changed after you opened it. Load the current version and repeat your changes'
    expect(late).toMatchObject({ status: 412, message })
    expect(gateway.policies.get('gold')).toMatchObject({ rate: 6 })
    const fresh = (await edit('GET', 'policies/gold')).meta
    folder.write('policies/gold.json', { id: 'gold', org_id: 'acme', name: 'Gold', active: true, rate: 9, per: 10 })
    const overwrite = await edit('PUT', 'policies/gold', { body: fresh.document, version: fresh.version })
    expect(overwrite.status).toBe(412)
    expect(gateway.policies.get('gold')).toMatchObject({ rate: 9 })
    expect((await edit('PUT', 'policies/gold', { body: fresh.document })).status).toBe(428)
  })

  it('of two that start from one version succeeds once', async () => {
    const { document, version } = (await edit('GET', 'policies/gold')).meta
    const rates = [11, 12, 13, 14]
    const all = await Promise.all(
      rates.map((rate) => edit('PUT', 'policies/gold', { body: { ...document, rate }, version })),
    )
    expect(all.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412])
  })

  it('needs a session, the permission to write, and a request of the page itself', async () => {
    const body = { id: 'x', name: 'x' }
    expect((await edit('POST', 'policies', { body, cookie: '' })).status).toBe(401)
    const readers = await signIn({ GroupID: 'readers' })
    expect(await edit('POST', 'policies', { body, cookie: readers })).toMatchObject({
      ...{ status: 403, message: 'Not permitted: policies write' },
    })
    for (const area of ['keys/x', 'policies/gold', 'apis/mine']) {
      expect((await edit('GET', area, { cookie: readers })).status).toBe(403)
    }
    for (const headers of [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'http://evil.test' },
    ]) {
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const path = method === 'POST' ? 'policies' : 'policies/gold'
        expect(
          (await edit(method, path, { ...(method === 'DELETE' ? {} : { body }), headers, version: 'x' })).status,
        ).toBe(403)
      }
    }
    expect(gateway.policies.get('x')).toBeUndefined()
  })

  it('of another organisation finds nothing', async () => {
    for (const path of ['apis/theirs', 'policies/alien']) {
      expect((await edit('GET', path)).status).toBe(404)
      expect((await edit('PUT', path, { body: {}, version: 'x' })).status).toBe(404)
      expect((await edit('DELETE', path, { version: 'x' })).status).toBe(404)
    }
  })
})

describe('APIs', () => {
  it('are created and edited as files, and served at once', async () => {
    const proxy = { listen_path: '/first/', target_url: 'http://127.0.0.1:1/' }
    const body = openApi('fresh', '', { org_id: '', proxy })
    expect(await edit('POST', 'apis', { body })).toMatchObject({ status: 200, meta: { id: 'fresh' } })
    expect(JSON.parse(readFileSync(folder.file('apps/fresh.json'), 'utf8')).org_id).toBe('acme')
    expect((await gateway.inject('/first/x')).status).toBe(500)
    const { document, version } = (await edit('GET', 'apis/fresh')).meta
    const moved = { ...document, proxy: { ...document.proxy, listen_path: '/moved/' } }
    expect((await edit('PUT', 'apis/fresh', { body: moved, version })).status).toBe(200)
    expect((await gateway.inject('/first/x')).status).toBe(404)
    expect((await gateway.inject('/moved/x')).status).toBe(500)
  })

  it('are validated with the messages of the management API', async () => {
    const body = openApi('bad', 'http://127.0.0.1:1/', { enable_ip_whitelisting: true, allowed_ips: ['nonsense'] })
    const response = await edit('POST', 'apis', { body })
    const direct = await gateway.inject({
      method: 'POST',
      url: '/svc/apis',
      headers: { 'X-Svc-Authorization': managementKey },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(direct.status)
    expect(response.message).toBe((direct.json() as { message: string }).message)
    expect(response.status).toBe(400)
  })

  it('that cannot be served are reported with the reason', async () => {
    const body = openApi('broken', '', { proxy: { listen_path: '/a b/', target_url: 'http://x/' } })
    const response = await edit('POST', 'apis', { body })
    expect(response).toMatchObject({
      status: 200,
      meta: { id: 'broken', problem: expect.stringContaining('listen_path') },
    })
  })

  it('keep their secrets, which the page does not see', async () => {
    const { document, version } = (await edit('GET', 'apis/mine')).meta
    expect(JSON.stringify(document)).not.toContain('a-jwt-secret')
    expect(document.jwt_source).toMatch(/^\[hidden [0-9a-f]{12}\]$/)
    expect((await edit('PUT', 'apis/mine', { body: { ...document, name: 'Renamed' }, version })).status).toBe(200)
    const stored = JSON.parse(readFileSync(folder.file('apps/mine.json'), 'utf8'))
    expect(stored).toMatchObject({ name: 'Renamed', jwt_source: 'a-jwt-secret' })
    const invented = { ...openApi('copy', 'http://127.0.0.1:1/'), jwt_source: '[hidden 0123456789ab]' }
    expect(await edit('POST', 'apis', { body: invented })).toMatchObject({
      status: 400,
      message: expect.stringContaining('jwt_source: the placeholder'),
    })
  })

  it('with an id that exists are not replaced by a new one', async () => {
    const response = await edit('POST', 'apis', { body: openApi('theirs', 'http://127.0.0.1:1/') })
    expect(response).toMatchObject({ status: 409, message: 'An API with the id theirs already exists' })
  })

  it('that take part in APIs of other organisations are rejected, unless dashboard.shared_paths allows it', async () => {
    const inside = openApi('inside', '', { proxy: { listen_path: '/theirs/x/', target_url: 'http://127.0.0.1:1/' } })
    const loop = openApi('loop', 'svc://theirs/')
    const message = expect.stringContaining('the API "theirs" of organisation "other"')
    const oas = { ...inside, is_oas: true }
    for (const body of [inside, loop, oas]) {
      expect(await edit('POST', 'apis', { body })).toMatchObject({ status: 400, message })
    }
    const { document, version } = (await edit('GET', 'apis/mine')).meta
    const proxy = { ...document.proxy, listen_path: '/theirs/' }
    expect(await edit('PUT', 'apis/mine', { body: { ...document, proxy }, version })).toMatchObject({ status: 400 })
    const extension = {
      info: { name: 'Pets', id: 'pets', state: { active: true } },
      server: { listenPath: { value: '/theirs/pets/', strip: true } },
      upstream: { url: 'http://127.0.0.1:1/' },
    }
    const info = { title: 'Pets', version: '1' }
    const pets = { openapi: '3.0.3', info, paths: {}, 'x-svc-api-gateway': extension }
    expect(await edit('POST', 'apis', { body: pets })).toMatchObject({ status: 400, message })
    await gateway.close(0)
    folder.remove()
    const organisations = [{ id: 'acme' }, { id: 'other' }]
    const dashboard = { enabled: true, listen_port: 0, admin_secret: adminSecret, organisations, shared_paths: true }
    await start({ dashboard })
    expect(await edit('POST', 'apis', { body: inside })).toMatchObject({ status: 200 })
  })

  it('whose file exists are not replaced, even if it cannot be loaded', async () => {
    folder.write('apps/broken.json', { ...openApi('broken', 'http://127.0.0.1:1/', { org_id: 'other' }), proxy: 5 })
    const response = await edit('POST', 'apis', { body: openApi('broken', 'http://127.0.0.1:1/') })
    expect(response).toMatchObject({ status: 409, message: 'An API with the id broken already exists' })
  })

  it('can be OpenAPI documents', async () => {
    const extension = {
      info: { name: 'Pets', id: 'pets', state: { active: true } },
      server: { listenPath: { value: '/pets/', strip: true } },
      upstream: { url: 'http://127.0.0.1:1/' },
    }
    const info = { title: 'Pets', version: '1' }
    const body = { openapi: '3.0.3', info, paths: {}, 'x-svc-api-gateway': extension }
    expect(await edit('POST', 'apis', { body })).toMatchObject({ status: 200, meta: { id: 'pets' } })
    const { document, version } = (await edit('GET', 'apis/pets')).meta
    expect(document['x-svc-api-gateway'].info.orgId).toBe('acme')
    const renamed = { ...document, info: { title: 'Animals', version: '2' } }
    expect((await edit('PUT', 'apis/pets', { body: renamed, version })).status).toBe(200)
    const next = (await edit('GET', 'apis/pets')).meta
    expect(next.document.info.title).toBe('Animals')
    expect((await edit('DELETE', 'apis/pets', { version: next.version })).status).toBe(200)
    expect((await gateway.inject('/pets/x')).status).toBe(404)
  })

  it('longer than 1 MiB are rejected', async () => {
    const response = await edit('POST', 'apis', { body: JSON.stringify({ name: 'x'.repeat(1024 * 1024) }) })
    expect(response.status).toBe(413)
  })
})
