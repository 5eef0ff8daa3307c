/** Rewrites that stay inside the gateway, in a whole engine. */
import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine, requestOf, type TestEngineOptions } from '../../../test/support/test-engine.ts'
import { headerOf, headersOf } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import type { RequestRecord } from '../contract/record-sink.ts'

type Paths = Record<string, object[]>

const api = (id: string, paths: Paths, more: object = {}) =>
  definitionOf(id, {
    version_data: {
      not_versioned: true,
      versions: { Default: { name: 'Default', use_extended_paths: true, extended_paths: paths } },
    },
    proxy: { listen_path: `/${id}/`, target_url: `http://${id}.test/base`, strip_listen_path: true },
    ...more,
  })

const to = (path: string, target: string, method = 'GET') => ({
  path,
  method,
  match_pattern: '.*',
  rewrite_to: target,
})

async function setup(definitions: object[], options: TestEngineOptions = {}) {
  const records: RequestRecord[] = []
  const engine = { records: [{ record: (entry: RequestRecord) => void records.push(entry) }], ...options.engine }
  const test = await makeTestEngine({ definitions, ...options, engine })
  const sendRequest = async (path: string, headers?: Record<string, string>) => test.send('GET', path, headers)
  return { ...test, records, sendRequest }
}

const errorOf = (response: GatewayResponse) => [
  response.status,
  (JSON.parse(String(response.body)) as { error: string }).error,
]

describe('a loop', () => {
  it('runs the chain of the API with that id or name, in any spelling', async () => {
    const names = ['svc://in-ner/x', 'svc://IN%20NER/x', 'svc://the_inner_one/x', 'SVC://in-ner/x?']
    const outer = api('outer', { url_rewrites: names.map((target, i) => to(`/${i}$`, target)) })
    const inner = api('in-ner', {}, { name: 'The Inner One', internal: true })
    const { sendRequest, upstreamRequests } = await setup([outer, inner])
    for (let i = 0; i < names.length; i++) expect((await sendRequest(`/outer/${i}`)).status).toBe(200)
    expect(upstreamRequests.map(({ path, headers }) => `${headerOf(headers, 'host')}${path}`)).toEqual(
      Array(4).fill('in-ner.test/base/x'),
    )
  })

  it('can be the target URL of an API', async () => {
    const target = (target_url: string) => ({ proxy: { listen_path: '/out/', target_url, strip_listen_path: true } })
    const inner = api('inner', {}, { internal: true })
    const { sendRequest, upstreamRequests } = await setup([api('outer', {}, target('svc://inner/first?a=1')), inner])
    expect((await sendRequest('/out/x?b=2')).status).toBe(200)
    expect(upstreamRequests.map(({ path }) => path)).toEqual(['/base/first/x?a=1&b=2'])
    const lost = await setup([api('outer', {}, target('svc://gone/first'))])
    expect(errorOf(await lost.sendRequest('/out/x'))).toEqual([500, "Can't detect loop target"])
    const round = await setup([api('outer', {}, target('svc://self'))])
    expect(errorOf(await round.sendRequest('/out/x'))[0]).toBe(500)
  })

  it('can reach internal paths and applies the rules of the path', async () => {
    const paths = {
      internal: [{ path: '/inside', method: 'GET' }],
      url_rewrites: [to('/outside', 'svc://self/inside?a=1&method=POST&loop_limit=3')],
      method_transforms: [{ path: '/inside', method: 'POST', to_method: 'PUT' }],
    }
    const { sendRequest, upstreamRequests } = await setup([api('a', paths)])
    expect((await sendRequest('/a/inside')).status).toBe(403)
    expect((await sendRequest('/a/outside?lost=1')).status).toBe(200)
    expect(upstreamRequests).toMatchObject([{ method: 'PUT', path: '/base/inside?a=1' }])
  })

  it('forwards the request as changed by the outer chain', async () => {
    const paths = {
      url_rewrites: [to('/x', 'svc://b/y')],
      transform_headers: [{ path: '/x', method: 'GET', add_headers: { 'X-Outer': '1' }, delete_headers: ['X-Gone'] }],
    }
    const { sendRequest, upstreamRequests } = await setup([api('a', paths), api('b', {})])
    await sendRequest('/a/x', { 'x-gone': '1', 'x-kept': '2' })
    const { headers = [] } = upstreamRequests[0] ?? {}
    expect([headerOf(headers, 'x-outer'), headerOf(headers, 'x-kept'), headerOf(headers, 'x-gone')]).toEqual([
      '1',
      '2',
      undefined,
    ])
    expect(headersOf(headers, 'x-forwarded-for')).toEqual(['192.0.2.1'])
  })

  it('forwards a body, already read or not', async () => {
    const read = { path: '/read', method: 'POST', schema: { type: 'object' } }
    const paths = {
      url_rewrites: [to('/read', 'svc://b/y', 'POST'), to('/plain', 'svc://b/y', 'POST')],
      validate_json: [read],
    }
    const seen: unknown[] = []
    const { engine } = await setup([api('a', paths), api('b', {})], {
      upstream: async ({ body, bodyLength }) => {
        seen.push([body instanceof Uint8Array ? 'whole' : typeof body, bodyLength])
        return { kind: 'response', status: 200, headers: [], body: undefined, bodyLength: 0 }
      },
    })
    const bytes = new TextEncoder().encode('{"a":1}')
    const { streamOf } = await import('../../http/byte-stream.ts')
    for (const path of ['/a/read', '/a/plain']) {
      const request = { ...requestOf('POST', path), body: streamOf(bytes), bodyLength: bytes.length }
      expect((await engine.handle(request)).status).toBe(200)
    }
    expect(seen).toEqual([
      ['whole', bytes.length],
      ['object', bytes.length],
    ])
  })

  it('is rejected after five levels, or the limit in the target', async () => {
    const definition = api('a', {
      url_rewrites: [
        to('/five', 'svc://self/five'),
        to('/two', 'svc://self/two?loop_limit=2'),
        to('/ok', 'svc://self/ok2'),
      ],
    })
    const { sendRequest, upstreamRequests } = await setup([definition])
    expect(errorOf(await sendRequest('/a/five'))).toEqual([
      500,
      'Loop level too deep. Found more than 5 loops in single request',
    ])
    expect(errorOf(await sendRequest('/a/two'))).toEqual([
      500,
      'Loop level too deep. Found more than 2 loops in single request',
    ])
    expect(upstreamRequests).toEqual([])
  })

  it('is rejected after a hundred levels with any limit', async () => {
    const definition = api('a', { url_rewrites: [to('/x', 'svc://self/x?loop_limit=1000000')] })
    const { sendRequest } = await setup([definition])
    expect(errorOf(await sendRequest('/a/x'))[1]).toBe(
      'Loop level too deep. Found more than 100 loops in single request',
    )
  })

  it('to an API that is not served is rejected', async () => {
    const { sendRequest } = await setup([api('a', { url_rewrites: [to('/x', 'svc://nobody/x')] })])
    expect(errorOf(await sendRequest('/a/x'))).toEqual([500, "Can't detect loop target"])
  })
})

describe('a looped request', () => {
  const keyed = {
    use_keyless: false,
    auth: { auth_header_name: 'Authorization' },
  }
  const session = (rights: string[], more: object = {}) => ({
    org_id: 'org1',
    access_rights: Object.fromEntries(rights.map((id) => [id, { api_id: id, versions: ['Default'] }])),
    rate: 100,
    per: 60,
    quota_max: 10,
    quota_renewal_rate: 3600,
    ...more,
  })
  const key = 'org1abcdef'

  it('consumes rate and quota once, or once per chain with check_limits', async () => {
    const paths = { url_rewrites: [to('/once', 'svc://b/y'), to('/each', 'svc://b/y?check_limits=true')] }
    const { sendRequest, putKey } = await setup([api('a', paths, keyed), api('b', {}, keyed)])
    await putKey(key, session(['a', 'b']))
    const left = async (path: string) =>
      headerOf((await sendRequest(path, { authorization: key })).headers, 'x-ratelimit-remaining')
    expect(await left('/a/once')).toBe('9')
    expect(await left('/a/once')).toBe('8')
    expect(await left('/a/each')).toBe('6')
  })

  it('consumes the rates of the inner API and of the organisation only with check_limits', async () => {
    const paths = { url_rewrites: [to('/free', 'svc://b/y'), to('/counted', 'svc://b/y?check_limits=true')] }
    const inner = api('b', {}, { global_rate_limit: { rate: 1, per: 60 } })
    const { sendRequest } = await setup([api('a', paths), inner])
    const statuses: number[] = []
    for (const path of ['/a/free', '/a/free', '/a/counted', '/a/counted', '/a/free'])
      statuses.push((await sendRequest(path)).status)
    expect(statuses).toEqual([200, 200, 200, 429, 200])
  })

  it('requires a key with access to the inner API too', async () => {
    const paths = { url_rewrites: [to('/x', 'svc://b/y')] }
    const { sendRequest, putKey, upstreamRequests } = await setup([api('a', paths, keyed), api('b', {}, keyed)])
    await putKey(key, session(['a']))
    expect((await sendRequest('/a/x', { authorization: key })).status).toBe(403)
    expect(upstreamRequests).toEqual([])
  })

  it('reports the quota of the outer key if the inner API has none', async () => {
    const { sendRequest, putKey } = await setup([
      api('a', { url_rewrites: [to('/x', 'svc://b/y')] }, keyed),
      api('b', {}),
    ])
    await putKey(key, session(['a']))
    const { headers } = await sendRequest('/a/x', { authorization: key })
    expect(headersOf(headers, 'x-ratelimit-limit')).toEqual(['10'])
    expect(headersOf(headers, 'x-ratelimit-remaining')).toEqual(['9'])
  })

  it('is recorded once, by the chain that responds', async () => {
    const paths = { url_rewrites: [to('/x', 'svc://b/y'), to('/bad', 'svc://nobody/')] }
    const { sendRequest, records } = await setup([api('a', paths), api('b', {})])
    await sendRequest('/a/x')
    await sendRequest('/a/bad')
    expect(records.map(({ apiId, path, status }) => [apiId, path, status])).toEqual([
      ['b', '/y', 200],
      ['a', '/bad', 500],
    ])
  })

  it('passes the response stages of the inner chain, and gets the headers of the outer one once', async () => {
    const cors = { CORS: { enable: true, allowed_origins: ['http://page.test'], allow_credentials: true } }
    const outer = api('a', { url_rewrites: [to('/x', 'svc://b/y'), to('/self', 'svc://self/z')] }, cors)
    const { sendRequest } = await setup([outer, api('b', {})])
    for (const path of ['/a/x', '/a/self']) {
      const { headers } = await sendRequest(path, { origin: 'http://page.test' })
      expect(headersOf(headers, 'access-control-allow-origin')).toEqual(['http://page.test'])
      expect(headersOf(headers, 'x-ratelimit-limit')).toEqual(['0'])
    }
  })

  it('follows the inner API through a reload', async () => {
    const { sendRequest, engine, files, upstreamRequests } = await setup([
      api('a', { url_rewrites: [to('/x', 'svc://b/y')] }),
      api('b', {}),
    ])
    await sendRequest('/a/x')
    files.definitions.set(
      'b.json',
      JSON.stringify(api('b', {}, { proxy: { listen_path: '/b/', target_url: 'http://new.test' } })),
    )
    await engine.reload()
    await sendRequest('/a/x')
    expect(upstreamRequests.map(({ headers }) => headerOf(headers, 'host'))).toEqual(['b.test', 'new.test'])
  })
})

describe('rules by path', () => {
  const keyed = (more: object) => ({
    org_id: 'org1',
    access_rights: { a: { api_id: 'a', versions: ['Default'], ...more } },
  })
  const definition = definitionOf('a', { use_keyless: false, auth: { auth_header_name: 'Authorization' } })
  const key = 'org1abcdef'

  it.each([
    ['/a/[^a].*', '/a/%61dmin', 403],
    ['/a/[^a].*', '/a/admin', 403],
    ['/a/public', '/a/%70ublic', 200],
    ['/a/public/[^/]+$', '/a/public/x%2Fadmin', 403],
  ])('of a key with access to %s: %s gets %i', async (url, path, status) => {
    const { sendRequest, putKey } = await setup([definition])
    await putKey(key, keyed({ allowed_urls: [{ url: `^${url}`, methods: ['GET'] }] }))
    expect((await sendRequest(path, { authorization: key })).status).toBe(status)
  })

  it('count a path for the rate of an endpoint with any percent-encoding', async () => {
    const { sendRequest, putKey } = await setup([definition])
    const endpoints = [{ path: '/slow', methods: [{ name: 'GET', limit: { rate: 1, per: 60 } }] }]
    await putKey(key, keyed({ endpoints }))
    const statuses: number[] = []
    for (const path of ['/a/slow', '/a/%73low', '/a/s%6cow'])
      statuses.push((await sendRequest(path, { authorization: key })).status)
    expect(statuses).toEqual([200, 429, 429])
  })

  it('count a path for the path rate of the API with any percent-encoding', async () => {
    const { sendRequest } = await setup([
      api('a', { rate_limit: [{ path: '/slow', method: 'GET', rate: 1, per: 60 }] }),
    ])
    const statuses: number[] = []
    for (const path of ['/a/%73low', '/a/slow', '/a/s%6Cow']) statuses.push((await sendRequest(path)).status)
    expect(statuses).toEqual([200, 429, 429])
  })
})
