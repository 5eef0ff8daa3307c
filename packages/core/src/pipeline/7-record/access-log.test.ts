import { describe, expect, it } from 'vitest'
import { fakeScripts, noScriptFiles, scriptsOn } from '../../../test/support/fake-scripts.ts'
import { definitionOf, makeTestEngine, requestOf, type TestEngineOptions } from '../../../test/support/test-engine.ts'
import { plainSettings } from '../../../test/support/test-settings.ts'
import type { UpstreamError, UpstreamResponse } from '../../ports/upstream.ts'
import type { AccessLogLine } from '../contract/access-log-fields.ts'

const keyed = { use_keyless: false, auth: { auth_header_name: 'Authorization' } }
const rights = { org_id: 'org1', access_rights: { a: { api_id: 'a' } } }
const responseOf = (status: number): UpstreamResponse => ({
  kind: 'response',
  status,
  headers: [],
  body: undefined,
  bodyLength: 0,
})

const loopingVersion = {
  not_versioned: true,
  versions: {
    v: {
      name: 'v',
      use_extended_paths: true,
      extended_paths: { url_rewrites: [{ path: '/x', method: 'GET', match_pattern: '/x', rewrite_to: 'svc://b/y' }] },
    },
  },
}

async function gatewayWith(
  definition: object,
  result: UpstreamResponse | UpstreamError = responseOf(200),
  more: Partial<TestEngineOptions> = {},
) {
  const lines: AccessLogLine[] = []
  const test = await makeTestEngine({
    definitions: [definitionOf('a', { ...definition })],
    upstream: async () => result,
    ...more,
    engine: { accessLog: { write: (line) => void lines.push(line) } },
  })
  return { ...test, lines, fields: () => lines.map((line) => line.fields) }
}

describe('the access log', () => {
  it('shows what was sent to the upstream, without the query', async () => {
    const { send, fields } = await gatewayWith({})
    await send('GET', '/a/x?token=1', { host: 'gw.test:80', 'user-agent': 'me' })
    expect(fields()).toEqual([
      {
        api_id: 'a',
        api_key: '--',
        api_name: 'a',
        api_type: 'classic',
        client_ip: expect.any(String),
        host: 'gw.test:80',
        latency_gateway: 0,
        latency_total: 0,
        method: 'GET',
        org_id: 'org1',
        path: expect.stringMatching(/x$/),
        protocol: 'HTTP/1.1',
        remote_addr: expect.any(String),
        status: 200,
        type: 'request',
        upstream_addr: expect.stringMatching(/^http:\/\/.*x$/),
        upstream_latency: 0,
        user_agent: 'me',
      },
    ])
  })

  it.each<[string, object]>([
    [
      'a script changed the request',
      { custom_middleware: { driver: 'otto', pre: [{ name: 'change', path: 'c.js' }] } },
    ],
    ['a rewrite loops to another API', { version_data: loopingVersion }],
  ])('shows the connection of the client if %s', async (_, definition) => {
    const lines: AccessLogLine[] = []
    const change = ([request]: { SetHeaders: object }[]) => ({ Request: { ...request, SetHeaders: { 'X-A': '1' } } })
    const { engine } = await makeTestEngine({
      definitions: [definitionOf('a', definition), definitionOf('b')],
      settings: { scripts: scriptsOn },
      engine: {
        accessLog: { write: (line) => void lines.push(line) },
        scripts: fakeScripts({ change }),
        scriptFiles: noScriptFiles,
      },
    })
    await engine.handle({ ...requestOf('GET', '/a/x'), remotePort: 4711, httpVersion: '2.0' })
    const connection = { remote_addr: '192.0.2.1:4711', protocol: 'HTTP/2.0' }
    expect(lines.map(({ fields }) => fields)).toEqual([expect.objectContaining(connection)])
  })

  it('flags a failure of the upstream with its original status', async () => {
    const overrides = { error_overrides: { 503: [{ response: { status_code: 200, body: 'fine' } }] } }
    const { send, fields } = await gatewayWith(overrides, responseOf(503))
    await send('GET', '/a/x')
    expect(fields()).toMatchObject([
      { status: 200, response_flag: 'URS', error_source: 'Upstream', upstream_status: 503, type: 'request' },
    ])
    expect(fields()[0]).not.toHaveProperty('mw')
  })

  it('shows the address of an unreachable upstream, without its type', async () => {
    const refused: UpstreamError = { kind: 'error', reason: 'refused', cause: undefined }
    const { send, lines } = await gatewayWith({}, refused)
    await send('GET', '/a/x?q=1')
    expect(lines).toMatchObject([
      {
        isUpstreamFailure: true,
        fields: {
          status: 500,
          response_flag: 'UCF',
          response_code_details: 'connection_refused',
          error_source: 'ReverseProxy',
          error_target: expect.stringMatching(/\/x$/),
        },
      },
    ])
    expect(lines[0]?.fields).not.toHaveProperty('type')
  })

  it.each([
    ['broken', 'reset', 500, 'URR', 'connection_reset'],
    ['timeout', 'connect-timeout', 504, 'UCT', 'connection_timeout'],
    ['timeout', undefined, 504, 'URT', 'context_deadline_exceeded'],
    ['refused', 'unreachable', 500, 'NRH', 'host_unreachable'],
    ['broken', 'tls-expired', 500, 'TLE', 'tls_certificate_expired'],
    ['broken', 'tls-invalid', 500, 'TLI', 'tls_certificate_invalid'],
    ['broken', 'tls-name', 500, 'TLM', 'tls_hostname_mismatch'],
    ['broken', 'tls-authority', 500, 'TLN', 'tls_unknown_authority'],
    ['broken', 'tls-handshake', 500, 'TLH', 'tls_handshake_failure'],
    ['broken', undefined, 500, 'UPE', 'upstream_error'],
  ] as const)('flags a failed connection (%s, %s)', async (reason, detail, status, flag, details) => {
    const failed = { kind: 'error', reason, cause: undefined, ...(detail === undefined ? {} : { detail }) } as const
    const { send, fields } = await gatewayWith({}, failed)
    await send('GET', '/a/x')
    expect(fields()).toMatchObject([{ status, response_flag: flag, response_code_details: details }])
  })

  it('names a certificate that has expired', async () => {
    const certificate = { subject: 'CN=localhost,O=Example', expiredAt: Date.UTC(2021, 1, 3, 4, 5, 6) }
    const failed = { kind: 'error', reason: 'broken', detail: 'tls-expired', certificate, cause: undefined } as const
    const { send, fields } = await gatewayWith({}, failed)
    await send('GET', '/a/x')
    expect(fields()).toMatchObject([
      { response_flag: 'TLE', tls_cert_expiry: '2021-02-03T04:05:06.000Z', tls_cert_subject: 'CN=localhost,O=Example' },
    ])
  })

  it('names the stage of a rejection, and its key if it is known', async () => {
    const { send, putKey, fields } = await gatewayWith(keyed)
    await putKey('org1abcdefgh', { ...rights, rate: 1, per: 60 })
    await send('GET', '/a/x')
    for (let i = 0; i < 2; i++) await send('GET', '/a/x?q=1', { authorization: 'abcdefgh' })
    const [missing, , limited] = fields()
    expect(missing).toMatchObject({ mw: 'AuthKey', api_key: '--', response_flag: 'AMF' })
    expect(missing).not.toHaveProperty('key')
    expect(limited).toMatchObject({
      mw: 'RateLimitAndQuotaCheck',
      origin: expect.any(String),
      key: '****efgh',
      path: '/a/x',
      upstream_addr: '/a/x',
      response_code_details: 'session_rate_limited',
      error_source: 'RateLimitAndQuotaCheck',
    })
  })

  it('has no flag for a blocked path', async () => {
    const paths = { use_extended_paths: true, extended_paths: { black_list: [{ path: '/x', method: 'GET' }] } }
    const version_data = { not_versioned: true, versions: { Default: { name: 'Default', ...paths } } }
    const { send, fields } = await gatewayWith({ version_data })
    await send('GET', '/a/x')
    expect(fields()).toMatchObject([{ mw: 'VersionCheck', status: 403 }])
    expect(fields()[0]).not.toHaveProperty('response_flag')
  })

  it('shows hashes of keys if keys are hashed', async () => {
    const keys = { ...plainSettings.keys, hashKeys: true }
    const { send, fields } = await gatewayWith({}, responseOf(200), { settings: { keys } })
    await send('GET', '/a/x')
    expect(fields()[0]?.api_key).toMatch(/^[0-9a-f]{8}$/)
  })

  it('has no line for rejections of an API with do_not_track, for mocks and for unknown paths', async () => {
    const mock = { path: '/m', method: 'GET', code: 200, body: 'm' }
    const paths = { use_extended_paths: true, extended_paths: { mock_response: [mock] } }
    const version_data = { not_versioned: true, versions: { Default: { name: 'Default', ...paths } } }
    const { send, lines } = await gatewayWith({ ...keyed, version_data, do_not_track: true })
    for (const path of ['/a/x', '/a/m', '/nowhere']) await send('GET', path)
    expect(lines).toEqual([])
  })

  it('names the cache for a cached response', async () => {
    const cache_options = { enable_cache: true, cache_timeout: 60, cache_all_safe_requests: true }
    const cache = { maxBytes: 1000, maxBodyBytes: 1000 }
    const { send, fields } = await gatewayWith({ cache_options }, responseOf(200), { settings: { cache } })
    for (let i = 0; i < 2; i++) await send('GET', '/a/x')
    expect(fields()[1]).toMatchObject({ mw: 'RedisCacheMiddleware', path: '/a/x', status: 200, type: 'request' })
    expect(fields()[1]).not.toHaveProperty('response_flag')
  })
})
