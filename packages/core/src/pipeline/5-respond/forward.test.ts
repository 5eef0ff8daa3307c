import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine } from '../../../test/support/test-engine.ts'
import { headerOf, headersOf } from '../../http/headers.ts'
import { defaultSettings } from '../../ports/settings.ts'

const proxied = (proxy: object, more: object = {}) =>
  definitionOf('a', {
    proxy: { listen_path: '/a/', target_url: 'http://up.test', strip_listen_path: true, ...proxy },
    ...more,
  })

async function sendRequest(definition: object, method: string, path: string, headers: Record<string, string> = {}) {
  const test = await makeTestEngine({ definitions: [definition] })
  const response = await test.send(method, path, headers)
  return { response, sent: test.upstreamRequests[0], test }
}

const versionWithHeader = {
  not_versioned: true,
  versions: {
    Default: { name: 'Default', global_headers: { 'x-tenant': 'acme', 'x-forwarded-for': '10.0.0.1' } },
  },
}

describe('the request to the upstream', () => {
  it.each([
    [{ target_url: 'http://up.test/base/path/' }, '/a/x', '/base/path/x'],
    [{ target_url: 'http://up.test/?k=v' }, '/a/x?b=2', '/x?k=v&b=2'],
    [{ target_url: 'http://up.test/base/' }, '/a/', '/base'],
    [{ target_url: 'http://up.test/base/', disable_strip_slash: true }, '/a/', '/base/'],
    [{ target_url: 'http://up.test' }, '/a/', '/'],
    [{ listen_path: '/a' }, '/a-b/x', '/-b/x'],
    [{ strip_listen_path: false }, '/a/x', '/a/x'],
    [{}, '/a/a%2Fb%20c?q=%20x+y', '/a%2Fb%20c?q=%20x+y'],
  ])('%j %s', async (proxy, path, upstreamRequests) => {
    expect((await sendRequest(proxied(proxy), 'GET', path)).sent?.path).toBe(upstreamRequests)
  })

  it('uses the targets of a list in turn, starting with the first', async () => {
    const list = ['http://one.test', 'http://two.test', 'http://two.test']
    const test = await makeTestEngine({
      definitions: [proxied({ enable_load_balancing: true, target_list: list })],
    })
    for (let i = 0; i < 4; i++) await test.send('GET', '/a/x')
    expect(test.upstreamRequests.map((one) => headerOf(one.headers, 'host'))).toEqual([
      'one.test',
      'two.test',
      'two.test',
      'one.test',
    ])
  })

  it('uses HTTP for a target without a scheme', async () => {
    const { sent } = await sendRequest(
      proxied({ enable_load_balancing: true, target_list: [' one.test:81/base'] }),
      'GET',
      '/a/x',
    )
    expect(sent?.path).toBe('/base/x')
    expect(headerOf(sent?.headers ?? [], 'host')).toBe('one.test:81')
  })

  it('has no hop-by-hop headers and none that Connection lists', async () => {
    const { sent } = await sendRequest(proxied({}), 'GET', '/a/x', {
      connection: 'close, X-Private',
      'x-private': '1',
      'keep-alive': 'timeout=5',
      te: 'gzip',
      'proxy-authorization': 'Basic x',
      'transfer-encoding': 'chunked',
      upgrade: 'h2c',
      'x-kept': '2',
    })
    const names = sent?.headers.filter((_, i) => i % 2 === 0)
    expect(names).toEqual(['x-kept', 'host', 'x-forwarded-for', 'user-agent', 'accept-encoding'])
  })

  it('has every header that a rule sets, even if the client lists it in Connection', async () => {
    const { sent } = await sendRequest({ ...proxied({}), version_data: versionWithHeader }, 'GET', '/a/x', {
      connection: 'close, X-Tenant, X-Private, Host, X-Forwarded-For',
      'x-private': '1',
      'x-tenant': 'forged',
    })
    expect(headerOf(sent?.headers ?? [], 'x-tenant')).toBe('acme')
    expect(headerOf(sent?.headers ?? [], 'x-private')).toBeUndefined()
    expect(headerOf(sent?.headers ?? [], 'x-forwarded-for')).toContain('10.0.0.1')
  })

  it.each([
    ['by itself', {}],
    ['beside a rule for headers', { version_data: versionWithHeader }],
  ])('keeps its Content-Type, which Connection must not list, %s', async (_, changes) => {
    const headers = { connection: 'Content-Type', 'content-type': 'text/plain' }
    const { sent } = await sendRequest({ ...proxied({}), ...changes }, 'GET', '/a/x', headers)
    expect(headerOf(sent?.headers ?? [], 'content-type')).toBe('text/plain')
  })

  it.each([
    ['authorisation=id; theme=dark; portal_session=x', 'theme=dark'],
    ['theme=dark;authorisation=id', 'theme=dark'],
    ['authorisation=id', undefined],
    ['not_authorisation=1; a=authorisation', 'not_authorisation=1; a=authorisation'],
  ])('carries no cookie of the gateway itself: %s', async (cookie, passed) => {
    const ownCookies = ['authorisation', 'portal_session']
    const test = await makeTestEngine({
      definitions: [proxied({})],
      settings: { upstream: { ...defaultSettings.upstream, ownCookies } },
    })
    await test.send('GET', '/a/x', { cookie })
    expect(headerOf(test.upstreamRequests[0]?.headers ?? [], 'cookie')).toBe(passed)
  })

  it('keeps TE only with the single value trailers', async () => {
    const { sent } = await sendRequest(proxied({}), 'GET', '/a/x', { te: 'trailers' })
    expect(headerOf(sent?.headers ?? [], 'te')).toBe('trailers')
  })

  it('appends to X-Forwarded-For and keeps the Host of the client if configured', async () => {
    const { sent } = await sendRequest(proxied({ preserve_host_header: true }), 'GET', '/a/x', {
      'x-forwarded-for': '10.9.8.7',
      host: 'api.test',
    })
    expect(headersOf(sent?.headers ?? [], 'x-forwarded-for')).toEqual(['10.9.8.7, 192.0.2.1'])
    expect(headerOf(sent?.headers ?? [], 'host')).toBe('api.test')
  })

  it('requests gzip by itself only if it may decompress the response', async () => {
    expect((await sendRequest(proxied({}), 'GET', '/a/x')).sent?.unpack).toBe(true)
    expect((await sendRequest(proxied({}), 'GET', '/a/x', { 'accept-encoding': 'br' })).sent?.unpack).toBe(false)
    expect((await sendRequest(proxied({}), 'GET', '/a/x', { range: 'bytes=0-1' })).sent?.unpack).toBe(false)
    expect((await sendRequest(proxied({}), 'HEAD', '/a/x')).sent?.unpack).toBe(false)
  })
})

describe('the response to the client', () => {
  it('has status, headers and body of the upstream without hop-by-hop headers', async () => {
    const test = await makeTestEngine({
      definitions: [proxied({})],
      upstream: async () => ({
        kind: 'response',
        status: 418,
        headers: ['x-tea', 'pot', 'connection', 'x-hop', 'x-hop', '1', 'set-cookie', 'a=1', 'set-cookie', 'b=2'],
        body: new Uint8Array([1]),
        bodyLength: 1,
      }),
    })
    const response = await test.send('GET', '/a/x')
    expect(response.status).toBe(418)
    expect(headerOf(response.headers, 'x-tea')).toBe('pot')
    expect(headerOf(response.headers, 'x-hop')).toBeUndefined()
    expect(headerOf(response.headers, 'connection')).toBeUndefined()
    expect(headersOf(response.headers, 'set-cookie')).toEqual(['a=1', 'b=2'])
    expect(response.body).toEqual(new Uint8Array([1]))
  })

  it.each([
    ['refused', 500, 'There was a problem proxying the request'],
    ['broken', 500, 'There was a problem proxying the request'],
    ['unknown-host', 500, 'Upstream host lookup failed'],
    ['timeout', 504, 'Upstream service reached hard timeout.'],
    ['cancelled', 499, 'Client closed request'],
  ] as const)('reports the upstream error %s as %i', async (reason, status, text) => {
    const test = await makeTestEngine({
      definitions: [proxied({})],
      upstream: async () => ({ kind: 'error', reason, cause: 'x' }),
    })
    const response = await test.send('GET', '/a/x')
    expect(response.status).toBe(status)
    expect(response.body).toContain(text)
  })
})
