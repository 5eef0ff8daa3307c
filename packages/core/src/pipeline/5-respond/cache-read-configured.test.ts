import { describe, expect, it } from 'vitest'
import {
  bytes,
  cached,
  cachingGateway as gateway,
  type Said,
  summaryOf,
} from '../../../test/support/pipeline/caching-gateway.ts'
import { definitionOf, requestOf, type TestEngine } from '../../../test/support/test-engine.ts'
import { streamOf } from '../../http/byte-stream.ts'
import { headerOf } from '../../http/headers.ts'
import { defaultSettings } from '../../ports/settings.ts'

async function post({ engine }: TestEngine, url: string, body: string): Promise<Said> {
  const data = bytes(body)
  return summaryOf(await engine.handle({ ...requestOf('POST', url), body: streamOf(data), bodyLength: data.length }))
}

describe('an API with a cache', () => {
  it('serves the first response again, with status, headers, body and a marker', async () => {
    const { sendRequest } = await gateway({}, { status: 203, headers: ['x-a', '1', 'x-a', '2'] })
    const first = await sendRequest('GET', '/c/x')
    const second = await sendRequest('GET', '/c/x')
    expect([first.cached, second.cached]).toEqual([false, true])
    expect(second).toMatchObject({ status: 203, text: 'hit 1' })
    expect(second.headers['x-a']).toBe('1, 2')
  })

  it('serves a hit without a promise', async () => {
    const { engine, sendRequest } = await gateway({})
    await sendRequest('GET', '/c/x')
    expect(engine.engine.handle(requestOf('GET', '/c/x'))).not.toBeInstanceOf(Promise)
  })

  it('distinguishes methods, paths and queries as received', async () => {
    const { sendRequest } = await gateway({})
    const urls = ['/c/x', '/c/x?', '/c/x?a=1&b=2', '/c/x?b=2&a=1', '/c/%78'] as const
    const texts = []
    for (const url of urls) texts.push((await sendRequest('GET', url)).text)
    expect(texts).toEqual(['hit 1', 'hit 1', 'hit 2', 'hit 3', 'hit 4'])
    expect((await sendRequest('OPTIONS', '/c/x')).text).toBe('hit 5')
    expect((await sendRequest('POST', '/c/x')).cached).toBe(false)
    expect((await sendRequest('POST', '/c/x')).cached).toBe(false)
  })

  it('keeps the Content-Length of a response to HEAD', async () => {
    const { engine } = await gateway({}, { body: undefined, bodyLength: 1234 })
    await engine.send('HEAD', '/c/x')
    expect(await engine.send('HEAD', '/c/x')).toMatchObject({ body: undefined, bodyLength: 1234 })
  })

  it('has separate entries for each client address', async () => {
    const { sendRequest } = await gateway({})
    await sendRequest('GET', '/c/x', { 'X-Real-Ip': '10.0.0.1' })
    expect((await sendRequest('GET', '/c/x', { 'X-Real-Ip': '10.0.0.2' })).cached).toBe(false)
    expect((await sendRequest('GET', '/c/x', { 'X-Real-Ip': '10.0.0.1' })).cached).toBe(true)
  })

  it('distinguishes the values of cache_by_headers, including a missing one', async () => {
    const { sendRequest } = await gateway({ cache_options: { ...cached, cache_by_headers: ['X-Lang', 'X-B'] } })
    const ways = [{}, { 'X-Lang': 'de' }, { 'X-Lang': 'en' }, { 'X-Lang': 'deX-B-' }, { 'X-B': 'de' }]
    for (const way of ways) expect((await sendRequest('GET', '/c/x', way)).cached).toBe(false)
    for (const way of ways) expect((await sendRequest('GET', '/c/x', way)).cached).toBe(true)
  })

  it('distinguishes versions that a header names', async () => {
    const versions = { v1: { name: 'v1' }, v2: { name: 'v2' } }
    const { sendRequest } = await gateway({
      definition: { location: 'header', key: 'x-v' },
      version_data: { not_versioned: false, versions },
    })
    expect((await sendRequest('GET', '/c/x', { 'x-v': 'v1' })).text).toBe('hit 1')
    expect((await sendRequest('GET', '/c/x', { 'x-v': 'v2' })).text).toBe('hit 2')
    expect((await sendRequest('GET', '/c/x', { 'x-v': 'v1' })).text).toBe('hit 1')
  })

  it('keeps a response for its timeout in whole seconds; the default is 60 s', async () => {
    for (const [timeout, seconds] of [
      [5, 5],
      [undefined, 60],
    ] as const) {
      const { engine, sendRequest } = await gateway({ cache_options: { ...cached, cache_timeout: timeout } })
      engine.advance(400)
      await sendRequest('GET', '/c/x')
      engine.advance(seconds * 1000 - 401)
      expect((await sendRequest('GET', '/c/x')).cached).toBe(true)
      engine.advance(1)
      expect((await sendRequest('GET', '/c/x')).cached).toBe(false)
    }
  })

  it('serves nothing with an explicit timeout of 0', async () => {
    const { sendRequest } = await gateway({ cache_options: { ...cached, cache_timeout: 0 } })
    await sendRequest('GET', '/c/x')
    expect((await sendRequest('GET', '/c/x')).text).toBe('hit 2')
  })

  it('caches only the listed statuses, or all if none is listed', async () => {
    const listed = await gateway({ cache_options: { ...cached, cache_response_codes: [200] } }, { status: 404 })
    await listed.sendRequest('GET', '/c/x')
    expect((await listed.sendRequest('GET', '/c/x')).cached).toBe(false)
    const all = await gateway({}, { status: 500 })
    await all.sendRequest('GET', '/c/x')
    expect(await all.sendRequest('GET', '/c/x')).toMatchObject({ cached: true, status: 500 })
  })

  it('responds with 304 to a client with a current copy', async () => {
    const { sendRequest } = await gateway({}, { headers: ['etag', 'W/"a"'] })
    await sendRequest('GET', '/c/x')
    const response = await sendRequest('GET', '/c/x', { 'If-None-Match': '"b", "a"' })
    expect(response).toMatchObject({ status: 304, text: '', cached: true })
    expect(response.headers.etag).toBe('W/"a"')
    expect((await sendRequest('GET', '/c/x', { 'If-None-Match': '"ab"' })).status).toBe(200)
  })

  it('never caches partial responses and 304', async () => {
    const { sendRequest } = await gateway({}, ({ headers }) => {
      if (headerOf(headers, 'if-none-match') !== undefined) return { status: 304, body: undefined }
      return headerOf(headers, 'range') === undefined ? {} : { status: 206 }
    })
    expect((await sendRequest('GET', '/c/x', { 'If-None-Match': '"a"' })).status).toBe(304)
    expect((await sendRequest('GET', '/c/x', { Range: 'bytes=0-1' })).status).toBe(206)
    expect(await sendRequest('GET', '/c/x')).toMatchObject({ status: 200, cached: false })
  })

  it('never caches responses of the gateway itself', async () => {
    const { sendRequest } = await gateway({}, { kind: 'error', reason: 'refused' })
    expect((await sendRequest('GET', '/c/x')).status).toBe(500)
    expect(await sendRequest('GET', '/c/x')).toMatchObject({ status: 500, cached: false })
  })

  it('caches the result of the response processors and does not run them again', async () => {
    const { sendRequest } = await gateway(
      {
        response_processors: [
          { name: 'header_injector', options: { add_headers: { 'X-New': '1' }, remove_headers: ['X-Old'] } },
        ],
      },
      { headers: ['x-old', '1', 'x-ratelimit-limit', '77'] },
    )
    await sendRequest('GET', '/c/x')
    const { headers, cached: again } = await sendRequest('GET', '/c/x')
    expect(again).toBe(true)
    expect(headers).toMatchObject({ 'x-new': '1', 'x-ratelimit-limit': '0' })
    expect(headers['x-old']).toBeUndefined()
  })

  it('ignores requests with a protocol upgrade', async () => {
    const { engine, sendRequest } = await gateway({}, { status: 101, body: undefined })
    const upgrading = { ...requestOf('GET', '/c/x'), upgrade: 'websocket' }
    expect((await engine.engine.handle(upgrading)).status).toBe(101)
    await engine.engine.handle(requestOf('GET', '/c/x'))
    expect((await sendRequest('GET', '/c/x')).cached).toBe(false)
  })

  it('is off on an MCP proxy and without enable_cache', async () => {
    for (const more of [{ application_protocol: 'mcp' }, { cache_options: { ...cached, enable_cache: false } }]) {
      const { sendRequest } = await gateway(more)
      await sendRequest('GET', '/c/x')
      expect((await sendRequest('GET', '/c/x')).cached).toBe(false)
    }
  })
})

describe('paths with a cache', () => {
  const withPaths = (paths: object, options: object = { ...cached, cache_all_safe_requests: false }) => ({
    cache_options: options,
    version_data: {
      not_versioned: true,
      versions: { Default: { name: 'Default', use_extended_paths: true, extended_paths: paths } },
    },
  })

  it('of the plain list are cached for safe methods only', async () => {
    const { sendRequest } = await gateway(withPaths({ cache: ['/listed'] }))
    for (const [method, url, again] of [
      ['GET', '/c/listed', true],
      ['OPTIONS', '/c/listed', true],
      ['POST', '/c/listed', false],
      ['GET', '/c/other', false],
    ] as const) {
      await sendRequest(method, url)
      expect((await sendRequest(method, url)).cached, `${method} ${url}`).toBe(again)
    }
  })

  it('with a rule use its method, timeout and statuses, also with cache_all_safe_requests', async () => {
    for (const all of [false, true]) {
      const rule = { path: '/r', method: 'GET', timeout: 2, cache_response_codes: [404] }
      const { engine, sendRequest } = await gateway(
        withPaths({ advance_cache_config: [rule] }, { ...cached, cache_all_safe_requests: all }),
        ({ path }) => ({ status: path.includes('missing') ? 404 : 200 }),
      )
      await sendRequest('GET', '/c/r')
      expect((await sendRequest('GET', '/c/r')).cached).toBe(false)
      await sendRequest('GET', '/c/r/missing')
      expect((await sendRequest('GET', '/c/r/missing')).cached).toBe(true)
      engine.advance(2000)
      expect((await sendRequest('GET', '/c/r/missing')).cached).toBe(false)
    }
  })

  it('with a rule for POST are distinguished by the body, or by the match of the pattern in it', async () => {
    const rules = [
      { path: '/whole', method: 'POST' },
      { path: '/part', method: 'POST', cache_key_regex: '"id":[0-9]+' },
    ]
    const { engine } = await gateway(withPaths({ advance_cache_config: rules }))
    expect((await post(engine, '/c/whole', 'a')).cached).toBe(false)
    expect((await post(engine, '/c/whole', 'b')).cached).toBe(false)
    expect((await post(engine, '/c/whole', 'a')).cached).toBe(true)
    expect((await post(engine, '/c/part', '{"id":7,"t":1}')).cached).toBe(false)
    expect((await post(engine, '/c/part', '{"id":7,"t":2}')).cached).toBe(true)
    expect((await post(engine, '/c/part', '{"id":8}')).cached).toBe(false)
    expect((await post(engine, '/c/part', 'none')).cached).toBe(false)
    expect((await post(engine, '/c/part', 'none either')).cached).toBe(true)
  })

  it('that a method transform changes are cached by the method of the client', async () => {
    const transforms = {
      method_transforms: [
        { path: '/do', method: 'GET', to_method: 'POST' },
        { path: '/look', method: 'POST', to_method: 'GET' },
      ],
    }
    const { sendRequest } = await gateway(withPaths(transforms, cached))
    for (const method of ['GET', 'POST']) for (const path of ['/c/do', '/c/look']) await sendRequest(method, path)
    expect((await sendRequest('GET', '/c/do')).cached).toBe(true)
    expect((await sendRequest('POST', '/c/look')).cached).toBe(false)
  })
})

describe('an upstream that controls the cache', () => {
  const steered = { cache_options: { ...cached, cache_response_codes: [200], enable_upstream_cache_control: true } }

  it('caches any status with the header of the vendor', async () => {
    const { sendRequest } = await gateway(steered, { status: 404, headers: ['x-svc-cache-action-set', '1'] })
    await sendRequest('GET', '/c/x')
    expect((await sendRequest('GET', '/c/x')).cached).toBe(true)
  })

  it('sets the lifetime, also with a configured header name; an invalid number is ignored', async () => {
    const named = { cache_options: { ...steered.cache_options, cache_control_ttl_header: 'X-My-Ttl' } }
    for (const [more, header, value, seconds] of [
      [steered, 'x-svc-cache-action-set-ttl', '2', 2],
      [named, 'x-my-ttl', '3', 3],
      [steered, 'x-svc-cache-action-set-ttl', 'soon', 60],
    ] as const) {
      const { engine, sendRequest } = await gateway(more, { headers: [header, value] })
      await sendRequest('GET', '/c/x')
      engine.advance(seconds * 1000 - 1)
      expect((await sendRequest('GET', '/c/x')).cached).toBe(true)
      engine.advance(1)
      expect((await sendRequest('GET', '/c/x')).cached).toBe(false)
    }
  })

  it('disables caching with a lifetime of 0, and enables it if the timeout is 0', async () => {
    const none = await gateway(steered, { headers: ['x-svc-cache-action-set-ttl', '0'] })
    await none.sendRequest('GET', '/c/x')
    expect((await none.sendRequest('GET', '/c/x')).cached).toBe(false)
    const some = await gateway(
      { cache_options: { ...steered.cache_options, cache_timeout: 0 } },
      { headers: ['x-svc-cache-action-set-ttl', '9'] },
    )
    await some.sendRequest('GET', '/c/x')
    expect((await some.sendRequest('GET', '/c/x')).cached).toBe(true)
  })
})

describe('keys and the cache', () => {
  const keyed = { use_keyless: false, auth: { auth_header_name: 'Authorization' } }
  const session = {
    org_id: 'org1',
    rate: 1000,
    per: 60,
    quota_max: 2,
    quota_renewal_rate: 3600,
    access_rights: { c: { api_id: 'c', versions: ['Default'] } },
  }

  it('have separate entries, under all names of a key', async () => {
    const { engine, sendRequest } = await gateway(keyed)
    for (const name of ['org1one1', 'org1two2']) await engine.putKey(name, { ...session, quota_max: -1 })
    expect((await sendRequest('GET', '/c/x', { Authorization: 'org1one1' })).text).toBe('hit 1')
    expect((await sendRequest('GET', '/c/x', { Authorization: 'org1two2' })).text).toBe('hit 2')
    expect((await sendRequest('GET', '/c/x', { Authorization: 'org1one1' })).cached).toBe(true)
    expect((await sendRequest('GET', '/c/x', { Authorization: 'Bearer one1' })).cached).toBe(true)
    expect((await sendRequest('GET', '/c/x')).status).toBe(401)
  })

  it('consume rate and quota on cached responses, whose headers report the current values', async () => {
    const { engine, sendRequest } = await gateway(keyed)
    await engine.putKey('org1one1', session)
    await sendRequest('GET', '/c/x', { Authorization: 'org1one1' })
    const second = await sendRequest('GET', '/c/x', { Authorization: 'org1one1' })
    expect(second).toMatchObject({ cached: true, headers: { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0' } })
    expect((await sendRequest('GET', '/c/x', { Authorization: 'org1one1' })).status).toBe(403)
  })
})

describe('a reload', () => {
  it('keeps cached responses, also of a changed definition', async () => {
    const { engine, sendRequest } = await gateway({})
    await sendRequest('GET', '/c/x')
    engine.files.definitions.set(
      'c.json',
      JSON.stringify(definitionOf('c', { name: 'changed', cache_options: cached })),
    )
    await engine.engine.reload()
    expect((await sendRequest('GET', '/c/x')).cached).toBe(true)
  })
})

describe('turnpike explain', () => {
  it('caches nothing in a dry run', async () => {
    const { engine, sendRequest } = await gateway({})
    await engine.engine.explain(requestOf('GET', '/c/x'), true, () => 0)
    expect((await sendRequest('GET', '/c/x')).cached).toBe(false)
  })
})

describe('the cache of a keyless API', () => {
  it.each([{ cookie: 'session=anna' }, { authorization: 'Bearer anna' }])(
    'neither stores nor serves a response to a request with %j',
    async (headers) => {
      const { sendRequest } = await gateway({})
      expect((await sendRequest('GET', '/c/x', headers)).text).toBe('hit 1')
      expect((await sendRequest('GET', '/c/x')).text).toBe('hit 2')
      expect(await sendRequest('GET', '/c/x', headers)).toMatchObject({ text: 'hit 3', cached: false })
      expect(await sendRequest('GET', '/c/x')).toMatchObject({ text: 'hit 2', cached: true })
    },
  )

  it.each([
    ['set-cookie', 'session=anna'],
    ['cache-control', 'max-age=60, Private'],
    ['cache-control', 'no-store'],
  ])('does not store a response with %s: %s', async (name, value) => {
    const { sendRequest } = await gateway({}, { headers: [name, value] })
    await sendRequest('GET', '/c/x')
    expect((await sendRequest('GET', '/c/x')).cached).toBe(false)
  })

  it('keeps apart what the client says about the host', async () => {
    const { sendRequest } = await gateway({
      proxy: { listen_path: '/c/', target_url: 'http://c.test', preserve_host_header: true },
    })
    await sendRequest('GET', '/c/x', { 'x-forwarded-host': 'evil.test' })
    await sendRequest('GET', '/c/x', { host: 'evil.test' })
    expect((await sendRequest('GET', '/c/x')).text).toBe('hit 3')
    expect((await sendRequest('GET', '/c/x')).cached).toBe(true)
  })

  it('keeps apart a client and another one that claims its address', async () => {
    const { engine } = await gateway({})
    const from = async (remoteAddress: string, headers: Record<string, string> = {}) =>
      summaryOf(await engine.engine.handle({ ...requestOf('GET', '/c/x', headers), remoteAddress }))
    await from('10.0.0.9', { 'x-forwarded-for': '10.0.0.1' })
    expect((await from('10.0.0.1')).cached).toBe(false)
  })

  it.each(['x-forwarded-method', 'x-http-method', 'x-original-uri', 'x-rewrite-path'])(
    'does not store responses to requests with %s, unless it is in the key',
    async (name) => {
      const statesOf = async (more: object) => {
        const { sendRequest } = await gateway(more)
        await sendRequest('GET', '/c/x', { [name]: 'a' })
        return (await sendRequest('GET', '/c/x')).cached
      }
      expect(await statesOf({})).toBe(false)
      expect(await statesOf({ cache_mode: 'recorded' })).toBe(true)
      expect(await statesOf({ cache_options: { ...cached, share_private: true } })).toBe(true)
      const { sendRequest } = await gateway({ cache_options: { ...cached, cache_by_headers: [name] } })
      await sendRequest('GET', '/c/x', { [name]: 'a' })
      expect((await sendRequest('GET', '/c/x')).cached).toBe(false)
      expect((await sendRequest('GET', '/c/x', { [name]: 'a' })).cached).toBe(true)
    },
  )

  it('stores responses to requests with X-Forwarded-For, whose address is in the key', async () => {
    const { sendRequest } = await gateway({})
    const headers = { 'x-forwarded-for': '192.0.2.1' }
    await sendRequest('GET', '/c/x', headers)
    expect((await sendRequest('GET', '/c/x', headers)).cached).toBe(true)
  })

  it.each([
    ['{"a":1}', true],
    ['{{.hit}} {{len .}}', true],
    ['{{._svc_context.headers_X_Name}}', false],
    ['{{if ._svc_context}}a{{end}}', false],
    ['{{range $name, $value := .}}{{$name}}{{end}}', false],
    ['$svc_context.headers_X_Name', false],
  ])('stores a response whose template is %j: %s', async (source, isStored) => {
    const template_data = { input_type: 'json', template_mode: 'blob', template_source: btoa(source) }
    const rule = { path: '/x', method: 'GET', template_data }
    const versions = (list: string) => ({
      not_versioned: true,
      versions: { Default: { name: 'Default', use_extended_paths: true, extended_paths: { [list]: [rule] } } },
    })
    const more = {
      enable_context_vars: true,
      response_processors: [{ name: 'response_body_transform', options: {} }],
      version_data: versions('transform_response'),
    }
    const isCached = async (mode: string) => {
      const { sendRequest } = await gateway({ ...more, cache_mode: mode }, { body: bytes('{"hit":1}') })
      await sendRequest('GET', '/c/x')
      return (await sendRequest('GET', '/c/x')).cached
    }
    expect(await isCached('compatible')).toBe(isStored)
    expect(await isCached('recorded')).toBe(true)
  })

  it('honours the Vary of the upstream, also if the client does not get it', async () => {
    const removes = { name: 'Default', global_response_headers_remove: ['Vary'] }
    const hidden = {
      version_data: { not_versioned: true, versions: { Default: removes } },
      response_processors: [{ name: 'header_injector', options: {} }],
    }
    const statesOf = async (vary: string) => {
      const { sendRequest } = await gateway(hidden, { headers: ['vary', vary] })
      const states = []
      for (const lang of ['de', 'en', 'de']) {
        const { cached: isCached, headers } = await sendRequest('GET', '/c/x', { 'x-lang': lang })
        states.push(isCached, headers['vary'])
      }
      return states
    }
    const none = undefined
    expect(await statesOf('X-Lang')).toEqual([false, none, false, none, true, none])
    expect(await statesOf('*')).toEqual([false, none, false, none, false, none])
  })

  it('has the rules of the configuration unless it has its own', async () => {
    const settings = { cache: { ...defaultSettings.cache, mode: 'recorded' as const } }
    const isCached = async (more: object) => {
      const { sendRequest } = await gateway(more, { headers: ['vary', '*'] }, { settings })
      await sendRequest('GET', '/c/x')
      return (await sendRequest('GET', '/c/x')).cached
    }
    expect(await isCached({})).toBe(true)
    expect(await isCached({ cache_mode: 'compatible' })).toBe(false)
  })

  it('shares all of them with share_private', async () => {
    const { sendRequest } = await gateway(
      { cache_options: { ...cached, share_private: true } },
      { headers: ['set-cookie', 'session=anna'] },
    )
    await sendRequest('GET', '/c/x', { cookie: 'session=anna' })
    expect((await sendRequest('GET', '/c/x')).cached).toBe(true)
  })
})
