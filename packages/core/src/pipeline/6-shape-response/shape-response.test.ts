import { gunzipSync, gzipSync, zlibSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import {
  type FakeRequest,
  fakeCompileContext,
  fakeContext,
} from '../../../test/support/pipeline/fake-compile-context.ts'
import { type ByteSink, type ByteStream, collect, streamOf } from '../../http/byte-stream.ts'
import { headerOf } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'
import type { MakeResponseStage } from '../contract/stage.ts'
import type { StageServices } from '../contract/stage-services.ts'
import { makeHeaderCleanup } from './header-cleanup.ts'
import { makeOwnHeaders } from './own-headers.ts'
import { makeResponseBody } from './response-body.ts'
import { makeResponseHeaders } from './response-headers.ts'

type Json = Record<string, unknown>
interface Definition {
  readonly api?: Json
  readonly version?: Json
  readonly paths?: Json
  readonly fire?: boolean
  readonly services?: Partial<StageServices>
}

const clock = { now: () => 0, after: () => () => {}, breathe: () => Promise.resolve() }

function scopeOf({ api, version, paths, fire, services }: Definition) {
  const settings = { undeclaredResponseProcessors: fire ? ('fire' as const) : ('skip' as const) }
  return fakeCompileContext(api ?? {}, version, paths, { settings, services: { clock, ...services } })
}

async function shape(
  make: MakeResponseStage,
  definition: Definition,
  response: Partial<GatewayResponse>,
  request: FakeRequest = {},
) {
  const compileContext = scopeOf(definition)
  const context = fakeContext(compileContext, request)
  const given: GatewayResponse = { status: 200, headers: [], body: undefined, ...response }
  const outcome = (await make(compileContext)?.run(context, given)) ?? given
  const made = 'kind' in outcome ? { ...given, status: outcome.status, body: outcome.message } : outcome
  const bytes = made.body === undefined || typeof made.body === 'string' ? utf8Bytes(made.body ?? '') : made.body
  const whole = bytes instanceof Uint8Array ? bytes : await collect(bytes)
  return { response: made, bytes: whole, text: utf8Text(whole), header: (name: string) => headerOf(made.headers, name) }
}

const injector = (options: Json = {}) => ({ response_processors: [{ name: 'header_injector', options }] })

describe('headers of responses', () => {
  const paths = {
    transform_response_headers: [
      { path: '/here', method: 'GET', add_headers: { 'X-Who': 'path', 'X-Here': '1' }, delete_headers: ['X-Bad'] },
    ],
  }
  const version = { global_response_headers: { 'X-Who': 'version' }, global_response_headers_remove: ['X-Old'] }
  const headers = () => ['x-bad', '1', 'x-old', '1']

  it('do not change unless header_injector is declared', () => {
    expect(makeResponseHeaders(scopeOf({ paths, version }))).toBeNull()
  })

  it('are changed by path, version and processor, in this order', async () => {
    const declared = await shape(
      makeResponseHeaders,
      { paths, version, api: injector({ add_headers: { 'X-Who': 'processor' }, remove_headers: ['X-Here'] }) },
      { headers: headers() },
      { url: '/here' },
    )
    expect(declared.response.headers).toEqual(['x-who', 'processor'])
    const fired = await shape(
      makeResponseHeaders,
      { paths, version, fire: true },
      { headers: headers() },
      { url: '/here' },
    )
    expect(fired.response.headers).toEqual(['x-who', 'version', 'x-here', '1'])
  })

  it('of a path apply to its path and method', async () => {
    const definition = { paths, api: injector() }
    expect((await shape(makeResponseHeaders, definition, {}, { url: '/else' })).response.headers).toEqual([])
    expect(
      (await shape(makeResponseHeaders, definition, {}, { url: '/here', method: 'POST' })).response.headers,
    ).toEqual([])
  })

  it('of the version can be disabled', () => {
    const off = { ...version, global_response_headers_disabled: true }
    expect(makeResponseHeaders(scopeOf({ version: off, fire: true }))).toBeNull()
  })

  it('can use context variables', async () => {
    const api = {
      enable_context_vars: true,
      ...injector({ add_headers: { 'X-Who': '$svc_context.request_data_who' } }),
    }
    expect((await shape(makeResponseHeaders, { api }, {}, { url: '/x?who=me' })).header('x-who')).toBe('me')
  })

  it('need no declaration in OpenAPI documents', () => {
    expect(makeResponseHeaders(scopeOf({ version, api: { is_oas: true } }))).not.toBeNull()
  })
})

describe('bodies of responses', () => {
  const declared = { response_processors: [{ name: 'response_body_transform', options: {} }] }
  const definition = (source: string, input_type = 'json', more: Json = {}) => ({
    api: { ...declared, ...more },
    paths: {
      transform_response: [
        {
          path: '/',
          method: 'GET',
          template_data: { input_type, template_mode: 'blob', template_source: encodeBase64(utf8Bytes(source)) },
        },
      ],
    },
  })
  const source = '{{.name}} has {{.n}}'
  const body = '{"n":3,"name":"ann"}'

  it('do not change unless the processor is declared', () => {
    expect(makeResponseBody(scopeOf({ ...definition(source), api: {} }))).toBeNull()
    expect(makeResponseBody(scopeOf({ ...definition(source), api: {}, fire: true }))).not.toBeNull()
  })

  it('are rendered by the template; the status stays and Content-Length is removed', async () => {
    const given = { status: 404, headers: ['content-length', '20'], body: streamOf(utf8Bytes(body)), bodyLength: 20 }
    const { response, text } = await shape(makeResponseBody, definition(source), given)
    expect(text).toBe('ann has 3')
    expect(response).toMatchObject({ status: 404, headers: [], bodyLength: undefined })
  })

  it.each([
    ['a JSON list', '{{len .array}} items', '[1,2]', 'json', '2 items'],
    ['XML', '{{.u.name}}', '<u><name>bo</name></u>', 'xml', 'bo'],
    ['JSON printed as JSON', '{"copy":{{. | jsonMarshal}}}', body, 'json', '{"copy":{"n":3,"name":"ann"}}'],
    ['what is no JSON, without data', source, 'nonsense', 'json', '<no value> has <no value>'],
    ['nothing, as an empty object', source, '', 'json', '<no value> has <no value>'],
  ])('are rendered from %s', async (_, template, given, type, text) => {
    expect((await shape(makeResponseBody, definition(template, type), { body: given })).text).toBe(text)
  })

  it('are rendered for their path and method, and not for responses without a body', async () => {
    const plain = definition(source)
    expect((await shape(makeResponseBody, plain, { body }, { method: 'POST' })).text).toBe(body)
    expect((await shape(makeResponseBody, plain, { status: 304 })).text).toBe('')
  })

  it.each([
    ['fails on the body', '{"name":{{.name}},"first":{{index .missing 0}}}'],
    ['is invalid', '{{if}}'],
    ['uses an excluded function', '{{bcrypt .name}}'],
  ])('are rejected if the template %s', async (_, template) => {
    const { response, text } = await shape(makeResponseBody, definition(template), { body })
    expect(response.status).toBe(500)
    expect(text).toBe('The body cannot be transformed')
  })

  it('are decompressed, and compressed again if the client accepts it', async () => {
    for (const [coding, pack] of [
      ['gzip', gzipSync],
      ['deflate', zlibSync],
    ] as const) {
      const given = () => ({ headers: ['content-encoding', coding], body: pack(utf8Bytes(body)) })
      const asked = { headers: { 'accept-encoding': 'gzip, deflate' } }
      const packed = await shape(makeResponseBody, definition(source), given(), asked)
      expect(packed.header('content-encoding')).toBe(coding)
      if (coding === 'gzip') expect(utf8Text(gunzipSync(packed.bytes))).toBe('ann has 3')
      const plain = await shape(makeResponseBody, definition(source), given())
      expect(plain.header('content-encoding')).toBeUndefined()
      expect(plain.text).toBe('ann has 3')
    }
  })

  it('with brotli are decompressed if the platform supports it', async () => {
    const reversed = (bytes: Uint8Array) => Promise.resolve(bytes.slice().reverse())
    const services = { brotli: { pack: reversed, unpack: reversed } }
    const given = async () => ({ headers: ['content-encoding', 'br'], body: await reversed(utf8Bytes(body)) })
    const able = { ...definition(source), services }
    const asked = { headers: { 'accept-encoding': 'br' } }
    const packed = await shape(makeResponseBody, able, await given(), asked)
    expect(packed.header('content-encoding')).toBe('br')
    expect(utf8Text(await reversed(packed.bytes))).toBe('ann has 3')
    expect((await shape(makeResponseBody, able, await given())).text).toBe('ann has 3')
  })

  it('with an unknown coding are not sent: the template has no data', async () => {
    const given = { headers: ['content-encoding', 'zstd'], body: utf8Bytes(body) }
    const { text, header } = await shape(makeResponseBody, definition(source), given)
    expect(text).toBe('<no value> has <no value>')
    expect(header('content-encoding')).toBeUndefined()
  })

  it('that fail, are corrupt or decompress to too many bytes are never forwarded', async () => {
    const broken: ByteStream = {
      pipe: (sink: ByteSink) => sink.fail(new Error('cut')),
      pause() {},
      resume() {},
      cancel() {},
    }
    const half = gzipSync(utf8Bytes(body)).slice(0, 20)
    const bomb = gzipSync(new Uint8Array(60 * 1024 * 1024))
    for (const given of [
      { body: broken },
      { headers: ['content-encoding', 'gzip'], body: half },
      { headers: ['content-encoding', 'gzip'], body: bomb },
    ]) {
      expect((await shape(makeResponseBody, definition(source), given)).response.status).toBe(500)
    }
  })
})

describe('header_transform', () => {
  const cleanup = (target_url: string, strip_listen_path = true) => ({
    api: {
      proxy: { listen_path: '/a/', target_url, strip_listen_path },
      response_processors: [
        {
          name: 'header_transform',
          options: { rev_proxy_header_cleanup: { headers: ['Location'], target_host: 'https://api.example.test' } },
        },
      ],
    },
  })
  const location = async (definition: Definition, value: string, url = '/zz') =>
    (await shape(makeHeaderCleanup, definition, { headers: ['location', value] }, { url })).header('location')

  it('replaces the host of the upstream by the given host', async () => {
    expect(await location(cleanup('http://up.test:81'), 'http://up.test:81/zz/next')).toBe(
      'https://api.example.test/a//zz/next',
    )
  })

  it('replaces the path of the target by the listen path', async () => {
    expect(await location(cleanup('http://up.test/base'), 'http://up.test/base/next')).toBe(
      'https://api.example.test/a//next',
    )
  })

  it('replaces it by the root if the listen path is not stripped', async () => {
    expect(await location(cleanup('http://up.test/base', false), 'http://up.test/base')).toBe(
      'https://api.example.test/',
    )
  })

  it('does not change other URLs and headers', async () => {
    expect(await location(cleanup('http://up.test/base'), 'https://http.test/x')).toBe('https://http.test/x')
    const { header } = await shape(makeHeaderCleanup, cleanup('http://up.test'), {
      headers: ['link', 'http://up.test'],
    })
    expect(header('link')).toBe('http://up.test')
  })

  it('logs a warning for unknown processors and ignores them', () => {
    const compileContext = scopeOf({ api: { response_processors: [{ name: 'no_such_thing', options: {} }] } })
    expect(makeHeaderCleanup(compileContext)).toBeNull()
    expect(compileContext.warnings).toHaveLength(1)
  })
})

describe("the gateway's own headers", () => {
  it('replace those of the upstream, except that Vary is merged', async () => {
    const compileContext = scopeOf({ api: { CORS: { enable: true } } })
    const context = fakeContext(compileContext)
    context.extraHeaders = ['vary', 'Origin', 'access-control-allow-origin', 'http://a.test']
    const headers = ['access-control-allow-origin', 'evil', 'vary', 'Accept', 'x', '1']
    const response = await makeOwnHeaders(compileContext)?.run(context, { status: 200, headers, body: '' })
    expect(response?.headers).toEqual(['vary', 'Accept', 'x', '1'])
  })
})
