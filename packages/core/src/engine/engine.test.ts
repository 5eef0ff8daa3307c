import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine, requestOf, withPaths } from '../../test/support/test-engine.ts'
import { headerOf } from '../http/headers.ts'
import type { OrderEntry, Stage } from '../pipeline/contract/stage.ts'
import { stageOrder } from '../pipeline/stage-order.ts'
import { makeEngine } from './engine.ts'
import type { EngineOptions } from './engine-options.ts'
import { collectResponse } from './inject.ts'

const keyed = { use_keyless: false, auth: { auth_header_name: 'Authorization' } }
const session = (more: object = {}) => ({ org_id: 'org1', access_rights: { orders: { api_id: 'orders' } }, ...more })

describe('a request through the engine', () => {
  it('reaches the upstream of a keyless API without the listen path', async () => {
    const test = await makeTestEngine({ definitions: [definitionOf('open')] })
    const response = await test.send('GET', '/open/a/b?x=1')
    expect(response.status).toBe(200)
    expect(test.upstreamRequests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /a/b?x=1'])
  })

  it('is processed synchronously up to the upstream call', async () => {
    const test = await makeTestEngine({ definitions: [definitionOf('orders', keyed)] })
    await test.putKey('org1abcd', session({ rate: 1, per: 60 }))
    await test.send('GET', '/orders/x', { authorization: 'abcd' })
    const rejected = test.engine.handle(requestOf('GET', '/orders/x', { authorization: 'abcd' }))
    expect(rejected).toMatchObject({ status: 429 })
  })

  it('gets `404 page not found` before the first API is loaded and `Not Found` after that', async () => {
    const test = await makeTestEngine()
    expect(await test.send('GET', '/x')).toMatchObject({ status: 404, body: '404 page not found\n' })
    test.files.definitions.set('open.json', JSON.stringify(definitionOf('open')))
    await test.engine.reload()
    expect(await test.send('GET', '/x')).toMatchObject({ status: 404, body: 'Not Found' })
  })

  it('gets 503 with Retry-After until the definitions are loaded', async () => {
    let parts: EngineOptions | undefined
    await makeTestEngine({
      attach: (made) => {
        parts = made
        return {}
      },
    })
    const starting = makeEngine(parts as EngineOptions)
    const response = await starting.handle(requestOf('GET', '/x'))
    expect(response.status).toBe(503)
    expect(headerOf(response.headers, 'retry-after')).toBe('1')
  })

  it('is redirected to the clean path with its query', async () => {
    const test = await makeTestEngine({ definitions: [definitionOf('open')] })
    const response = await test.send('GET', '/open/a/../b//c?q=1')
    expect(response.status).toBe(301)
    expect(headerOf(response.headers, 'location')).toBe('/open/b/c?q=1')
    expect(test.upstreamRequests).toEqual([])
  })

  it.each(['/orders/ign/openapi.json%2f..%2fsecret', '/orders/ign/%2e%2e/secret', '/orders/ign/%5c..%5csecret'])(
    'is rejected before any rule if its path hides segments: %s',
    async (path) => {
      const lists = { use_extended_paths: true, extended_paths: { ignored: [{ path: '/ign/', method: 'GET' }] } }
      const version_data = { not_versioned: true, versions: { Default: { name: 'Default', ...lists } } }
      const test = await makeTestEngine({ definitions: [definitionOf('orders', { ...keyed, version_data })] })
      expect(await test.send('GET', '/orders/ign/x')).toMatchObject({ status: 200 })
      expect(await test.send('GET', path)).toMatchObject({ status: 400 })
      expect(test.upstreamRequests).toHaveLength(1)
    },
  )

  it.each(['/open/%', '/open/%4', '/open/%zz', '/nothing%'])(
    'is 400 with a broken percent-escape: %s',
    async (path) => {
      const test = await makeTestEngine({ definitions: [definitionOf('open')] })
      expect(await test.send('GET', path)).toMatchObject({ status: 400, body: '400 Bad Request' })
      expect(test.upstreamRequests).toEqual([])
    },
  )

  it('is 405 with the method TRACE', async () => {
    const test = await makeTestEngine({ definitions: [definitionOf('open')] })
    const response = await test.send('TRACE', '/open/a')
    expect([response.status, headerOf(response.headers, 'allow')]).toEqual([405, expect.stringContaining('GET')])
  })

  it.each(['//\\evil.test', '/\\evil.test', '/a/..//\\evil.test'])(
    'is not redirected to another host: %s',
    async (path) => {
      const test = await makeTestEngine({ definitions: [definitionOf('open')] })
      expect((await test.send('GET', path)).status).toBe(400)
    },
  )

  it('is checked against the rate before the quota', async () => {
    const test = await makeTestEngine({ definitions: [definitionOf('orders', keyed)] })
    await test.putKey('org1abcd', session({ rate: 2, per: 60, quota_max: 1, quota_renewal_rate: 3600 }))
    const send = () => test.send('GET', '/orders/x', { authorization: 'abcd' })
    const first = await send()
    expect(first.status).toBe(200)
    expect(headerOf(first.headers, 'x-ratelimit-remaining')).toBe('0')
    expect((await send()).body).toContain('Quota exceeded')
    expect((await send()).body).toContain('Rate Limit Exceeded')
  })

  it('of an inactive organisation counts nothing and does not reach the upstream', async () => {
    const test = await makeTestEngine({
      definitions: [definitionOf('orders', { ...keyed, enable_ip_whitelisting: true, allowed_ips: ['10.0.0.1'] })],
    })
    await test.store.organisations.put('org1', { ...(await emptySession()), isInactive: true })
    test.engine.orgs.forget('org1')
    const response = await test.send('GET', '/orders/x', { authorization: 'nobody' })
    expect(response.status).toBe(403)
    expect(response.body).toContain('this organisation access has been disabled')
    expect(test.upstreamRequests).toEqual([])
  })

  it('gets 500 if a stage throws, and the error is logged', async () => {
    const failing: OrderEntry<Stage> = {
      name: 'failing',
      phase: '1-accept',
      make: () => ({
        run() {
          throw new Error('a bug')
        },
      }),
    }
    const order = { ...stageOrder, stages: [failing, ...stageOrder.stages] }
    const test = await makeTestEngine({ definitions: [definitionOf('open')], engine: { order } })
    expect((await test.send('GET', '/open/x')).status).toBe(500)
    expect(
      test.logged.some(({ level, fields }) => level === 'error' && String(fields?.['cause']).includes('a bug')),
    ).toBe(true)
  })

  it('gets 500 with the compatible text if the upstream refuses the connection', async () => {
    const test = await makeTestEngine({
      definitions: [definitionOf('open')],
      upstream: () => Promise.resolve({ kind: 'error', reason: 'refused', cause: 'ECONNREFUSED' }),
    })
    const response = await test.send('GET', '/open/x')
    expect(response.status).toBe(500)
    expect(response.body).toBe('{\n    "error": "There was a problem proxying the request"\n}')
    expect(headerOf(response.headers, 'x-generator')).toBe('svc.io')
  })
})

describe('explain', () => {
  it('returns each stage with the values it read, and counts nothing in a dry run', async () => {
    const test = await makeTestEngine({ definitions: [definitionOf('orders', keyed)] })
    await test.putKey('org1abcd', session({ rate: 5, per: 60, quota_max: 5, quota_renewal_rate: 3600 }))
    const request = () => requestOf('GET', '/orders/x', { authorization: 'abcd' })
    let micros = 0
    const dry = await test.engine.explain(request(), true, () => micros++)
    expect(dry.apiId).toBe('orders')
    expect(dry.stages.map(({ stage }) => stage)).toEqual(
      expect.arrayContaining(['auth-token', 'key-access', 'key-limits', 'forward']),
    )
    expect(dry.stages.find(({ stage }) => stage === 'key-limits')?.notes.join()).toContain('5 of 5 left')
    expect(test.upstreamRequests).toEqual([])
    const wet = await test.engine.explain(request(), false, () => micros++)
    expect(wet.stages.find(({ stage }) => stage === 'key-limits')?.notes.join()).toContain('4 of 5 left')
    expect(test.upstreamRequests).toHaveLength(1)
  })
})

describe('explain of a definition that refers to secrets', () => {
  const values: Record<string, string> = {
    TARGET: 'http://user:pass word@up.test:81/in/side?k=t0p',
    key: 's3 cret',
    part: 'id-77',
  }
  const rule = { path: '/r', method: 'GET', match_pattern: '.*', rewrite_to: '/a/$secret_conf.key?x=$secret_conf.part' }
  const versions = {
    Default: {
      name: 'Default',
      use_extended_paths: true,
      global_headers: { 'X-Key': '$secret_conf.key' },
      extended_paths: { url_rewrites: [rule] },
    },
  }
  const definition = definitionOf('a', {
    version_data: { not_versioned: true, versions },
    proxy: { listen_path: '/a/', target_url: 'env://TARGET', strip_listen_path: true },
  })
  const echo = ({ path, headers }: { readonly path: string; readonly headers: readonly string[] }) =>
    Promise.resolve({
      kind: 'response' as const,
      status: 302,
      headers: ['location', values['TARGET'] ?? '', 'x-path', path],
      body: Buffer.from(headers.join('\n')),
      bodyLength: undefined,
    })

  it.each([true, false])('shows none of their values (dry: %s)', async (dry) => {
    const test = await makeTestEngine({
      definitions: [definition],
      upstream: echo,
      engine: { secret: (_, name) => values[name] },
    })
    const { stages, shown, response } = await test.engine.explain(requestOf('GET', '/a/r'), dry, () => 0)
    const notes = stages.flatMap((stage) => stage.notes).join('\n')
    expect(notes).toContain('[secret]')
    const { pairs, bytes } = await collectResponse(response)
    const all = [notes, ...pairs.map(shown), shown(Buffer.from(bytes).toString())].join('\n')
    for (const secret of ['user:', 'pass', 'up.test', 'in/side', 't0p', 's3 cret', 's3%20cret', 'id-77']) {
      expect(all).not.toContain(secret)
    }
  })
})

describe('explain of a definition with short values', () => {
  it.each([
    ['env', '/', '[secret]'],
    ['secrets', '[secret]', '[secret]'],
  ])('of %s:// shows %s', async (from, short, long) => {
    const values: Record<string, string> = { SHORT: '/', LONG: 'long' }
    const version = { name: 'Default', global_headers: { 'X-A': `${from}://SHORT`, 'X-B': `${from}://LONG` } }
    const test = await makeTestEngine({
      definitions: [definitionOf('a', { version_data: { not_versioned: true, versions: { Default: version } } })],
      engine: { secret: (_, name) => values[name] },
    })
    const { shown } = await test.engine.explain(requestOf('GET', '/a/x'), true, () => 0)
    expect(['/', 'long'].map(shown)).toEqual([short, long])
  })
})

describe('a reload', () => {
  it('serves new definitions, drops removed ones and reports both', async () => {
    const test = await makeTestEngine({ definitions: [definitionOf('old'), definitionOf('same')] })
    test.files.definitions.delete('old.json')
    test.files.definitions.set('new.json', JSON.stringify(definitionOf('new')))
    const report = await test.engine.reload()
    expect(report).toMatchObject({ loaded: 2, changed: ['new.json'], removed: ['old.json'], failed: [] })
    expect((await test.send('GET', '/new/x')).status).toBe(200)
    expect((await test.send('GET', '/old/x')).status).toBe(404)
  })

  it('keeps the last good version of a definition that became invalid, and reports the position of the error', async () => {
    const test = await makeTestEngine({ definitions: [definitionOf('a'), definitionOf('b')] })
    test.files.definitions.set('a.json', '{\n  "api_id": "a",\n  "use_keyless": "yes"\n}')
    const report = await test.engine.reload()
    expect(report.failed).toEqual([
      expect.objectContaining({
        source: 'a.json',
        keptOld: true,
        line: 3,
        reason: expect.stringContaining('must be true or false'),
      }),
    ])
    expect((await test.send('GET', '/a/x')).status).toBe(200)
    expect((await test.send('GET', '/b/x')).status).toBe(200)
  })

  it('reads template files again, keeps the last text of a missing one, and reports which', async () => {
    const files = new Map([['t.tmpl', 'one {{.a}}']])
    const rule = { path: '/x', method: 'GET', template_data: { template_mode: 'file', template_source: 't.tmpl' } }
    const paths = { use_extended_paths: true, extended_paths: { transform_response: [rule] } }
    const version_data = { not_versioned: true, versions: { Default: { name: 'Default', ...paths } } }
    const processors = { response_processors: [{ name: 'response_body_transform' }] }
    const test = await makeTestEngine({
      definitions: [definitionOf('t', { version_data, ...processors }), definitionOf('other')],
      engine: { readTemplate: (name) => files.get(name) },
    })
    const responseText = async () => (await collectResponse(await test.send('GET', '/t/x'))).text()
    expect(await responseText()).toBe('one <no value>')
    files.set('t.tmpl', 'two')
    expect(await test.engine.reload()).toMatchObject({ changed: ['t.json'], failed: [] })
    expect(await responseText()).toBe('two')
    files.delete('t.tmpl')
    const { failed, changed } = await test.engine.reload()
    expect(failed).toEqual([
      {
        source: 't.json',
        keptOld: true,
        reason: expect.stringMatching(/template_source: the file "t.tmpl" cannot/),
      },
    ])
    expect(changed).toEqual([])
    expect(await responseText()).toBe('two')
    files.set('t.tmpl', 'two')
    expect(await test.engine.reload()).toMatchObject({ changed: [], failed: [] })
  })

  it('closes only the paths of template files that are missing or invalid', async () => {
    const ruleOf = (path: string, source: string) => ({
      ...{ path, method: 'GET' },
      template_data: { input_type: 'json', template_mode: 'file', template_source: source },
    })
    const lists = {
      transform: [ruleOf('/request', 'none.tmpl')],
      transform_response: [ruleOf('/response', 'none.tmpl'), ruleOf('/invalid', 'invalid.tmpl')],
    }
    const processors = { response_processors: [{ name: 'response_body_transform' }] }
    const test = await makeTestEngine({
      definitions: [definitionOf('t', { ...withPaths(lists), ...processors })],
      engine: { readTemplate: (name) => (name === 'invalid.tmpl' ? '{{if}}' : undefined) },
    })
    for (const path of ['request', 'response', 'invalid']) {
      expect((await test.send('GET', `/t/${path}`)).status, path).toBe(500)
    }
    expect((await test.send('GET', '/t/other')).status).toBe(200)
    expect(JSON.stringify(test.logged)).toContain('the file \\"none.tmpl\\" cannot be read')
  })

  it('is dropped if the policy file is invalid, and the previous snapshot stays', async () => {
    const test = await makeTestEngine({
      definitions: [definitionOf('a')],
      policies: { gold: { id: 'gold', org_id: 'org1' } },
    })
    test.files.policies = 'broken'
    test.files.definitions.set('b.json', JSON.stringify(definitionOf('b')))
    const report = await test.engine.reload()
    expect(report.dropped).toContain('policies.json')
    expect((await test.send('GET', '/b/x')).status).toBe(404)
    expect((await test.send('GET', '/a/x')).status).toBe(200)
    expect(test.engine.policies().get('gold')).toBeDefined()
  })

  it('resets no counter', async () => {
    const test = await makeTestEngine({
      definitions: [definitionOf('orders', { ...keyed, global_rate_limit: { rate: 3, per: 60 } })],
    })
    await test.putKey('org1abcd', session({ quota_max: 10, quota_renewal_rate: 3600 }))
    const send = () => test.send('GET', '/orders/x', { authorization: 'abcd' })
    await send()
    test.files.definitions.set(
      'orders.json',
      JSON.stringify(definitionOf('orders', { ...keyed, name: 'renamed', global_rate_limit: { rate: 3, per: 60 } })),
    )
    expect((await test.engine.reload()).changed).toEqual(['orders.json'])
    const response = await send()
    expect(headerOf(response.headers, 'x-ratelimit-remaining')).toBe('8')
    await send()
    expect((await send()).body).toContain('API Rate Limit Exceeded')
  })

  it('does not affect a request in progress, which finishes with the old snapshot', async () => {
    let finish: (() => void) | undefined
    const test = await makeTestEngine({
      definitions: [definitionOf('slow')],
      upstream: () =>
        new Promise((resolve) => {
          finish = () => resolve({ kind: 'response', status: 200, headers: [], body: undefined, bodyLength: 0 })
        }),
    })
    const pending = test.send('GET', '/slow/x')
    test.files.definitions.clear()
    test.files.definitions.set('other.json', JSON.stringify(definitionOf('other')))
    await test.engine.reload()
    finish?.()
    expect((await pending).status).toBe(200)
    expect((await test.send('GET', '/slow/x')).status).toBe(404)
  })
})

async function emptySession() {
  const { sessionShape } = await import('../ports/session.ts')
  return sessionShape.zero()
}
