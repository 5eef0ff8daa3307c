import { gzipSync } from 'fflate'
import { describe, expect, it, vi } from 'vitest'
import { definitionOf, makeTestEngine, requestOf, type TestEngineOptions } from '../../../test/support/test-engine.ts'
import { collectResponse } from '../../engine/inject.ts'
import { collect, streamOf } from '../../http/byte-stream.ts'
import { readShape } from '../../lib/shape/shape.ts'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'
import type { Analytics, AnalyticsSettings } from '../../observability/analytics/analytics.ts'
import type { AnalyticsRecord } from '../../ports/analytics-record.ts'
import { sessionShape } from '../../ports/session.ts'

const plain: AnalyticsSettings = {
  detailed: false,
  ignoredAddresses: new Set(),
  normalisePath: undefined,
  tagHeaders: [],
  orgDataAge: false,
  orgDetail: false,
  detailBytes: 1000,
}

async function setUp(
  definitions: readonly object[],
  settings: Partial<AnalyticsSettings> = {},
  more: TestEngineOptions = {},
) {
  const records: AnalyticsRecord[] = []
  const analytics: Analytics = { settings: { ...plain, ...settings }, write: (record) => records.push(record) }
  const made = await makeTestEngine({ definitions, ...more, engine: { analytics } })
  return { ...made, records }
}

const keyed = (more: object = {}) =>
  definitionOf('a', {
    use_keyless: false,
    use_standard_auth: true,
    auth: { auth_header_name: 'Authorization' },
    ...more,
  })
const withPaths = (paths: object, more: object = {}) =>
  definitionOf('a', {
    version_data: {
      not_versioned: true,
      versions: { Default: { name: 'Default', use_extended_paths: true, extended_paths: paths } },
    },
    ...more,
  })
const session = (more: object = {}) => ({
  org_id: 'org1',
  rate: 1000,
  per: 60,
  quota_max: -1,
  access_rights: { a: { api_id: 'a', api_name: 'a', versions: ['Default'] } },
  ...more,
})
const year = 365 * 86_400_000

describe('analytics records', () => {
  it('contain the request, the client and the result', async () => {
    const { send, records, putKey } = await setUp([keyed({ name: 'An API', tags: ['edge'] })])
    await putKey(
      'org1k',
      session({ alias: 'anna', apply_policies: null, tags: ['t1'], meta_data: { svc_developer_id: 'd7' } }),
    )
    await send('POST', '/a/x/1?q=1', { authorization: 'org1k', 'user-agent': 'ua' })
    expect(records).toMatchObject([
      {
        method: 'POST',
        host: 'upstream.test',
        path: '/x/1',
        rawPath: '/x/1',
        contentLength: 0,
        userAgent: 'ua',
        responseCode: 200,
        apiKey: 'org1k',
        at: Date.UTC(2026, 0, 1),
        apiVersion: 'Non Versioned',
        apiName: 'An API',
        apiId: 'a',
        orgId: 'org1',
        ipAddress: '192.0.2.1',
        alias: 'anna',
        trackPath: false,
        expireAt: Date.UTC(2026, 0, 1) + 100 * year,
        tags: ['dev-d7', 't1', 'edge', 'key-org1k', 'org-org1', 'api-a'],
      },
    ])
    expect(records[0]?.rawRequest).toHaveLength(0)
  })

  it('exist for rejected requests too, without a key and without upstream time', async () => {
    const { send, records } = await setUp([keyed()])
    await send('GET', '/a/x', { authorization: 'unknown' })
    expect(records).toMatchObject([
      { responseCode: 403, apiKey: '', host: 'upstream.test', upstreamMs: 0, tags: ['org-org1', 'api-a'] },
    ])
  })

  it('contain the hash if keys are hashed', async () => {
    const settings = (await import('../../../test/support/test-settings.ts')).plainSettings
    const hashed = { ...settings, keys: { ...settings.keys, hashKeys: true } }
    const { send, records, putKey } = await setUp([keyed()], {}, { settings: hashed })
    const { hashKeyName } = await import('../../lib/hash/hash-key-name.ts')
    await putKey(hashKeyName('org1k'), session())
    await send('GET', '/a/x', { authorization: 'org1k' })
    expect(records[0]?.apiKey).toBe(hashKeyName('org1k'))
  })

  it('contain the version of a versioned API', async () => {
    const versioned = definitionOf('a', {
      definition: { location: 'header', key: 'x-version' },
      version_data: { not_versioned: false, versions: { v1: { name: 'v1' } } },
    })
    const { send, records } = await setUp([versioned])
    await send('GET', '/a/x', { 'x-version': 'v1' })
    await send('GET', '/a/x')
    expect(records.map(({ apiVersion, responseCode }) => [apiVersion, responseCode])).toEqual([
      ['v1', 200],
      ['v1', 403],
    ])
  })

  it('keep the listen path if it is not stripped', async () => {
    const { send, records } = await setUp([
      definitionOf('a', {
        proxy: { listen_path: '/a/', target_url: 'http://upstream.test', strip_listen_path: false },
      }),
    ])
    await send('GET', '/a/x')
    expect(records[0]?.rawPath).toBe('/a/x')
  })

  it('contain the pattern of a tracked endpoint, and do not exist for untracked endpoints', async () => {
    const { send, records } = await setUp([
      withPaths({
        track_endpoints: [{ path: '/items/{id}', method: 'GET' }],
        do_not_track_endpoints: [{ path: '/private', method: 'GET' }],
      }),
    ])
    await send('GET', '/a/items/7')
    await send('GET', '/a/private')
    await send('POST', '/a/private')
    expect(records.map(({ path, rawPath, trackPath }) => [path, rawPath, trackPath])).toEqual([
      ['/items/{id}', '/items/7', true],
      ['/private', '/private', false],
    ])
  })

  it('do not exist for APIs with do_not_track and for ignored addresses', async () => {
    const { send, records } = await setUp([definitionOf('a', { do_not_track: true })])
    await send('GET', '/a/x')
    const other = await setUp([definitionOf('a')], { ignoredAddresses: new Set(['192.0.2.1']) })
    await other.send('GET', '/a/x')
    await other.send('GET', '/a/x', { 'x-real-ip': '192.0.2.2' })
    expect([records.length, other.records.length]).toEqual([0, 1])
  })

  it('contain the normalised path and the raw one', async () => {
    const { send, records } = await setUp([definitionOf('a')], { normalisePath: () => '/normal' })
    await send('GET', '/a/x/1')
    expect([records[0]?.path, records[0]?.rawPath]).toEqual(['/normal', '/x/1'])
  })

  it('have tags from the headers that the API or the gateway configures', async () => {
    const { send, records } = await setUp([definitionOf('a', { tag_headers: ['X-Team'] })], { tagHeaders: ['x-stage'] })
    await send('GET', '/a/x', { 'x-team': 'blue', 'x-stage': 'dev', 'x-other': '1' })
    expect(records[0]?.tags).toEqual(['x-team-blue', 'x-stage-dev', 'org-org1', 'api-a'])
  })

  it('expire as configured for the API, or for the organisation', async () => {
    const { send, records, store, engine } = await setUp([definitionOf('a', { expire_analytics_after: 60 })], {
      orgDataAge: true,
    })
    await send('GET', '/a/x')
    await store.organisations.put('org1', readShape(sessionShape, { org_id: 'org1', data_expires: 10 }).value)
    engine.orgs.forget('org1')
    await send('GET', '/a/x')
    const now = Date.UTC(2026, 0, 1)
    expect(records.map(({ expireAt }) => expireAt - now)).toEqual([60_000, 10_000])
  })
})

describe('detailed records', () => {
  const streamed: TestEngineOptions = {
    upstream: async (request) => {
      if (request.body !== undefined && !(request.body instanceof Uint8Array)) {
        const { collect } = await import('../../http/byte-stream.ts')
        await collect(request.body)
      }
      const body = utf8Bytes('the response')
      return { kind: 'response', status: 201, headers: ['x-a', '1'], body: streamOf(body), bodyLength: body.length }
    },
  }
  const posted = (text: string, more: Record<string, string> = {}) => {
    const body = utf8Bytes(text)
    return { ...requestOf('POST', '/a/x', more), body: streamOf(body), bodyLength: body.length }
  }

  it('contain both messages in wire form without changing them', async () => {
    const { engine, records } = await setUp([definitionOf('a', { enable_detailed_recording: true })], {}, streamed)
    const response = await collectResponse(await engine.handle(posted('the question', { 'x-q': '1' })))
    expect(response.text()).toBe('the response')
    expect(utf8Text(records[0]?.rawRequest ?? new Uint8Array())).toBe(
      'POST /x HTTP/1.1\r\nX-Q: 1\r\nContent-Length: 12\r\n\r\nthe question',
    )
    expect(utf8Text(records[0]?.rawResponse ?? new Uint8Array())).toMatch(
      /^HTTP\/1.1 201 Created\r\nX-A: 1\r\n[\s\S]*Content-Length: 12\r\n\r\nthe response$/,
    )
  })

  it('frame a body that came in chunks', async () => {
    const { engine, records } = await setUp([definitionOf('a', { enable_detailed_recording: true })], {}, streamed)
    const headers = { 'transfer-encoding': 'chunked' }
    const request = requestOf('POST', '/a/x', headers)
    await collectResponse(await engine.handle({ ...request, body: streamOf(utf8Bytes('the question')) }))
    expect(utf8Text(records[0]?.rawRequest ?? new Uint8Array())).toBe(
      'POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nc\r\nthe question\r\n0\r\n\r\n',
    )
  })

  const authConfigs = {
    authToken: {
      use_param: true,
      param_name: 'api_key',
      use_cookie: true,
      cookie_name: 'session',
      auth_header_name: 'X-Key',
    },
  }
  const keyedByAll = keyed({ auth: undefined, auth_configs: authConfigs, enable_detailed_recording: true })
  const credentials = {
    authorization: 'Bearer S3CRET-bearer',
    'x-key': 'S3CRET-key',
    cookie: 'session=S3CRET-cookie; theme=dark',
    'x-svc-authorization': 'S3CRET-management',
    referer: 'http://a.test/?access_token=S3CRET-referer&page=2',
  }
  const withSecrets: TestEngineOptions = {
    async upstream({ body }) {
      if (body !== undefined && !(body instanceof Uint8Array)) await collect(body)
      return {
        kind: 'response',
        status: 200,
        headers: ['content-type', 'application/json', 'set-cookie', 'session=S3CRET-set; Path=/'],
        body: utf8Bytes('{"access_token" : "S3CRET-\\"issued", "n": 1}'),
        bodyLength: undefined,
      }
    },
  }
  // The request reaches the upstream with any credentials.
  const open = (api: object) => ({ ...api, use_keyless: true })
  async function recordOf(
    settings: Partial<AnalyticsSettings>,
    body: string,
    type: string,
    api = keyedByAll,
    more = {},
    options: TestEngineOptions = {},
  ) {
    const { engine, records } = await setUp([api], settings, { ...withSecrets, ...options })
    const url = '/a/x?api_key=S3CRET-param&client_secret=S3CRET-field&page=2'
    const bytes = utf8Bytes(body)
    const sent = { ...requestOf('POST', url, { ...credentials, 'content-type': type, ...more }), body: streamOf(bytes) }
    await collectResponse(await engine.handle({ ...sent, bodyLength: bytes.length }))
    const { rawRequest, rawResponse } = records[0] as AnalyticsRecord
    return `${utf8Text(rawRequest)}\n\n${utf8Text(rawResponse)}`
  }
  const form = 'grant_type=password&username=anna&password=S3CRET-word'
  const json = '{"user":"anna","password":"S3CRET-word"}'

  it.each([
    ['application/x-www-form-urlencoded', form],
    ['application/json', json],
  ])('mask credentials (%s)', async (type, body) => {
    const text = await recordOf({}, body, type, open(keyedByAll))
    expect(text).not.toContain('S3CRET')
    expect(text).toContain('session=[masked]; theme=[masked]')
    expect(text).toContain('api_key=[masked]&client_secret=[masked]&page=2')
    expect(text).toContain('anna')
    expect(text).toContain('"n": 1')
  })

  it('mask credentials in rejected requests', async () => {
    expect(await recordOf({}, json, 'application/json')).not.toContain('S3CRET')
  })

  it('mask compressed bodies and forms of several parts as a whole', async () => {
    const part = 'Content-Disposition: form-data; name="password"\r\n\r\nS3CRET-word'
    const parts = await recordOf({}, `--b\r\n${part}\r\n--b--`, 'Multipart/Form-Data; boundary=b', open(keyedByAll))
    expect(parts).not.toContain('S3CRET')
    expect(parts).toContain('\r\n\r\n[masked]\n\n')
    const packed = await recordOf({}, json, 'application/json', open(keyedByAll), { 'content-encoding': 'br' })
    expect(packed).toContain('\r\n\r\n[masked]\n\n')
    const plain = await recordOf({}, json, 'application/json', open(keyedByAll), { 'content-encoding': 'Identity' })
    expect(plain).toContain('anna')
  })

  it('mask compressed bodies of responses as a whole', async () => {
    const upstream: TestEngineOptions['upstream'] = () =>
      Promise.resolve({
        kind: 'response',
        status: 200,
        headers: ['content-type', 'application/json', 'content-encoding', 'gzip'],
        body: utf8Bytes('packed'),
        bodyLength: undefined,
      })
    const { engine, records } = await setUp([definitionOf('a', { enable_detailed_recording: true })], {}, { upstream })
    const response = await collectResponse(await engine.handle(requestOf('GET', '/a/x')))
    expect(response.text()).toBe('packed')
    // The body is not gzip; that is known after an attempt to decompress it.
    await vi.waitFor(() => expect(records).toHaveLength(1))
    expect(utf8Text(records[0]?.rawResponse ?? new Uint8Array())).toMatch(/\r\n\r\n\[masked\]$/)
  })

  it('contain compressed bodies as text, with credentials masked', async () => {
    const packed = gzipSync(utf8Bytes('{"password":"S3CRET-word","n":1}'))
    const upstream: TestEngineOptions['upstream'] = async ({ body }) => {
      if (body !== undefined && !(body instanceof Uint8Array)) await collect(body)
      const headers = ['content-type', 'application/json', 'content-encoding', 'gzip', 'content-length', '9']
      return { kind: 'response', status: 200, headers, body: packed, bodyLength: packed.length }
    }
    const { engine, records } = await setUp([definitionOf('a', { enable_detailed_recording: true })], {}, { upstream })
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const request = { ...requestOf('POST', '/a/x', headers), body: streamOf(packed), bodyLength: packed.length }
    const response = await collectResponse(await engine.handle(request))
    expect(response.bytes).toEqual(packed)
    await vi.waitFor(() => expect(records).toHaveLength(1))
    const { rawRequest, rawResponse } = records[0] as AnalyticsRecord
    expect(utf8Text(rawResponse)).toMatch(/Content-Length: 29\r\n\r\n{"password":"\[masked\]","n":1}$/)
    expect(utf8Text(rawResponse)).not.toContain('Content-Encoding')
    expect(utf8Text(rawRequest)).toMatch(/\r\n\r\n{"password":"\[masked\]","n":1}$/)
  })

  it('mask a body that the API reads a password from', async () => {
    const basic_auth = { extract_from_body: true, body_user_regexp: 'u=(.*);', body_password_regexp: 'p=(.*)' }
    const api = keyed({ use_basic_auth: true, use_standard_auth: false, basic_auth, enable_detailed_recording: true })
    expect(await recordOf({}, 'u=anna;p=S3CRET-word', 'text/plain', open(api))).not.toContain('S3CRET-word')
  })

  it('contain credentials if the gateway is configured so', async () => {
    const more = { settings: { keepsCredentials: true } }
    const text = await recordOf({}, form, 'application/x-www-form-urlencoded', open(keyedByAll), {}, more)
    for (const name of ['bearer', 'key', 'cookie', 'param', 'field', 'word']) expect(text).toContain(`S3CRET-${name}`)
  })

  it('contain only the beginning of long bodies', async () => {
    const { engine, records } = await setUp([definitionOf('a')], { detailed: true, detailBytes: 4 }, streamed)
    const response = await collectResponse(await engine.handle(posted('the question')))
    expect(response.text()).toBe('the response')
    expect(utf8Text(records[0]?.rawRequest ?? new Uint8Array()).endsWith('\r\n\r\nthe ')).toBe(true)
    expect(utf8Text(records[0]?.rawResponse ?? new Uint8Array()).endsWith('\r\n\r\nthe ')).toBe(true)
  })

  it('contain the body as the client sent it, before transformations', async () => {
    const template = Buffer.from('{"changed":true}').toString('base64')
    const definition = withPaths(
      {
        transform: [
          {
            path: '/x',
            method: 'POST',
            template_data: { input_type: 'json', template_mode: 'blob', template_source: template },
          },
        ],
      },
      { enable_detailed_recording: true },
    )
    const { engine, records, upstreamRequests } = await setUp([definition])
    await collectResponse(await engine.handle(posted('{"own":1}', { 'content-type': 'application/json' })))
    expect(utf8Text(upstreamRequests[0]?.body as Uint8Array)).toBe('{"changed":true}')
    expect(utf8Text(records[0]?.rawRequest ?? new Uint8Array())).toContain('{"own":1}')
  })

  it('exist for keys with detailed recording', async () => {
    const { send, records, putKey } = await setUp([keyed()])
    await putKey('org1plain', session())
    await putKey('org1detail', session({ enable_detailed_recording: true }))
    for (const authorization of ['org1plain', 'org1detail']) {
      const { body } = await send('GET', '/a/x', { authorization })
      expect(body).toEqual(utf8Bytes('ok'))
    }
    expect(records.map(({ rawResponse }) => rawResponse.length > 0)).toEqual([false, true])
  })

  it('never exist for event streams', async () => {
    const { send, records } = await setUp(
      [definitionOf('a')],
      { detailed: true },
      {
        upstream: () =>
          Promise.resolve({
            kind: 'response',
            status: 200,
            headers: ['content-type', 'text/event-stream; charset=utf-8'],
            body: streamOf(utf8Bytes('data: 1\n\n')),
            bodyLength: undefined,
          }),
      },
    )
    await send('GET', '/a/x')
    expect(records[0]?.rawResponse).toHaveLength(0)
  })

  it('are written if the client disconnects during the response', async () => {
    const { engine, records } = await setUp([definitionOf('a')], { detailed: true }, streamed)
    const { body } = await engine.handle(posted('q'))
    expect(records).toHaveLength(0)
    if (body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array)) body.cancel()
    expect(records).toHaveLength(1)
  })
})
