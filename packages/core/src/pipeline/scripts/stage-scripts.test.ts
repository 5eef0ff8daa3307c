import { describe, expect, it } from 'vitest'
import { type FakeScript, fakeScripts, noScriptFiles, scriptsOn } from '../../../test/support/fake-scripts.ts'
import { definitionOf, makeTestEngine, requestOf } from '../../../test/support/test-engine.ts'
import { collectResponse } from '../../engine/inject.ts'
import { streamOf } from '../../http/byte-stream.ts'
import { headersOf } from '../../http/headers.ts'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'
import type { ScriptSettings } from '../../ports/settings.ts'

interface Given {
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly method?: string
}

/** A gateway with one API, `s`, whose scripts are functions of the test. */
async function gateway(
  definition: object,
  scripts: Record<string, FakeScript>,
  settings: ScriptSettings = scriptsOn,
  more: readonly object[] = [],
) {
  const runtime = fakeScripts(scripts)
  const engine = await makeTestEngine({
    definitions: [definitionOf('s', definition), ...more],
    settings: { scripts: settings },
    engine: { scripts: runtime, scriptFiles: noScriptFiles },
  })
  const send = async (path: string, { headers = {}, body, method = 'GET' }: Given = {}) => {
    const bytes = body === undefined ? undefined : utf8Bytes(body)
    const request = requestOf(method, path, headers)
    const whole = { ...request, body: bytes && streamOf(bytes), bodyLength: bytes?.length ?? 0 }
    const response = await engine.engine.handle(whole)
    const { status, pairs, text } = await collectResponse(response)
    return { status, text: text(), headers: pairs }
  }
  const sent = () => engine.upstreamRequests.at(-1)
  return { ...engine, send, sent, calls: runtime.calls }
}

const valuesOf = (headers: readonly string[], name: string) => headersOf(headers as string[], name)
const entries = (...names: string[]) => names.map((name) => ({ name, path: `${name}.js` }))
const stages = (lists: object) => ({ custom_middleware: { driver: 'otto', ...lists } })

/** A script that changes its request. */
const changing =
  (change: (request: Record<string, unknown>) => void): FakeScript =>
  ([request]) => {
    change(request)
    return { Request: request, SessionMeta: {} }
  }
const returning = (overrides: object) => changing((request) => Object.assign(request, { ReturnOverrides: overrides }))

describe('scripts of a stage', () => {
  it('run in their order, and each sees what the one before left', async () => {
    const add = (digit: string) =>
      changing((request) => {
        const { 'X-Row': row = [''] } = request['Headers'] as Record<string, string[]>
        Object.assign(request, { SetHeaders: { 'X-Row': row[0] + digit }, Body: request['Body'] + digit })
      })
    const { send, sent } = await gateway(stages({ pre: entries('one', 'two'), post: entries('three') }), {
      one: add('1'),
      two: add('2'),
      three: add('3'),
    })
    await send('/s/x', { method: 'POST', body: 'b' })
    expect(valuesOf(sent()?.headers ?? [], 'x-row')).toEqual(['123'])
    expect(utf8Text(sent()?.body as Uint8Array)).toBe('b123')
    expect(sent()?.bodyLength).toBe(4)
  })

  it.each<[string, object, string]>([
    ['sorts a changed query by name', { AddParams: { b: 'x y' }, ExtendedParams: { a: ['2'] } }, 'a=1&a=2&b=x+y'],
    ['removes parameters before it sets others', { DeleteParams: ['b'], ExtendedParams: { b: ['n'] } }, 'a=1&b=n'],
    ['keeps the query if a parameter to remove does not exist', { DeleteParams: ['c'] }, 'b=%7e&a=1'],
    ['keeps the query if a parameter has the value already', { AddParams: { b: '~' } }, 'b=%7e&a=1'],
  ])('%s', async (_, change, query) => {
    const { send, sent } = await gateway(stages({ pre: entries('q') }), {
      q: changing((request) => Object.assign(request, change)),
    })
    await send('/s/x?b=%7e&a=1')
    expect(sent()?.path).toBe(`/x?${query}`)
  })

  it.each<[string, string]>([
    ['/s/other?c=1', '/other?c=1'],
    ['/elsewhere', '/elsewhere'],
    ['no/slash', '/no/slash'],
    ['/s/a b\u00e9', '/a%20b%C3%A9'],
    ['', '/x?a=1'],
  ])('send the request to another URL: %s', async (url, path) => {
    const { send, sent } = await gateway(stages({ pre: entries('u') }), {
      u: changing((request) => Object.assign(request, { URL: url })),
    })
    await send('/s/x?a=1')
    expect(sent()?.path).toBe(path)
  })

  it.each<[string, FakeScript]>([
    ['returns nothing', () => undefined],
    ['throws', () => Promise.reject(new Error('rope'))],
    ['returns no request', () => ({ SessionMeta: {} })],
    ['returns another form of data', ([request]) => ({ Request: request, SessionMeta: { a: 1 } })],
    ['sets a header to a number', changing((request) => Object.assign(request, { SetHeaders: { 'X-A': 1 } }))],
    ['breaks a header', changing((request) => Object.assign(request, { SetHeaders: { 'X-A': 'a\r\nX-B: b' } }))],
    ['breaks the URL', changing((request) => Object.assign(request, { URL: 'http://[bad/' }))],
    ['leaves the target by dot segments', changing((request) => Object.assign(request, { URL: '/s/%2e./x' }))],
    ['responds with an invalid status', returning({ ResponseCode: 1000 })],
    ['responds with an informational status', returning({ ResponseCode: 100 })],
    ['is not defined', undefined as unknown as FakeScript],
  ])('fail the request if one %s', async (_, script) => {
    const { send, upstreamRequests, logged } = await gateway(stages({ pre: entries('f') }), { f: script })
    const { status, text } = await send('/s/x')
    expect([status, JSON.parse(text)]).toEqual([500, { error: 'Internal Server Error' }])
    expect(upstreamRequests).toHaveLength(0)
    expect(logged).toContainEqual(expect.objectContaining({ level: 'error', message: 'a script failed' }))
  })

  it('respond below 400 as they say, with the rate headers of the gateway only', async () => {
    const ResponseHeaders = { 'X-RateLimit-Limit': '77', 'X-Own': '1' }
    const respond = returning({ ResponseCode: 201, ResponseBody: 'b', ResponseError: 'e', ResponseHeaders })
    for (const stage of ['pre', 'post']) {
      const { send } = await gateway(stages({ [stage]: entries('r') }), { r: respond })
      const { status, text, headers } = await send('/s/x')
      expect([status, text]).toEqual([201, 'e'])
      expect([valuesOf(headers, 'x-ratelimit-limit'), valuesOf(headers, 'x-own')]).toEqual([['0'], ['1']])
    }
  })

  it('reject the request from status 400 on in the error layout, unless they override it', async () => {
    const rejection = { ResponseCode: 403, ResponseError: 'closed', ResponseHeaders: { 'X-Why': 'storm' } }
    const plain = await (await gateway(stages({ pre: entries('r') }), { r: returning(rejection) })).send('/s/x')
    expect([plain.status, JSON.parse(plain.text)]).toEqual([403, { error: 'closed' }])
    expect(valuesOf(plain.headers, 'x-why')).toEqual(['storm'])
    const own = returning({ ...rejection, OverrideError: true })
    const bare = await (await gateway(stages({ pre: entries('r') }), { r: own })).send('/s/x')
    expect([bare.status, bare.text]).toEqual([403, 'closed'])
  })

  it('get and replace the data of the key with require_session', async () => {
    const keyed = { use_keyless: false, use_standard_auth: true, auth: { auth_header_name: 'X-Key' } }
    const post = [{ name: 'm', path: 'm.js', require_session: true }]
    const { send, putKey, store, calls } = await gateway(
      { ...keyed, ...stages({ pre: entries('p'), post }) },
      {
        p: changing(() => undefined),
        m: ([request, session]) => ({ Request: request, SessionMeta: { was: session.meta_data.a } }),
      },
    )
    await putKey('a-key', { org_id: 'org1', access_rights: { s: { api_id: 's' } }, meta_data: { a: '1' } })
    expect((await send('/s/x', { headers: { 'X-Key': 'a-key' } })).status).toBe(200)
    expect((await store.sessions.get('a-key'))?.session.metaData).toEqual({ was: '1' })
    expect((JSON.parse(calls[0]?.args ?? '[]') as unknown[])[1]).toEqual({})
  })
})

describe('authentication by a script', () => {
  const keyed = { use_keyless: false, custom_plugin_auth_enabled: true }
  const authCheck = { ...keyed, ...stages({ auth_check: { name: 'who', path: 'who.js' } }) }

  it('lets the request pass with its session, or rejects it', async () => {
    const { send, store } = await gateway(authCheck, {
      who: ([request]) => {
        const [name] = request.Headers['X-Name'] ?? []
        if (name === undefined)
          return { Request: { ...request, ReturnOverrides: { ResponseCode: 401, ResponseError: 'who?' } } }
        return { Request: request, Session: { rate: 5, per: 60, alias: name }, AuthValue: `key-${name}` }
      },
    })
    const rejected = await send('/s/x')
    expect([rejected.status, JSON.parse(rejected.text)]).toEqual([401, { error: 'who?' }])
    expect((await send('/s/x', { headers: { 'X-Name': 'ida' } })).status).toBe(200)
    expect((await store.sessions.get('key-ida'))?.session.alias).toBe('ida')
  })

  describe('without an AuthValue', () => {
    let calls = 0
    const who: FakeScript = ([request]) => ({
      Request: request,
      Session: { rate: 2, per: 60, quota_max: 9, quota_renewal_rate: 60, last_updated: String(calls++) },
    })

    it('counts the session by the API and stores nothing', async () => {
      const { send, store } = await gateway(authCheck, { who })
      const statuses = []
      for (let i = 0; i < 4; i++) statuses.push((await send('/s/x')).status)
      expect(statuses).toEqual([200, 200, 429, 429])
      expect(await store.sessions.list('')).toEqual([])
    })

    it('does not count the sessions of another API', async () => {
      const { send } = await gateway(authCheck, { who }, scriptsOn, [definitionOf('other', authCheck)])
      const statuses = []
      for (const path of ['/s/x', '/s/x', '/other/x', '/s/x']) statuses.push((await send(path)).status)
      expect(statuses).toEqual([200, 200, 200, 429])
    })

    it.each([
      ['bypasses the cache', {}, 2],
      ['shares the cache with share_private', { share_private: true }, 1],
    ])('%s', async (_, more, upstreamCalls) => {
      const cache_options = { enable_cache: true, cache_timeout: 60, cache_all_safe_requests: true, ...more }
      const { send, upstreamRequests } = await gateway({ ...authCheck, cache_options }, { who })
      await send('/s/x')
      await send('/s/x')
      expect(upstreamRequests).toHaveLength(upstreamCalls)
    })

    it('applies the access rights of the session', async () => {
      const elsewhere: FakeScript = ([request]) => ({ Request: request, Session: { access_rights: { z: {} } } })
      expect((await (await gateway(authCheck, { who: elsewhere })).send('/s/x')).status).toBe(403)
    })
  })

  it.each<[string, FakeScript]>([
    ['a session of another form', ([request]) => ({ Request: request, Session: { rate: 'x' }, AuthValue: 'k' })],
    ['an unknown policy', ([request]) => ({ Request: request, Session: { apply_policies: ['z'] }, AuthValue: 'k' })],
    ['an unknown policy and no AuthValue', ([request]) => ({ Request: request, Session: { apply_policies: ['z'] } })],
  ])('lets nobody pass with %s', async (_, who) => {
    expect((await (await gateway(authCheck, { who })).send('/s/x')).status).toBe(500)
  })
})

describe('a scripted endpoint', () => {
  const rule = { path: '/e', method: 'GET', function_source_type: 'file', function_source_uri: 'e.js' }
  const endpoint = (more: object = {}) => ({
    version_data: {
      not_versioned: true,
      versions: {
        v: {
          name: 'v',
          use_extended_paths: true,
          extended_paths: { virtual: [{ ...rule, response_function_name: 'e', ...more }] },
        },
      },
    },
  })

  it('responds instead of the upstream, with headers of the gateway', async () => {
    const Headers = { Server: 'mine', 'X-RateLimit-Limit': '7' }
    const { send, upstreamRequests } = await gateway(endpoint(), {
      e: () => ({ Response: { Code: 404, Body: 'gone', Headers } }),
    })
    const { status, text, headers } = await send('/s/e')
    expect([status, text, upstreamRequests.length]).toEqual([404, 'gone', 0])
    expect(valuesOf(headers, 'server')).toEqual(['svc'])
    expect(valuesOf(headers, 'x-ratelimit-limit')).toEqual(['0'])
    expect(valuesOf(headers, 'content-type')).toEqual(['text/plain; charset=utf-8'])
  })

  it('fails with 500, or passes the request on with proxy_on_error', async () => {
    const e: FakeScript = () => ({ Response: { Body: 'no code' } })
    expect((await (await gateway(endpoint(), { e })).send('/s/e')).status).toBe(500)
    expect((await (await gateway(endpoint({ proxy_on_error: true }), { e })).send('/s/e')).text).toBe('ok')
  })
})

describe('scripts that cannot run', () => {
  const off = { ...scriptsOn, enabled: false }
  const rejected = { status: 500, text: expect.stringContaining('Middleware error') }

  it.each<[string, object, ScriptSettings, object]>([
    [
      'no driver',
      { custom_middleware: { pre: entries('x') } },
      scriptsOn,
      { field: 'custom_middleware', reason: expect.stringContaining('set "driver" to "otto"') },
    ],
    [
      'a driver that does not exist',
      { custom_middleware: { driver: 'lua', post: entries('x') } },
      scriptsOn,
      { field: 'custom_middleware' },
    ],
    ['scripts that are off', stages({ pre: entries('x') }), off, { field: 'custom_middleware' }],
    [
      'a bundle that is not loaded',
      { custom_middleware_bundle: 'b.zip' },
      scriptsOn,
      { field: 'custom_middleware_bundle' },
    ],
    [
      'authentication without a script',
      { use_keyless: false, custom_plugin_auth_enabled: true },
      scriptsOn,
      { field: 'custom_middleware.auth_check' },
    ],
  ])('close the API and are in the report: %s', async (_, definition, settings, found) => {
    const { send, engine } = await gateway(definition, {}, settings)
    expect(await send('/s/x')).toMatchObject(rejected)
    expect(engine.report()?.unsupported).toMatchObject([{ apiId: 's', closes: true, ...found }])
  })

  it.each([
    [false, 500],
    [true, 200],
  ])('reject requests for scripted endpoints, with proxy_on_error %s', async (proxy_on_error, status) => {
    const virtual = [{ path: '/e', method: 'GET', proxy_on_error }]
    const version = { name: 'v', use_extended_paths: true, extended_paths: { virtual } }
    const { send, engine } = await gateway({ version_data: { not_versioned: true, versions: { v: version } } }, {}, off)
    expect((await send('/s/e')).status).toBe(status)
    expect((await send('/s/other')).status).toBe(200)
    expect(engine.report()?.unsupported).toMatchObject([
      { field: 'version_data.versions.v.extended_paths.virtual', closes: !proxy_on_error },
    ])
  })

  it('do not close an API that uses none', async () => {
    const { engine } = await gateway(
      { custom_middleware: { driver: 'otto', pre: [{ name: 'x', disabled: true }] } },
      {},
      off,
    )
    expect(engine.report()?.unsupported).toEqual([])
  })
})

describe('explain', () => {
  const explain = async (script: FakeScript, dry: boolean) => {
    const { engine, calls } = await gateway(stages({ pre: entries('report') }), { report: script })
    const { stages: traced } = await engine.explain(requestOf('GET', '/s/x'), dry, () => 0, 0)
    return { notes: traced.find(({ stage }) => stage === 'script-pre')?.notes, calls }
  }

  it('shows what a script logged and returned', async () => {
    const { notes } = await explain(([request], { log }) => {
      log('seen')
      return { Request: { URL: request.URL }, SessionMeta: {} }
    }, false)
    expect(notes).toEqual(['report logged: seen', 'report returned: {"Request":{"URL":"/s/x"},"SessionMeta":{}}'])
  })

  it('of a definition that is not served has the lines that scripts log', async () => {
    const { engine } = await gateway(
      {},
      {
        report: ([request], { log }) => {
          log('the bell was rung')
          return { Request: request }
        },
      },
    )
    const lines: unknown[] = []
    const listener = {
      log: (...line: unknown[]) => void lines.push(line),
      started() {},
      finished() {},
    }
    const text = JSON.stringify(definitionOf('draft', stages({ pre: entries('report') })))
    await engine.debugRequest(
      { text },
      (path) => requestOf('GET', path),
      listener,
      () => 0,
    )
    expect(lines).toContainEqual(['info', 'the bell was rung', { prefix: 'jsvm', type: 'log-msg' }])
  })

  it('shows why a script failed', async () => {
    expect((await explain(() => Promise.reject(new Error('rope')), false)).notes).toEqual([
      'report returned: Error: rope',
    ])
    expect((await explain(() => ({}), false)).notes?.at(-1)).toMatch(/^report failed: .*member Request/)
  })

  it('runs scripts in a dry run without their requests', async () => {
    const asked: unknown[] = []
    const { calls } = await explain(async ([request], { ask }) => {
      asked.push(await ask('http-request', ['{"Domain":"http://up.test"}']), await ask('set-key', ['k', '{}', '']))
      return { Request: request }
    }, true)
    expect([asked, calls[0]?.dry]).toEqual([[undefined, undefined], true])
  })
})
