import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine } from '../../../test/support/test-engine.ts'
import { collectResponse } from '../../engine/inject.ts'
import { streamOf } from '../../http/byte-stream.ts'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'
import type { UpstreamRequest } from '../../ports/upstream.ts'
import { readGraphqlBody } from '../4-shape-request/graphql-check.ts'

const schema = 'type Query { secret: String port: Port } type Port { name: String }'
const graphql = { enabled: true, execution_mode: 'proxyOnly', version: '2', schema }

async function gateway(definition: object, body: string | ((request: UpstreamRequest) => string) = '{}') {
  const engine = await makeTestEngine({
    definitions: [definitionOf('g', definition)],
    upstream: (request) =>
      Promise.resolve({
        kind: 'response',
        status: 200,
        headers: ['content-type', 'application/json'],
        body: utf8Bytes(typeof body === 'string' ? body : body(request)),
        bodyLength: undefined,
      }),
  })
  const send = async (given: unknown, { path = '/g/', headers = {}, method = 'POST' } = {}) => {
    const bytes = utf8Bytes(typeof given === 'string' ? given : JSON.stringify(given))
    const response = await engine.engine.handle({
      method,
      path: path.split('?')[0] as string,
      query: path.split('?')[1] ?? '',
      headers: Object.entries({ 'content-type': 'application/json', ...headers }).flat(),
      remoteAddress: '127.0.0.1',
      secure: false,
      body: bytes.length === 0 ? undefined : streamOf(bytes),
      bodyLength: bytes.length,
      onAbort() {},
    })
    const { status, text } = await collectResponse(response)
    return { status, text: text() }
  }
  return { send, requests: engine.upstreamRequests, logged: engine.logged, putKey: engine.putKey }
}

const bodyOf = (request: UpstreamRequest | undefined) => utf8Text(request?.body as Uint8Array)

describe('the engine form', () => {
  it('sends its own request only to the target and truncates the response', async () => {
    const target = { listen_path: '/g/', target_url: 'http://up/api/?v=1', strip_listen_path: true }
    const { send, requests } = await gateway({ graphql, proxy: target }, '{"data":{"secret":"tide","more":1}}')
    const response = await send(
      { query: 'query A { s: secret ...F } fragment F on Query { secret }' },
      { path: '/g/deep?x=1' },
    )
    expect(response).toEqual({ status: 200, text: '{"data":{"s":null,"secret":"tide"}}' })
    expect(requests[0]?.path).toBe('/api/?v=1')
    expect(bodyOf(requests[0])).toBe('{"query":"{s: secret secret}"}')
  })

  it.each([
    ['values', `{"data":{"secret":[${'1,'.repeat(100_000)}1]}}`],
    ['bytes', `{"data":{"secret":"${'x'.repeat(1024 * 1024)}"}}`],
  ])('rejects a response with too many %s', async (_, body) => {
    const { send, logged } = await gateway({ graphql }, body)
    const { status, text } = await send({ query: '{ secret }' })
    expect([status, text]).toEqual([500, expect.stringContaining('Response body too large')])
    expect(logged.some(({ message }) => message === 'a GraphQL response cannot be read')).toBe(true)
  })

  it('caches by the query of the client, also for GET', async () => {
    const cache_options = { enable_cache: true, cache_timeout: 60, cache_all_safe_requests: true }
    const { send, requests } = await gateway({ graphql, cache_options }, '{"data":{"secret":"s","port":{"name":"p"}}}')
    const first = await send({ query: '{ secret }' }, { method: 'GET' })
    const other = await send({ query: '{ port { name } }' }, { method: 'GET' })
    expect([first.text, other.text]).toEqual(['{"data":{"secret":"s"}}', '{"data":{"port":{"name":"p"}}}'])
    expect((await send({ query: '{ secret }' }, { method: 'GET' })).text).toBe(first.text)
    expect(requests).toHaveLength(2)
  })

  it('rejects an operation name that no operation has', async () => {
    const { send, requests } = await gateway({ graphql })
    const response = await send({ query: 'query A { secret }', operationName: 'Z' })
    expect(response.status).toBe(400)
    expect(JSON.parse(response.text)).toEqual({ errors: [{ message: 'operation with name Z not found' }] })
    expect(requests).toHaveLength(0)
  })

  it('leaves the body to a body transform', async () => {
    const transform = [
      {
        path: '/',
        method: 'POST',
        template_data: { input_type: 'json', template_mode: 'blob', template_source: btoa('{"query":"{port{name}}"}') },
      },
    ]
    const version_data = {
      not_versioned: true,
      versions: { v: { name: 'v', use_extended_paths: true, extended_paths: { transform } } },
    }
    const { send, requests } = await gateway({ graphql, version_data }, '{"data":{"secret":"s"}}')
    expect((await send({ query: '{ secret }' })).text).toBe('{"data":{"secret":"s"}}')
    expect(bodyOf(requests[0])).toBe('{"query":"{port{name}}"}')
  })
})

describe('the simple form', () => {
  const simple = { graphql: { ...graphql, version: '1' } }

  it('passes a valid request byte for byte', async () => {
    const { send, requests } = await gateway(simple)
    const body = '{ "query" : "{ secret }", "x": 1 }'
    expect((await send(body, { path: '/g/deep?y=1' })).status).toBe(200)
    expect(requests[0]?.path).toBe('/deep?y=1')
    expect(bodyOf(requests[0])).toBe(body)
  })

  it('passes JSON with the content type of a form, as command-line clients send it', async () => {
    const { send, requests } = await gateway(simple)
    const body = '{"query":"{ secret }"}'
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await send(body, { headers })).status).toBe(200)
    expect(bodyOf(requests[0])).toBe(body)
  })

  it.each([
    ['a second query member', '{"query":"{ secret }","query":"{ other }"}', {}],
    ['a query in the URL', '{"query":"{ secret }"}', { path: '/g/?query=%7Bother%7D' }],
    [
      'a form',
      '{"query":"{ secret }&query={other}"}',
      { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
  ])('rejects %s, because the upstream could read another query', async (_, body, options) => {
    const { send, requests } = await gateway(simple)
    expect((await send(body, options)).status).toBe(400)
    expect(requests).toHaveLength(0)
  })
})

describe('several operations without operationName', () => {
  const query = 'query A { secret } query B { port { name } }'

  it('are rejected with version "2"', async () => {
    const { send, requests } = await gateway({ graphql })
    const response = await send({ query })
    const message = 'operationName is missing: the query has several operations'
    expect([response.status, JSON.parse(response.text)]).toEqual([400, { errors: [{ message }] }])
    expect(requests).toHaveLength(0)
    expect((await send({ query, operationName: 'B' })).status).toBe(200)
  })

  it.each([undefined, '1'])('pass with version %s', async (version) => {
    const { send, requests } = await gateway({ graphql: { ...graphql, version } })
    expect((await send({ query })).status).toBe(200)
    expect(requests).toHaveLength(1)
  })
})

describe('limits of a key', () => {
  it('count only for a query whose variables are valid', async () => {
    const schema = 'type Query { port(id: ID!): Port } type Port { name: String }'
    const keyed = { use_keyless: false, use_standard_auth: true, auth: { auth_header_name: 'X-Key' } }
    const { send, putKey } = await gateway({ ...keyed, graphql: { ...graphql, schema } })
    await putKey('a-key', { org_id: 'org1', max_query_depth: 1, access_rights: { g: { api_id: 'g' } } })
    const query = 'query($id: ID!) { port(id: $id) { name } }'
    const headers = { 'x-key': 'a-key' }
    const invalid = await send({ query }, { headers })
    expect([invalid.status, invalid.text]).toEqual([400, expect.stringContaining('Required variable')])
    const tooDeep = await send({ query, variables: { id: '1' } }, { headers })
    expect([tooDeep.status, tooDeep.text]).toEqual([403, expect.stringContaining('depth limit exceeded')])
  })
})

describe('settings that cannot be served', () => {
  it.each([
    [{ execution_mode: 'supergraph' }, 'There was a problem proxying the request'],
    [{ execution_mode: 'executionEngine', engine: { data_sources: [{}] } }, 'there was a problem proxying the request'],
    [{ execution_mode: '' }, 'there was a problem proxying the request'],
    [{ schema: 'type Query {' }, 'there was a problem proxying the request'],
    [{ schema: 'type Query { a: Nope }' }, 'there was a problem proxying the request'],
    [{ version: '9' }, 'there was a problem proxying the request'],
  ])('reject every request and are logged: %j', async (change, message) => {
    const { send, requests, logged } = await gateway({ graphql: { ...graphql, ...change } })
    const response = await send({ query: '{ secret }' })
    expect([response.status, JSON.parse(response.text)]).toEqual([500, { error: message }])
    expect(requests).toHaveLength(0)
    expect(logged.some(({ message }) => message.includes('GraphQL settings cannot be served'))).toBe(true)
  })
})

describe('the playground', () => {
  it('shows the name of the API and the endpoint as text', async () => {
    const playground = { enabled: true, path: 'board/' }
    const { send } = await gateway({ name: '<b>', graphql: { ...graphql, playground } })
    const page = await send('', { method: 'GET', path: '/g/board' })
    expect(page.status).toBe(200)
    expect(page.text).toContain('&lt;b&gt;')
    expect(page.text).toContain('data-endpoint="/g/"')
    expect((await send('', { method: 'GET', path: '/g/board/playground.js' })).text).toContain('fetch(')
  })
})

describe('the body of a request', () => {
  const read = (value: unknown) => readGraphqlBody(utf8Bytes(JSON.stringify(value)), [])

  it('may lack every member', () => {
    expect(read({})).toEqual({ query: '', operationName: '', variables: undefined })
    expect(read({ query: null, variables: null, operationName: null })).toMatchObject({ query: '' })
  })

  it.each([[[{ query: '{ a }' }]], [{ query: 1 }], [{ variables: [] }], [{ operationName: {} }], ['text'], [null]])(
    'is malformed: %j',
    (value) => expect(read(value)).toBeTypeOf('string'),
  )

  it.each([
    ['{"query":"{ a }","variables":{"x":1,"x":2}}', []],
    ['{"query":"{ a }","Query":"{ b }"}', []],
    ['{"query":"{ a }","operation\u004eame":"x","OPERATIONNAME":"y"}', []],
    ['{"query":"{ a }"}', ['content-type', 'application/json; charset=utf-16']],
    ['{"query":"{ a }"}', ['content-encoding', 'gzip']],
  ])('is malformed where parsers read it in two ways: %s %j', (text, headers) => {
    expect(readGraphqlBody(utf8Bytes(text), headers)).toBeTypeOf('string')
  })
})
