/**
 * The time promise (docs/security.md#bounded-time): no request and no response blocks the event loop for more than 50 ms.
 * Each case drives one operation on outside input at its limits through a gateway, and measures the longest turn of the event
 * loop in CPU time, because a busy machine makes wall time longer. The fastest of some runs counts: others compile code or
 * collect garbage. A new operation on outside input gets a case here.
 */
import { systemClock } from '@turnpike/adapters/clock-system'
import { makeFakeUpstream, type Scripted } from '@turnpike/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGateway } from '../src/gateway/create-gateway.ts'
import { defineApi } from '../src/gateway/define-api.ts'
import type { DefinitionDocument } from '../src/gateway/document-types.ts'
import type { Gateway, InjectRequest } from '../src/gateway/gateway.ts'

const maxTurnMs = 50
/** On a machine with more work than cores, the same work takes up to twice the CPU time, because caches are shared. */
const busyTurnMs = 2 * maxTurnMs
const runs = 5
const mib = 2 ** 20

/** CPU milliseconds of the longest turn of the event loop until the call has settled. */
async function longestTurnOf(act: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let isOver = false
  let last = process.cpuUsage()
  const measure = () => {
    const { user, system } = process.cpuUsage(last)
    longest = Math.max(longest, (user + system) / 1000)
    last = process.cpuUsage()
    if (!isOver) setImmediate(measure)
  }
  setImmediate(measure)
  await act()
  await new Promise((resolve) => setImmediate(resolve))
  isOver = true
  measure()
  return longest
}

/** The longest turn of the fastest run. Ends as soon as one run keeps the promise. */
async function fastest(act: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < runs && best >= maxTurnMs; i++) best = Math.min(best, await longestTurnOf(act))
  return best
}

const repeat = (text: string, bytes: number) => text.repeat(Math.ceil(bytes / text.length)).slice(0, bytes)
const members = (count: number, nameOf: (i: number) => string) =>
  `{${Array.from({ length: count }, (_, i) => `${JSON.stringify(nameOf(i))}:${i}`).join(',')}}`
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const json = (body: string, path: string): InjectRequest => ({
  ...{ method: 'POST', url: path, headers: { 'content-type': 'application/json' }, body },
})
const xmlOf = (body: string): InjectRequest => ({
  ...{ method: 'POST', url: '/xml/', headers: { 'content-type': 'application/xml' }, body },
})
const get = (url: string, headers: Record<string, string> = {}): InjectRequest => ({ method: 'GET', url, headers })
const version = (paths: object) => ({
  version_data: {
    not_versioned: true,
    versions: { Default: { name: 'Default', use_extended_paths: true, extended_paths: paths } },
  },
})
const target = 'http://upstream.test/'

// Each alternative refers to the schema itself, and fails only at the end.
const selfReferring = {
  type: 'object',
  properties: { a: { anyOf: [{ $ref: '#' }, { $ref: '#' }, { type: 'string' }] } },
  oneOf: [{ required: ['a'] }, { required: ['b'] }],
}

const template = (input: 'json' | 'xml') => ({
  path: '/',
  method: 'POST',
  template_data: {
    input_type: input,
    template_mode: 'blob',
    enable_session: false,
    template_source: btoa('{{ range $k, $v := . }}{{ $k }}{{ end }}'),
  },
})

const apis: readonly DefinitionDocument[] = [
  defineApi({ id: 'open', target, open: true }),
  defineApi({ id: 'keyed', target }),
  defineApi({
    id: 'jwt',
    target,
    more: {
      use_standard_auth: false,
      enable_jwt: true,
      jwt_signing_method: 'hmac',
      jwt_source: btoa('secret'),
      jwt_identity_base_field: 'sub',
    },
  }),
  defineApi({ id: 'hmac', target, more: { use_standard_auth: false, enable_signature_checking: true } }),
  defineApi({
    id: 'basic',
    target,
    more: {
      use_standard_auth: false,
      use_basic_auth: true,
      basic_auth: {
        extract_from_body: true,
        body_user_regexp: '<User>(.*)</User>',
        body_password_regexp: '<Password>(.*)</Password>',
      },
    },
  }),
  defineApi({
    id: 'cached',
    target,
    open: true,
    more: { cache_options: { enable_cache: true, cache_timeout: 60, cache_all_safe_requests: true } },
  }),
  defineApi({
    id: 'rfc9111',
    target,
    open: true,
    more: { cache_mode: 'rfc9111', cache_options: { enable_cache: true } },
  }),
  defineApi({
    id: 'rules',
    target,
    open: true,
    more: version({
      url_rewrites: [{ path: '/(a*)*b', method: 'GET', match_pattern: '/(a*)*(b|c)*x', rewrite_to: '/$1' }],
      black_list: [{ path: '/(x+x+)+y', method: '' }],
    }),
  }),
  defineApi({
    id: 'validated',
    target,
    open: true,
    more: version({ validate_json: [{ path: '/', method: 'POST', schema: selfReferring, error_response_code: 422 }] }),
  }),
  defineApi({
    id: 'json',
    target,
    open: true,
    more: {
      response_processors: [{ name: 'response_body_transform' }],
      ...version({ transform: [template('json')], transform_response: [template('json')] }),
    },
  }),
  defineApi({
    id: 'xml',
    target,
    open: true,
    more: {
      response_processors: [{ name: 'response_body_transform' }],
      ...version({ transform: [template('xml')], transform_response: [template('xml')] }),
    },
  }),
  defineApi({
    id: 'graphql',
    target,
    open: true,
    more: {
      graphql: {
        enabled: true,
        execution_mode: 'proxyOnly',
        version: '2',
        schema: 'type Query { a: Query b: String }',
        playground: { enabled: false },
      },
    },
  }),
]

/** Operations on requests, with the largest input that their limits allow, and some that a limit rejects. */
const requests: readonly (readonly [string, InjectRequest])[] = [
  ['a path of dot segments', get(`/open/${repeat('a/../', 60_000)}`)],
  ['a path of path parameters', get(`/open/${repeat('..;x/', 60_000)}`)],
  ['a path of escapes', get(`/open/${repeat('%2f%2e', 60_000)}`)],
  ['a path against rules with nested repetitions', get(`/rules/${'a'.repeat(60_000)}`)],
  ['a query of 60,000 bytes', get(`/rules/b?${repeat('a=%20&', 60_000)}`)],
  ['a header of spaces', get('/keyed/x', { authorization: `Bearer ${' '.repeat(60_000)}x` })],
  ['a key of 60,000 bytes', get('/keyed/x', { authorization: 'k'.repeat(60_000) })],
  ['cookies', get('/keyed/x', { cookie: repeat('a=b; ', 60_000) })],
  ['a list of addresses', get('/open/x', { 'x-forwarded-for': repeat('10.0.0.1, ', 60_000) })],
  ['a Forwarded header', get('/open/x', { forwarded: repeat('for="[::1]";', 60_000) })],
  ['a Connection header', get('/open/x', { connection: repeat('x-a, ', 60_000) })],
  [
    'a JSON web token',
    get('/jwt/x', {
      authorization: `${btoa(JSON.stringify({ alg: 'HS256', kid: 'k'.repeat(30_000) }))}.${btoa(nested(5000))}.x`,
    }),
  ],
  ['a signature header', get('/hmac/x', { authorization: `Signature ${repeat('keyId="a",', 60_000)}` })],
  ['entity tags', get('/cached/x', { 'if-none-match': repeat('"a", ', 60_000) })],
  ['entity tags, RFC 9111', get('/rfc9111/x', { 'if-none-match': repeat('W/"a", ', 60_000) })],
  ['cache directives', get('/rfc9111/x', { 'cache-control': repeat('max-age=1, ', 60_000) })],
  ['ranges', get('/rfc9111/x', { range: `bytes=${repeat('0-1,', 60_000)}` })],
  ['accepted codings', get('/cached/x', { 'accept-encoding': repeat('gzip;q=0.1, ', 60_000) })],
  [
    'patterns of credentials in a body of 1 MiB',
    { method: 'POST', url: '/basic/x', headers: {}, body: repeat('<User>', mib - 1) },
  ],
  ['validation: 100,000 values', json(`[${repeat('1,', 199_990)}1]`, '/validated/')],
  ['validation: 1,000 levels', json(`${'{"a":'.repeat(999)}1${'}'.repeat(999)}`, '/validated/')],
  [
    'validation: long member names',
    json(
      members(40, (i) => '\u01c4\u0345'.repeat(6000) + i),
      '/validated/',
    ),
  ],
  [
    'a JSON template',
    json(
      members(20_000, (i) => `m${i}`),
      '/json/',
    ),
  ],
  [
    'a JSON template: too many members',
    json(
      members(50_000, (i) => `m${i}`),
      '/json/',
    ),
  ],
  [
    'a JSON template: a text of 1 MiB',
    json(`${JSON.stringify({ a: repeat('\\"', mib - 1000) }).slice(0, mib - 2001)}"}`, '/json/'),
  ],
  [
    'an XML template',
    {
      method: 'POST',
      url: '/xml/',
      headers: { 'content-type': 'application/xml' },
      body: `<a>${'<b c="d"/>'.repeat(14_900)}</a>`,
    },
  ],
  ['an XML template: references', xmlOf(`<a>${repeat('&#1;', mib - 100)}</a>`)],
  [
    'XML of spaces',
    {
      method: 'POST',
      url: '/xml/',
      headers: { 'content-type': 'application/xml' },
      body: `<a ${' '.repeat(mib - 100)}>`,
    },
  ],
  [
    'a GraphQL query of 1,000 levels',
    json(JSON.stringify({ query: `${'{a'.repeat(999)}{b}${'}'.repeat(999)}` }), '/graphql/'),
  ],
  [
    'a GraphQL query of aliases',
    json(JSON.stringify({ query: `{${Array.from({ length: 5000 }, (_, i) => `x${i}: b`).join(' ')}}` }), '/graphql/'),
  ],
  [
    'a GraphQL query of spreads',
    json(JSON.stringify({ query: `{${'...f '.repeat(5000)}} fragment f on Query {b}` }), '/graphql/'),
  ],
]

const whole = (body: string, ...headers: string[]): Scripted => ({ headers, body: [new TextEncoder().encode(body)] })

/** Operations on responses of an upstream. */
const responses: readonly (readonly [string, InjectRequest, Scripted])[] = [
  ['Vary', get('/cached/v'), whole('a', 'vary', repeat('a, ', 60_000))],
  ['cache directives', get('/rfc9111/c'), whole('a', 'cache-control', repeat('max-age=1, ', 60_000))],
  ['targeted cache directives', get('/rfc9111/t'), whole('a', 'cdn-cache-control', repeat('max-age=1;a=b, ', 60_000))],
  ['a Connection header', get('/open/x'), whole('a', 'connection', repeat('x-a, ', 60_000))],
  ['a redirect', get('/open/x'), whole('a', 'location', `http://upstream.test/${repeat('../', 60_000)}`)],
  [
    'a JSON template',
    json('{}', '/json/'),
    whole(
      members(20_000, (i) => `m${i}`),
      'content-type',
      'application/json',
    ),
  ],
  [
    'an XML template',
    { method: 'POST', url: '/xml/', headers: {}, body: '<a/>' },
    whole(`<a>${'<b c="d"/>'.repeat(14_900)}</a>`, 'content-type', 'application/xml'),
  ],
]

describe('no turn of the event loop takes more than 50 ms of CPU', () => {
  const upstream = makeFakeUpstream(systemClock)
  let gateway: Gateway
  beforeAll(async () => {
    const config = {
      secret: 'management',
      enable_analytics: true,
      analytics_config: { enable_detailed_recording: true },
    }
    gateway = await createGateway({ config, definitions: apis, upstream, log: 'silent' })
    expect(gateway.apis()).toHaveLength(apis.length)
  })
  afterAll(() => gateway.close(0))

  it.each(requests)('request: %s', async (_, request) => {
    upstream.play(() => ({}))
    expect(await fastest(() => gateway.inject(request))).toBeLessThan(busyTurnMs)
  })

  it.each(responses)('response: %s', async (_, request, response) => {
    upstream.play(() => response)
    expect(await fastest(() => gateway.inject(request))).toBeLessThan(busyTurnMs)
  })
})

it('the measurement finds a turn that takes longer, and none in the same work in slices', async () => {
  const work = (ms: number) => {
    const start = process.cpuUsage()
    for (let spent = 0; spent < ms * 1000; ) {
      const { user, system } = process.cpuUsage(start)
      spent = user + system
    }
  }
  expect(await fastest(async () => work(70))).toBeGreaterThan(maxTurnMs)
  const sliced = async () => {
    for (let i = 0; i < 7; i++) {
      work(10)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  expect(await fastest(sliced)).toBeLessThan(maxTurnMs)
})
