import { describe, expect, it } from 'vitest'
import { servingDocument } from '../../../test/support/document-engine.ts'
import { call, type McpEngineOptions, makeMcpEngine, rule } from '../../../test/support/mcp/mcp-engine.ts'
import { requestOf } from '../../../test/support/test-engine.ts'
import { streamOf } from '../../http/byte-stream.ts'
import { headerOf } from '../../http/headers.ts'
import type { Json } from '../../lib/json.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import { StoreUnavailableError } from '../../ports/store.ts'
import { makeMemoryStore } from '../../store-memory/memory-store.ts'
import { pack } from '../shared/recode-body.ts'

const errorOf = (text: string) => (JSON.parse(text) as { error: { code: number; message: string } }).error

it('a message with very many values is rejected unread', async () => {
  const { post, upstreamRequests } = await makeMcpEngine()
  const params = { name: 'a', list: Array.from({ length: 20_001 }, (_, i) => i) }
  const { status, text } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  expect([status, errorOf(text).code, upstreamRequests.length]).toEqual([400, -32700, 0])
})

describe('a request with a body that is not JSON-RPC', () => {
  const sendRequest = async (settings: object, method: string, type: string) => {
    const { engine, upstreamRequests } = await makeMcpEngine({ settings })
    const body = utf8Bytes('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"danger"}}')
    const request = requestOf(method, '/m/', { 'content-type': type })
    const { status } = await engine.handle({ ...request, body: streamOf(body), bodyLength: body.length })
    return [status, upstreamRequests.length]
  }

  it.each([
    ['POST', 'text/plain'],
    ['POST', 'application/problem+json'],
    ['POST', ''],
    ['PUT', 'application/json'],
  ])('is 415: %s with %j', async (method, type) => {
    expect(await sendRequest({}, method, type)).toEqual([415, 0])
  })

  it('is passed with mcp_other_bodies pass', async () => {
    expect(await sendRequest({ mcpOtherBodies: 'pass' }, 'POST', 'text/plain')).toEqual([200, 1])
  })
})

describe('a message', () => {
  it.each([
    ['{', -32700, 'parse error'],
    ['', -32700, 'parse error'],
    ['null', -32700, 'parse error'],
    ['"text"', -32700, 'parse error'],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32700, 'parse error'],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600, 'invalid request'],
    ['{"id":1,"method":"ping"}', -32600, 'invalid request'],
    ['{"jsonrpc":"2.0","id":1}', -32600, 'invalid request'],
    ['{"jsonrpc":"2.0","id":1,"method":5}', -32600, 'invalid request'],
    ['{"jsonrpc":"2.0","id":1,"method":null,"result":{}}', -32600, 'invalid request'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call"}', -32602, 'missing required params object'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}', -32602, 'missing required params object'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["a"]}', -32602, 'invalid params: expected object'],
    ['{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":"a"}', -32602, 'invalid params: expected object'],
    ['{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{}}', -32602, 'missing required parameter: name'],
    ['{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{}}', -32602, 'missing required parameter: uri'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":""}}', -32602, 'invalid params'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}', -32602, 'invalid params'],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}', -32600, 'invalid request'],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/list"}', -32600, 'invalid request'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","name":"b"}}', -32602, 'invalid params'],
    [
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"},"param\\u017f":{}}',
      -32600,
      'invalid request',
    ],
  ])('%s is rejected with %d', async (text, code, message) => {
    const engine = await makeMcpEngine()
    const reply = await engine.post(text)
    expect([reply.status, errorOf(reply.text)]).toEqual([400, { code, message }])
    expect(reply.text.endsWith('\n')).toBe(true)
    expect(engine.upstreamRequests).toEqual([])
  })

  it.each(['7', '"x"', '12345678901234567890', '-1.5e3', '"\\u0041"'])('is rejected with its own id %s', async (id) => {
    const { post } = await makeMcpEngine()
    expect((await post(`{"id": ${id} ,"jsonrpc":"2.0"}`)).text).toContain(`"id":${id}}`)
  })

  it.each(['{}', '[1]', 'true', 'null'])('has no id where it is %s', async (id) => {
    const { post } = await makeMcpEngine()
    expect((await post(`{"id":${id},"jsonrpc":"2.0"}`)).text).toContain('"id":null}')
  })

  it.each([
    [true, '/mcp'],
    [false, '/mcp/m/'],
  ])('reaches the upstream as it came, without the query (listen path stripped: %s)', async (strip, path) => {
    const engine = await makeMcpEngine({
      definition: { proxy: { listen_path: '/m/', target_url: 'http://up.test/mcp', strip_listen_path: strip } },
    })
    const text = ' { "jsonrpc" : "2.0", "method":"ping"}\n'
    await engine.post(text)
    const [upstreamRequests] = engine.upstreamRequests
    expect(upstreamRequests?.path).toBe(path)
    expect(utf8Text(upstreamRequests?.body as Uint8Array)).toBe(text)
  })

  it('can be a response to a request of the server', async () => {
    const engine = await makeMcpEngine()
    expect((await engine.post({ jsonrpc: '2.0', id: 1, result: {} })).status).toBe(200)
    expect((await engine.post({ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } })).status).toBe(200)
    expect(engine.upstreamRequests).toHaveLength(2)
  })

  it.each([
    ['a mark of its byte order', Uint8Array.of(0xef, 0xbb, 0xbf, ...utf8Bytes(JSON.stringify(call('a')))), {}],
    ['bytes that are no UTF-8', Uint8Array.of(...utf8Bytes('{"jsonrpc":"2.0","method":"'), 0xc1, 0xa4, 0x22, 0x7d), {}],
    ['another charset', JSON.stringify(call('a')), { 'content-type': 'application/json; charset=utf-7' }],
    ['a coding', JSON.stringify(call('a')), { 'content-encoding': 'deflate' }],
  ])('with %s is rejected, because parsers would disagree on it', async (_, body, headers) => {
    const engine = await makeMcpEngine()
    expect(errorOf((await engine.post(body, headers)).text).code).toBe(-32700)
    expect(engine.upstreamRequests).toEqual([])
  })

  it.each(['Application/JSON', 'text/plain; a=application/json', 'application/json; charset="UTF-8"'])(
    'is recognised by the type %s',
    async (type) => {
      const engine = await makeMcpEngine({ paths: { black_list: [rule('/mcp-tool:danger')] } })
      expect((await engine.post(call('danger'), { 'content-type': type })).status).toBe(403)
      expect(engine.upstreamRequests).toEqual([])
    },
  )
})

describe('rules for tools, resources and prompts', () => {
  const read = (uri: string) => ({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } })

  it('match names with their prefix, of their own kind', async () => {
    const { post } = await makeMcpEngine({
      paths: { black_list: [rule('/mcp-tool:get'), rule('/mcp-resource:db://a?b=1')] },
    })
    expect((await post(call('get'))).status).toBe(403)
    expect((await post(call('getter'))).status).toBe(403)
    expect((await post(call('forget'))).status).toBe(200)
    expect((await post({ ...call('get'), method: 'prompts/get' })).status).toBe(200)
    expect((await post(read('db://a?b=1'))).status).toBe(403)
  })

  it('block the others of their kind if one is allowed', async () => {
    const { post } = await makeMcpEngine({ paths: { white_list: [rule('/mcp-tool:good')] } })
    expect((await post(call('good'))).status).toBe(200)
    const { status, text } = await post(call('other'))
    expect([status, errorOf(text)]).toEqual([
      403,
      { code: -32002, message: 'access to this resource has been disallowed', data: { http_code: 403 } },
    ])
    expect((await post(read('file:///x'))).status).toBe(200)
    expect((await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).status).toBe(200)
  })

  it('can allow a folder of resources in a blocked one, and block one inside it', async () => {
    const { post } = await makeMcpEngine({
      paths: {
        black_list: [rule('/mcp-resource:file:///a/*'), rule('/mcp-resource:file:///a/open/not/*')],
        white_list: [rule('/mcp-resource:file:///a/open/*')],
      },
    })
    expect((await post(read('file:///a/x'))).status).toBe(403)
    expect((await post(read('file:///a/open/x'))).status).toBe(200)
    expect((await post(read('file:///a/open/not/x'))).status).toBe(403)
    expect((await post(read('file:///b'))).status).toBe(403)
  })

  it('block a tool, also if one with a longer name is allowed', async () => {
    const paths = { black_list: [rule('/mcp-tool:get')], white_list: [rule('/mcp-tool:getter')] }
    expect((await (await makeMcpEngine({ paths })).post(call('getter'))).status).toBe(403)
  })

  it('with the longest name apply', async () => {
    const { post, upstreamRequests } = await makeMcpEngine({
      paths: {
        transform_headers: [
          rule('/mcp-resource:file:///*', { add_headers: { 'X-R': 'all' } }),
          rule('/mcp-resource:file:///repo/*', { add_headers: { 'X-R': 'repo' } }),
        ],
      },
    })
    await post(read('file:///repo/x'))
    await post(read('file:///x'))
    expect(upstreamRequests.map(({ headers }) => headerOf(headers, 'x-r'))).toEqual(['repo', 'all'])
  })

  it('have paths that clients cannot request', async () => {
    const engine = await makeMcpEngine({ paths: { internal: [rule('/mcp-tool:t')] } })
    expect((await engine.get('/m/mcp-tool:t')).status).toBe(404)
    expect((await engine.get('/m/mcp%2Dtool%3At')).status).toBe(404)
    expect((await engine.get('/m/mcp-tool:other')).status).toBe(200)
    // A message there gets the same error: the path is wrong, not the call.
    const posted = await engine.send('POST', '/m/mcp-tool:t', { 'content-type': 'application/json' })
    expect([posted.status, JSON.parse(String(posted.body))]).toEqual([404, { error: 'Not Found' }])
  })
})

describe('middleware of a tool', () => {
  const document = (parts: object): Json => ({
    openapi: '3.0.3',
    info: { title: 'm', version: '1' },
    paths: {},
    'x-svc-api-gateway': {
      info: { id: 'm', name: 'm', state: { active: true } },
      server: { listenPath: { value: '/m/', strip: true } },
      upstream: { url: 'http://up.test/mcp' },
      middleware: { mcpTools: { t: parts } },
    },
  })
  const withParts = (parts: object, more: McpEngineOptions = {}) => {
    return makeMcpEngine({ engine: servingDocument(document(parts), 'mcp'), ...more })
  }
  const on = { enabled: true }

  it('changes the body for the upstream', async () => {
    const body = encodeBase64(utf8Bytes('{"called":"{{.method}}"}'))
    const { post, upstreamRequests } = await withParts({ transformRequestBody: { ...on, format: 'json', body } })
    await post(call('t'))
    await post(call('other'))
    expect(upstreamRequests.map((one) => utf8Text(one.body as Uint8Array))).toEqual([
      '{"called":"tools/call"}',
      JSON.stringify(call('other')),
    ])
  })

  it('limits the length of messages and the time', async () => {
    const { post, upstreamRequests } = await withParts({
      requestSizeLimit: { ...on, value: 100 },
      enforceTimeout: { ...on, value: 3 },
    })
    await post(call('t'))
    expect(upstreamRequests[0]?.timeoutMs).toBe(3000)
    const { status, text } = await post(call(`t${'x'.repeat(100)}`))
    expect([status, errorOf(text)]).toMatchObject([400, { code: -32600, message: 'Request is too large' }])
  })

  it('opens a circuit breaker', async () => {
    const circuitBreaker = { ...on, threshold: 0.5, sampleSize: 1, coolDownPeriod: 60 }
    const { post } = await withParts({ circuitBreaker }, { response: { status: 500 } })
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) statuses.push((await post(call('t'))).status)
    expect(statuses.at(-1)).toBe(503)
    expect((await post(call('other'))).status).toBe(500)
  })

  it('has no effect if it is disabled', async () => {
    const { post } = await withParts({ block: { enabled: false }, rateLimit: { enabled: false, rate: 1, per: '1h' } })
    expect([(await post(call('t'))).status, (await post(call('t'))).status]).toEqual([200, 200])
  })
})

describe('an unavailable store', () => {
  const withoutCounters = (clock: Clock) => {
    const store = makeMemoryStore({ clock })
    const away = () => Promise.reject(new StoreUnavailableError('away'))
    return { ...store, counters: { ...store.counters, consume: away } }
  }
  const clock: Clock = { now: () => 0, after: () => () => {}, breathe: () => Promise.resolve() }
  const limited = { rate: 1, per: 60 }
  const paths = { black_list: [rule('/mcp-tool:danger')], rate_limit: [rule('/mcp-tool:', limited)] }

  it.each([false, true])('does not bypass block lists, mcp_count_each_stage: %s', async (mcpCountEachStage) => {
    const definition = { global_rate_limit: limited }
    const engine = { store: withoutCounters(clock) }
    const { post, upstreamRequests } = await makeMcpEngine({
      paths,
      definition,
      engine,
      settings: { mcpCountEachStage },
    })
    expect((await post(call('danger'))).status).toBe(403)
    expect((await post(call('fine'))).status).toBe(200)
    expect(upstreamRequests).toHaveLength(1)
  })
})

describe('the rate and quota of a key', () => {
  const keyed = { use_keyless: false, use_standard_auth: true }
  const session = (more: object = {}) => ({
    org_id: 'org1',
    quota_max: 10,
    quota_renewal_rate: 60,
    access_rights: { m: { api_id: 'm', ...more } },
  })
  const remaining = async (each: boolean, messages: readonly object[], more: object = {}) => {
    const engine = await makeMcpEngine({ definition: keyed, settings: { mcpCountEachStage: each } })
    await engine.putKey('org1k', session(more))
    let last: string | undefined
    for (const message of messages) {
      const reply = await engine.post(message, { authorization: 'org1k' })
      last = headerOf(reply.response.headers, 'x-ratelimit-remaining')
    }
    return last
  }
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

  it('count a message once', async () => {
    expect(await remaining(false, [ping])).toBe('9')
    expect(await remaining(false, [call('a')])).toBe('9')
  })

  it('count each of its stages with mcp_count_each_stage', async () => {
    expect(await remaining(true, [ping])).toBe('8')
    expect(await remaining(true, [call('a')])).toBe('7')
    expect(await remaining(true, [{ jsonrpc: '2.0', id: 1, result: {} }])).toBe('9')
  })

  it('are checked before the key rights on methods and primitives', async () => {
    const engine = await makeMcpEngine({ definition: keyed })
    await engine.putKey('org1k', session({ mcp_access_rights: { tools: { blocked: ['d.*'] } } }))
    const reply = await engine.post(call('d\nx'), { authorization: 'org1k' })
    expect(reply.status).toBe(403)
    expect(engine.upstreamRequests).toEqual([])
    const next = await engine.post(ping, { authorization: 'org1k' })
    expect(headerOf(next.response.headers, 'x-ratelimit-remaining')).toBe('8')
  })

  it('of one method or tool have their own counter and count once', async () => {
    const engine = await makeMcpEngine({ definition: keyed, settings: { mcpCountEachStage: true } })
    const limit = { rate: 1, per: 60 }
    await engine.putKey(
      'org1k',
      session({
        limit: { quota_max: -1, rate: 100, per: 60 },
        json_rpc_methods: [{ name: 'ping', limit }],
        mcp_primitives: [{ type: 'tool', name: 'slow', limit }],
      }),
    )
    const statuses: number[] = []
    for (const message of [ping, ping, call('slow'), call('slow'), call('fast')]) {
      statuses.push((await engine.post(message, { authorization: 'org1k' })).status)
    }
    expect(statuses).toEqual([200, 429, 200, 429, 200])
  })

  it('are checked before a blocked tool is reported', async () => {
    const { post } = await makeMcpEngine({ definition: keyed, paths: { black_list: [rule('/mcp-tool:t')] } })
    expect(errorOf((await post(call('t'))).text)).toMatchObject({
      code: -32001,
      message: 'Authorization field missing',
    })
  })

  it('are not checked if a tool requires no key', async () => {
    const { post } = await makeMcpEngine({ definition: keyed, paths: { ignored: [rule('/mcp-tool:free')] } })
    expect((await post(call('free'))).status).toBe(200)
    expect((await post(call('other'))).status).toBe(401)
  })
})

describe('lists', () => {
  const tools = {
    jsonrpc: '2.0',
    id: 1,
    result: { tools: [{ name: 'a' }, { name: 'danger' }, { title: 'no name' }] },
  }
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const paths = { black_list: [rule('/mcp-tool:danger')] }

  it('omit blocked items and keep items without a name', async () => {
    const { post, upstreamRequests } = await makeMcpEngine({
      paths,
      response: { body: utf8Bytes(JSON.stringify(tools)) },
    })
    const { text } = await post(list, { 'accept-encoding': 'gzip, br' })
    expect(JSON.parse(text)).toEqual({ ...tools, result: { tools: [{ name: 'a' }, { title: 'no name' }] } })
    expect(headerOf(upstreamRequests[0]?.headers ?? [], 'accept-encoding')).toBe('identity')
  })

  it('are byte-identical if nothing is hidden', async () => {
    const sent = ` {"jsonrpc":"2.0", "id":1,"result":{"tools":[{"name":"a"}]}}`
    const { post } = await makeMcpEngine({ paths, response: { body: utf8Bytes(sent) } })
    expect((await post(list)).text).toBe(sent)
  })

  it.each([[['content-type', 'text/plain']], [[]]])('are filtered with any content type: %j', async (headers) => {
    const { post } = await makeMcpEngine({ paths, response: { headers, body: utf8Bytes(JSON.stringify(tools)) } })
    expect((await post(list)).text).not.toContain('danger')
  })

  it('in gzip are decompressed if something is hidden', async () => {
    const packed = await pack(utf8Bytes(JSON.stringify(tools)), 'gzip', {
      clock: { breathe: () => Promise.resolve() } as Clock,
    })
    const headers = ['content-type', 'application/json', 'content-encoding', 'gzip']
    const { post } = await makeMcpEngine({ paths, response: { headers, body: packed } })
    const { text, response } = await post(list)
    expect(text).toContain('no name')
    expect(headerOf(response.headers, 'content-encoding')).toBeUndefined()
  })

  it('with an unknown coding are not forwarded', async () => {
    const headers = ['content-type', 'application/json', 'content-encoding', 'br']
    const { post } = await makeMcpEngine({ paths, response: { headers, body: utf8Bytes('packed') } })
    const { status, text } = await post(list)
    expect([status, errorOf(text).code]).toEqual([500, -32603])
  })

  it.each([
    ['values', `{"tools":[${'1,'.repeat(20_000)}1]}`],
    ['bytes', `{"tools":"${'x'.repeat(4 * 1024 * 1024)}"}`],
  ])('with too many %s are not forwarded', async (_, body) => {
    const { post } = await makeMcpEngine({ paths, response: { body: utf8Bytes(body) } })
    const { status, text } = await post(list)
    expect([status, errorOf(text).code]).toEqual([500, -32603])
  })

  it('in event streams are filtered, also on a resumed stream', async () => {
    const events = `id: 1\ndata: ${JSON.stringify(tools)}\n\n`
    const response = { headers: ['content-type', 'text/event-stream'], body: utf8Bytes(events) }
    const { post, get } = await makeMcpEngine({ paths, response })
    for (const { text } of [await post(list), await get('/m/', { 'last-event-id': '0' })]) {
      expect(text).toMatch(/^id: 1\ndata: \{.*\}\n\n$/)
      expect(text).not.toContain('danger')
    }
  })

  it('in event streams may be 8 MiB long, or what the gateway configures', async () => {
    const lines: { message: string; fields: unknown }[] = []
    const keep = (message: string, fields?: unknown) => void lines.push({ message, fields })
    const log: Log = { debug() {}, info() {}, warn: keep, error: keep }
    const run = async (mebibytes: number, settings: Partial<GatewaySettings> = {}) => {
      const body = utf8Bytes(`data: {"result":{"content":"${'x'.repeat(mebibytes * 1024 * 1024)}"}}\n`)
      const response = { headers: ['content-type', 'text/event-stream'], body }
      return (await makeMcpEngine({ paths, response, settings, engine: { log } })).post(list)
    }
    expect((await run(7)).text).toHaveLength(7 * 1024 * 1024 + 32)
    expect((await run(9, { maxReadResponseBytes: 10 * 1024 * 1024 })).status).toBe(200)
    expect(lines).toEqual([])
    await expect(run(9)).rejects.toThrow('longer than 8388608 bytes')
    expect(lines).toMatchObject([
      {
        message: 'an event of an MCP server cannot be filtered, so its stream ends',
        fields: { api: 'm', fix: 'raise max_read_response_size' },
      },
    ])
  })

  it('in responses to other methods are not filtered', async () => {
    const sent = JSON.stringify(tools)
    const { post } = await makeMcpEngine({ paths, response: { body: utf8Bytes(sent) } })
    expect((await post(call('a'))).text).toBe(sent)
  })
})

describe('a request without a message', () => {
  it('is forwarded, but cannot upgrade the protocol because a tunnel is not filtered', async () => {
    const engine = await makeMcpEngine({ paths: { black_list: [rule('/mcp-tool:danger')] } })
    const request = { ...requestOf('GET', '/m/x?a=1', { upgrade: 'websocket' }), upgrade: 'websocket' }
    await engine.engine.handle(request)
    expect(engine.upstreamRequests).toMatchObject([{ method: 'GET', path: '/x?a=1', upgrade: undefined }])
  })
})

describe('the metadata of a proxy', () => {
  it('are those of the upstream with the URL of the gateway', async () => {
    const body = utf8Bytes(
      '{"resource":"http://up.test/mcp","authorization_servers":["http://as.test"],"scopes_supported":["a"]}',
    )
    const { get, upstreamRequests } = await makeMcpEngine({
      response: { body },
      definition: { use_keyless: false, use_standard_auth: true },
    })
    const url = 'http://gateway.test/m/'
    const expected = { resource: url, authorization_servers: [url], scopes_supported: ['a'] }
    expect(JSON.parse((await get('/m/.well-known/oauth-protected-resource')).text)).toEqual(expected)
    expect(JSON.parse((await get('/.well-known/oauth-protected-resource/m')).text)).toEqual(expected)
    expect(upstreamRequests.map(({ path }) => path)).toEqual(Array(2).fill('/.well-known/oauth-protected-resource'))
  })

  it('are forwarded like any other path if the upstream has none, and rejected at the root', async () => {
    const { get, upstreamRequests } = await makeMcpEngine({ response: { status: 404 } })
    expect((await get('/m/.well-known/oauth-protected-resource')).status).toBe(404)
    expect(upstreamRequests).toHaveLength(2)
    const { status, text } = await get('/.well-known/oauth-protected-resource/m')
    expect([status, text]).toEqual([502, '{\n    "error": "upstream PRM unavailable"\n}'])
  })
})
