import { describe, expect, it } from 'vitest'
import { keyedApi, makeTestGateway, type TestGateway } from '../../test/test-gateway.ts'

const message = (said: { json: unknown }) => (said.json as { message?: string }).message
const reload = (gateway: TestGateway) => gateway.call('GET', '/svc/reload?block=true')
const onDisk = (gateway: TestGateway, id: string) => JSON.parse(gateway.files.get(`apps/${id}.json`) ?? 'null')

describe('GET /svc/apis', () => {
  it('lists loaded definitions, MCP proxies only when asked for', async () => {
    const gateway = await makeTestGateway({ apis: [keyedApi('a'), keyedApi('m', { application_protocol: 'mcp' })] })
    const ids = async (query: string) =>
      ((await gateway.call('GET', `/svc/apis${query}`)).json as { api_id: string }[]).map((api) => api.api_id)
    expect(await ids('')).toEqual(['a'])
    expect((await ids('?include_types=oas,mcp')).toSorted()).toEqual(['a', 'm'])
  })

  it('is an empty list when there are none', async () => {
    const gateway = await makeTestGateway()
    expect((await gateway.call('GET', '/svc/apis')).text).toBe('[]\n')
  })
})

describe('POST /svc/apis', () => {
  it('writes a file indented by two spaces; nothing changes until a reload', async () => {
    const gateway = await makeTestGateway({ apis: [keyedApi('a')] })
    const said = await gateway.call('POST', '/svc/apis', keyedApi('b', { is_oas: true, unknown_field: 1 }))
    expect(said.json).toMatchObject({ key: 'b', status: 'ok', action: 'added' })
    expect(gateway.files.get('apps/b.json')).toMatch(/^\{\n {2}"name": "b",\n/)
    expect(onDisk(gateway, 'b')).not.toHaveProperty('is_oas')
    expect((await gateway.call('GET', '/svc/apis/b')).status).toBe(404)
    await reload(gateway)
    expect((await gateway.call('GET', '/svc/apis/b')).json).toMatchObject({ api_id: 'b', client_certificates: null })
  })

  it('adds an id if the definition has none, also to {}', async () => {
    const gateway = await makeTestGateway()
    const { json } = await gateway.call('POST', '/svc/apis', {})
    expect(json).toMatchObject({ key: expect.stringMatching(/^[0-9a-f]{32}$/) })
  })

  it('checks validity before the id', async () => {
    const gateway = await makeTestGateway()
    const body = { api_id: '../evil', enable_ip_whitelisting: true, allowed_ips: ['10.0.0.300'] }
    expect(message(await gateway.call('POST', '/svc/apis', body))).toBe(
      'Validation of API Definition failed. Reason: invalid IP/CIDR "10.0.0.300".',
    )
  })

  it('does not replace the file of another API', async () => {
    const gateway = await makeTestGateway({ apis: [keyedApi('a')] })
    const text = JSON.stringify(keyedApi('other'))
    gateway.files.set('apps/b.json', text)
    const said = await gateway.call('POST', '/svc/apis', keyedApi('b'))
    expect(said.status).toBe(409)
    expect(message(said)).toBe('The file b.json defines the API other. Rename that file, or choose another api_id')
    expect(gateway.files.get('apps/b.json')).toBe(text)
  })

  it.each(['../evil', '..', '.', '.hidden', 'a/b', 'a\\b', '%2e%2e', '%252e%252e%252fx', 'x\u0000', 'a-oas', 'a-mcp'])(
    'rejects the id %j',
    async (id) => {
      const gateway = await makeTestGateway()
      const said = await gateway.call('POST', '/svc/apis', { api_id: id })
      expect([said.status, message(said)]).toEqual([400, 'Invalid API ID'])
      expect(gateway.files.size).toBe(0)
    },
  )

  it('keeps the key sets of a definition, whose times are texts', async () => {
    const gateway = await makeTestGateway()
    const sets = [{ url: 'http://a.test/keys', cache_timeout: '5m' }]
    await gateway.call('POST', '/svc/apis', keyedApi('b', { jwt_jwks_uris: sets }))
    await reload(gateway)
    expect((await gateway.call('GET', '/svc/apis/b')).json).toMatchObject({ jwt_jwks_uris: sets })
    const numbered = keyedApi('c', { jwt_jwks_uris: [{ url: 'x', cache_timeout: 5 }] })
    const said = await gateway.call('POST', '/svc/apis', numbered)
    expect([said.status, message(said)]).toEqual([400, 'Request malformed'])
  })

  it('is a dashboard’s matter with use_db_app_configs', async () => {
    const gateway = await makeTestGateway({ apis: [keyedApi('a')], options: { definitionsByDashboard: true } })
    for (const [method, path] of [
      ['POST', '/svc/apis'],
      ['PUT', '/svc/apis/a'],
    ] as const) {
      const said = await gateway.call(method, path, keyedApi('a'))
      expect(said.status).toBe(500)
      expect(message(said)).toBe('Due to enabled use_db_app_configs, please use the Dashboard API')
    }
  })
})

describe('PUT /svc/apis/{id}', () => {
  it('checks in this order: id, loaded, kind, body, ids, validity', async () => {
    const gateway = await makeTestGateway({ apis: [keyedApi('a'), keyedApi('oas', { is_oas: true })] })
    gateway.files.set('apps/oas-oas.json', '{ "x-svc-api-gateway": {} }')
    await reload(gateway)
    const put = async (id: string, body: unknown) => {
      const said = await gateway.call('PUT', `/svc/apis/${id}`, body)
      return [said.status, message(said)]
    }
    expect(await put('a%2Fb', '{')).toEqual([400, 'Invalid API ID'])
    expect(await put('ghost', '{')).toEqual([404, 'API not found'])
    expect(await put('oas', '{')).toEqual([
      400,
      'this API endpoint only supports Svc Classic APIs; please use the appropriate Svc OAS API endpoint',
    ])
    expect(await put('a', '{')).toEqual([400, 'Request malformed'])
    expect(await put('a', { api_id: 'b', proxy: { enable_load_balancing: true } })).toEqual([
      400,
      'Request APIID does not match that in Definition! For Update operations these must match.',
    ])
    expect((await put('a', { api_id: 'a', proxy: { enable_load_balancing: true } }))[1]).toMatch(/^Validation of API/)
    expect((await put('a', keyedApi('a')))[0]).toBe(200)
  })
})

describe('DELETE /svc/apis/{id}', () => {
  it('removes the file; the API is served until a reload', async () => {
    const gateway = await makeTestGateway({ apis: [keyedApi('a')] })
    expect((await gateway.call('DELETE', '/svc/apis/a')).json).toEqual({ key: 'a', status: 'ok', action: 'deleted' })
    expect(await gateway.ask('/a/x')).toBe(401)
    expect(message(await gateway.call('DELETE', '/svc/apis/a'))).toBe('Delete failed')
    await reload(gateway)
    expect(message(await gateway.call('DELETE', '/svc/apis/a'))).toBe('API not found')
  })

  it('fails for a definition whose file has another name', async () => {
    const gateway = await makeTestGateway()
    gateway.files.set('apps/oddly-named.json', JSON.stringify(keyedApi('odd')))
    await reload(gateway)
    expect(await gateway.call('DELETE', '/svc/apis/odd')).toMatchObject({
      status: 500,
      json: { message: 'Delete failed' },
    })
  })
})

describe('versions of several definitions', () => {
  const add = (gateway: TestGateway, id: string, query: string) =>
    gateway.call('POST', `/svc/apis?${query}`, keyedApi(id, { internal: id === 'v3' }))

  it('want a name, a loaded base and a name for the base, in this order', async () => {
    const gateway = await makeTestGateway({ apis: [keyedApi('base')] })
    const said = async (query: string) => {
      const { status, json } = await add(gateway, 'v2', query)
      return [status, (json as { message?: string }).message]
    }
    expect(await said('base_api_id=ghost')).toEqual([422, 'The new version name is required'])
    expect(await said('base_api_id=ghost&new_version_name=v2')).toEqual([400, 'ghost is not a valid Base API version'])
    expect(await said('base_api_id=base&new_version_name=v2')).toEqual([
      400,
      'you need to provide a version name for the new Base API: base',
    ])
    expect(gateway.files.size).toBe(1)
  })

  it('are entered into the base, listed by name, and taken out again', async () => {
    const gateway = await makeTestGateway({ apis: [keyedApi('base')] })
    await add(gateway, 'v3', 'base_api_id=base&base_api_version_name=v1&new_version_name=v3&set_default=true')
    await reload(gateway)
    await add(gateway, 'v2', 'base_api_id=base&new_version_name=v2')
    expect(onDisk(gateway, 'base').definition).toMatchObject({
      enabled: true,
      name: 'v1',
      default: 'v3',
      location: 'header',
      key: 'x-api-version',
      versions: { v2: 'v2', v3: 'v3' },
    })
    await reload(gateway)
    const child = await gateway.call('GET', '/svc/apis/v2')
    expect(child.headers.get('x-svc-base-api-id')).toBe('base')
    const names = async (query: string) =>
      (
        (await gateway.call('GET', `/svc/apis/base/versions${query}`)).json as { apis: { versionName: string }[] }
      ).apis.map(({ versionName }) => versionName)
    expect(await names('')).toEqual(['v1', 'v2', 'v3'])
    expect(await names('?searchText=V2')).toEqual(['v2'])
    expect(await names('?accessType=internal')).toEqual(['v3'])

    await gateway.call('DELETE', '/svc/apis/v3')
    expect(onDisk(gateway, 'base').definition).toMatchObject({ default: 'v1', versions: { v2: 'v2' } })
  })

  it('leave secrets of the base out of its file', async () => {
    const gateway = await makeTestGateway()
    const base = keyedApi('base', { config_data: { password: 'secrets://db' } })
    gateway.files.set('apps/base.json', JSON.stringify(base))
    await reload(gateway)
    await add(gateway, 'v2', 'base_api_id=base&base_api_version_name=v1&new_version_name=v2')
    expect(onDisk(gateway, 'base').config_data).toEqual({ password: 'secrets://db' })
  })
})

describe('a definition that refers to secrets', () => {
  const secret = (_: string, name: string) => ({ db: 's3cr3t', PLACE: '/moved/' })[name]
  const withSecrets = (more: object = {}) =>
    keyedApi('a', { use_keyless: true, config_data: { password: 'secrets://db', missing: 'secrets://none' }, ...more })

  it('is shown with the references, and served with the values', async () => {
    const proxy = { listen_path: 'env://PLACE', target_url: 'http://upstream.test/secrets://db' }
    const gateway = await makeTestGateway({ apis: [withSecrets({ proxy })], secret })
    const { json, text } = await gateway.call('GET', '/svc/apis/a')
    expect(json).toMatchObject({ config_data: { password: 'secrets://db', missing: 'secrets://none' }, proxy })
    expect(text).not.toContain('s3cr3t')
    expect((await gateway.call('GET', '/svc/apis')).text).not.toContain('s3cr3t')
    expect(await gateway.ask('/moved/x')).toBe(200)
    expect(gateway.upstream.requests.at(-1)?.path).toContain('/s3cr3t')
  })

  it('is written back with the references', async () => {
    const gateway = await makeTestGateway({ apis: [withSecrets()], secret })
    const { json } = await gateway.call('GET', '/svc/apis/a')
    await gateway.call('PUT', '/svc/apis/a', json)
    expect(gateway.files.get('apps/a.json')).not.toContain('s3cr3t')
    expect(onDisk(gateway, 'a').config_data.password).toBe('secrets://db')
  })

  it('is shown and written back with the listen path, also if the variable is not set', async () => {
    const proxy = { listen_path: 'env://UNSET', target_url: 'http://upstream.test/' }
    const gateway = await makeTestGateway({ apis: [withSecrets({ proxy })], secret })
    const { json } = await gateway.call('GET', '/svc/apis/a')
    expect(json).toMatchObject({ proxy })
    await gateway.call('PUT', '/svc/apis/a', json)
    expect(onDisk(gateway, 'a').proxy.listen_path).toBe('env://UNSET')
  })

  it('may refer to the entries of its address lists', async () => {
    const lists = { enable_ip_whitelisting: true, allowed_ips: ['secrets://db'] }
    const gateway = await makeTestGateway({ apis: [withSecrets(lists)], secret })
    const { json } = await gateway.call('GET', '/svc/apis/a')
    expect((await gateway.call('PUT', '/svc/apis/a', json)).status).toBe(200)
    expect(onDisk(gateway, 'a').allowed_ips).toEqual(['secrets://db'])
  })

  it('is listed among its versions with the references', async () => {
    const definition = { name: 'secrets://db', versions: { v2: 'b' } }
    const child = { ...withSecrets({ name: 'child secrets://db' }), api_id: 'b' }
    const gateway = await makeTestGateway({ apis: [withSecrets({ name: 'secrets://db', definition }), child], secret })
    const { json } = await gateway.call('GET', '/svc/apis/a/versions')
    expect(json).toMatchObject({
      apis: [{ name: 'secrets://db', versionName: 'secrets://db' }, { name: 'child secrets://db' }],
    })
  })
})
