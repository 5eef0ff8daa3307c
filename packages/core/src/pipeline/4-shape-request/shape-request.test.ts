import { describe, expect, it } from 'vitest'
import {
  type FakeOptions,
  type FakeRequest,
  fakeCompileContext,
  fakeContext,
} from '../../../test/support/pipeline/fake-compile-context.ts'
import { headerOf } from '../../http/headers.ts'
import { rejections } from '../../http/rejections.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeStage, Outcome } from '../contract/stage.ts'
import { makeBodyTransform } from './body-transform.ts'
import { makeContextVariables } from './context-variables.ts'
import { makeMethodTransform } from './method-transform.ts'
import { makeHeaders } from './request-headers.ts'
import { makeValidateJson } from './validate-json.ts'

type Json = Record<string, unknown>
interface Definition {
  readonly api?: Json
  readonly version?: Json
  readonly paths?: Json
  readonly options?: FakeOptions
  readonly meta?: Json
}

async function run(
  make: MakeStage | readonly MakeStage[],
  { api, version, paths, options, meta }: Definition,
  request: FakeRequest,
): Promise<{ context: RequestContext; outcome: Outcome; body: string; header: (name: string) => string | undefined }> {
  const compileContext = fakeCompileContext(api ?? {}, version, paths, options)
  const context = fakeContext(compileContext, request)
  if (meta !== undefined) context.key = { session: { metaData: meta } } as unknown as RequestContext['key']
  let outcome: Outcome
  for (const each of [make].flat()) outcome ??= await each(compileContext)?.run(context)
  const { outgoing } = context
  return {
    context,
    outcome,
    body: outgoing.body === undefined ? '' : utf8Text(outgoing.body),
    header: (name) => headerOf(outgoing.headers, name),
  }
}

const base64 = (text: string) => encodeBase64(utf8Bytes(text))

describe('request headers', () => {
  it('are removed and set for the version first, then for the path', async () => {
    const definition = {
      version: { global_headers: { 'X-Add': 'global', 'X-All': '1' }, global_headers_remove: ['X-Drop'] },
      paths: {
        transform_headers: [{ path: '/s', method: 'GET', add_headers: { 'X-Add': 'path' }, delete_headers: ['X-All'] }],
      },
    }
    const sent = { headers: { 'X-Drop': '1', 'X-Keep': '1' } }
    const plain = await run(makeHeaders, definition, sent)
    expect(plain.context.outgoing.headers).toEqual(['x-keep', '1', 'x-add', 'global', 'x-all', '1'])
    const special = await run(makeHeaders, definition, { ...sent, url: '/s' })
    expect(special.context.outgoing.headers).toEqual(['x-keep', '1', 'x-add', 'path'])
    expect(special.context.request.headers).toContain('x-drop')
  })

  it('add no stage if they are disabled', () => {
    const version = { global_headers: { 'X-Add': '1' }, global_headers_disabled: true }
    expect(makeHeaders(fakeCompileContext({}, version))).toBeNull()
  })

  it('can use context variables; an unknown one is empty', async () => {
    const global_headers = {
      'X-Ip': '$svc_context.remote_addr',
      'X-Path': '$svc_context.path',
      'X-Q': '<$svc_context.request_data_q>',
      'X-Colour': '$svc_context.headers_X_Colour',
      'X-Cookie': '$svc_context.cookies_my_id',
      'X-None': '$svc_context.no_such',
      'X-Id': '$svc_context.request_id/$svc_context.request_id',
    }
    const definition = {
      api: { enable_context_vars: true },
      version: { global_headers },
      options: { services: { ids: { uuid: () => 'id1' } } },
    }
    const request = { url: '/x?q=a%20b', headers: { 'X-Colour': 'red', Cookie: 'a=1; my-id=2' } }
    const { header } = await run(makeHeaders, definition, request)
    expect(header('x-ip')).toBe('127.0.0.1')
    expect(header('x-path')).toBe('/a/x')
    expect(header('x-q')).toBe('<a b>')
    expect(header('x-colour')).toBe('red')
    expect(header('x-cookie')).toBe('2')
    expect(header('x-none')).toBe('')
    expect(header('x-id')).toBe('id1/id1')
    const off = await run(makeHeaders, { version: { global_headers } }, request)
    expect(off.header('x-path')).toBe('')
  })

  it('can use the host, and the path and the fields as a whole', async () => {
    const global_headers = {
      'X-Host': '$svc_context.headers_Host',
      'X-Parts': '$svc_context.path_parts',
      'X-All': '$svc_context.request_data',
    }
    const definition = { api: { enable_context_vars: true }, version: { global_headers } }
    const request = { url: '/x?a=1&b=x%20y&a=2', headers: { Host: 'shop.example' } }
    const { header } = await run(makeHeaders, definition, request)
    expect([header('x-host'), header('x-parts'), header('x-all')]).toEqual(['shop.example', 'a,x', 'a:1;b:x y'])
  })

  it.each([
    ['a=1&a=2', '', '1'],
    ['a=q', 'a=1&a=2', '1'],
    ['a=1;b=2', '', ''],
    ['c=1;b=2&a=3', '', '3'],
  ])('take the first value of a field: query %s, form %s', async (query, body, expected) => {
    const definition = {
      api: { enable_context_vars: true },
      version: { global_headers: { 'X-A': '$svc_context.request_data_a' } },
    }
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const request = { url: `/x?${query}`, method: 'POST', body, headers }
    const { header } = await run([makeContextVariables, makeHeaders], definition, request)
    expect(header('x-a')).toBe(expected)
  })

  it('can use fields of a form', async () => {
    const definition = {
      api: { enable_context_vars: true },
      version: { global_headers: { 'X-F': '$svc_context.request_data_first_name' } },
    }
    const { header, body } = await run([makeContextVariables, makeHeaders], definition, {
      method: 'POST',
      body: 'first-name=Ann+Lee',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    expect(header('x-f')).toBe('Ann Lee')
    expect(body).toBe('first-name=Ann+Lee')
  })

  it('can use metadata of the key and secrets', async () => {
    const definition = {
      version: { global_headers: { 'X-Plan': '$svc_meta.plan', 'X-N': '$svc_meta.n', 'X-S': '$secret_conf.k' } },
      options: {
        services: {
          secret: (from: string, name: string) => (from === 'secrets' && name === 'k' ? 'hidden' : undefined),
        },
      },
      meta: { plan: 'gold', n: 3 },
    }
    const { header } = await run(makeHeaders, definition, {})
    expect([header('x-plan'), header('x-n'), header('x-s')]).toEqual(['gold', '3', 'hidden'])
  })

  it('cannot be split by the value of a variable', async () => {
    const definition = {
      api: { enable_context_vars: true },
      version: { global_headers: { 'X-Q': '$svc_context.request_data_q' } },
    }
    const { header } = await run(makeHeaders, definition, { url: '/x?q=a%0d%0aX-Evil:%201' })
    expect(header('x-q')).toBe('a  X-Evil: 1')
  })

  it('do not include X-Forwarded-For if a rule removes it', async () => {
    const definition = { version: { global_headers_remove: ['X-Forwarded-For'] } }
    expect((await run(makeHeaders, definition, {})).context.outgoing.addForwardedFor).toBe(false)
  })
})

describe('the method', () => {
  const paths = {
    method_transforms: [
      { path: '/a1', method: 'GET', to_method: 'delete' },
      { path: '/bad', method: 'GET', to_method: 'BREW' },
    ],
  }

  it('is replaced for its path and method', async () => {
    expect((await run(makeMethodTransform, { paths }, { url: '/a1' })).context.outgoing.method).toBe('DELETE')
    expect((await run(makeMethodTransform, { paths }, { url: '/a1', method: 'POST' })).context.outgoing.method).toBe(
      'POST',
    )
  })

  it('is rejected if it is unknown', async () => {
    expect((await run(makeMethodTransform, { paths }, { url: '/bad' })).outcome).toMatchObject({
      status: 405,
      message: 'Method not allowed',
    })
  })
})

describe('the JSON schema of a body', () => {
  const schema = { type: 'object', properties: { age: { type: 'integer', minimum: 0 }, name: { type: 'string' } } }
  const paths = {
    validate_json: [
      { path: '/v', method: 'POST', schema },
      { path: '/w', method: 'POST', error_response_code: 400, schema: { type: 'object', required: ['name'] } },
    ],
  }
  const post = (url: string, body?: string) =>
    run(makeValidateJson, { paths }, { url, method: 'POST', ...(body === undefined ? {} : { body }) })

  it('rejects an invalid body with all failures', async () => {
    expect((await post('/v', '{"age":-1}')).outcome).toMatchObject({
      status: 422,
      message: 'age: Must be greater than or equal to 0',
    })
    expect((await post('/v', '{"age":"x","name":1}')).outcome).toMatchObject({
      message:
        'age: Invalid type. Expected: integer, given: string; name: Invalid type. Expected: string, given: integer',
    })
    expect((await post('/w', '{}')).outcome).toMatchObject({ status: 400, message: '(root): name is required' })
  })

  it('rejects a body that is not JSON, is empty or is nested too deep', async () => {
    for (const body of ['{nope', undefined, '['.repeat(100_000)]) {
      const { outcome } = await post('/v', body)
      expect(outcome).toMatchObject({ status: 400 })
      expect(outcome).toHaveProperty('message', expect.stringMatching(/^JSON parsing error: /))
    }
  })

  it('accepts a valid body and forwards it', async () => {
    const { outcome, body } = await post('/v', '{"age":3}')
    expect(outcome).toBeUndefined()
    expect(body).toBe('{"age":3}')
  })

  it('rejects a body over the limit', async () => {
    const definition = { paths, options: { settings: { maxBodyBytes: 5 } } }
    const { outcome } = await run(makeValidateJson, definition, { url: '/v', method: 'POST', body: '{"age":3}' })
    expect(outcome).toMatchObject({ status: 413 })
  })

  it('can be in base64, and rejects the requests of its path if it is invalid', async () => {
    const inBase64 = { validate_json: [{ path: '/b', method: 'POST', schema_b64: base64('{"type":"array"}') }] }
    const { outcome } = await run(makeValidateJson, { paths: inBase64 }, { url: '/b', method: 'POST', body: '{}' })
    expect(outcome).toMatchObject({ status: 422 })
    const broken = { validate_json: [{ path: '/b', method: 'POST', schema: { type: 'nothing' } }] }
    const rejected = await run(makeValidateJson, { paths: broken }, { url: '/b', method: 'POST', body: '{}' })
    expect(rejected.outcome).toBe(rejections.ruleBroken)
  })
})

describe('the body template', () => {
  const rule = (source: string, more: Json = {}) => ({
    transform: [
      {
        path: '/',
        method: 'POST',
        template_data: { input_type: 'json', template_mode: 'blob', template_source: base64(source), ...more },
      },
    ],
  })
  const post = (source: string, body: string, more: Json = {}, definition: Definition = {}) =>
    run(makeBodyTransform, { paths: rule(source, more), ...definition }, { method: 'POST', body })

  it('renders the body from JSON, lists as `array`, and XML as maps', async () => {
    expect((await post('{{.name}}-{{.n}}', '{"name":"ann","n":3}')).body).toBe('ann-3')
    expect((await post('{{len .array}}', '[1,2,3]')).body).toBe('3')
    expect((await post('{{.u.name}}', '<u><name>bo</name></u>', { input_type: 'xml' })).body).toBe('bo')
  })

  it('treats an empty body as an empty object', async () => {
    const { body } = await run(makeBodyTransform, { paths: rule('<{{.x}}>') }, { method: 'POST' })
    expect(body).toBe('<<no value>>')
  })

  it('rejects a request whose body does not parse or makes the template fail', async () => {
    for (const [source, body] of [
      ['{{.name}}', 'not json'],
      ['{{index .array 9}}', '[1]'],
    ] as const) {
      expect((await post(source, body)).outcome).toMatchObject({ code: 'template-failed', status: 500 })
    }
  })

  it('can use the time and random values', async () => {
    const clock = { now: () => 86_400_000, after: () => () => {}, breathe: () => Promise.resolve() }
    const ids = { uuid: () => '0123456789ab4def8123456789abcdef' }
    const options = { services: { clock, ids } }
    const { body } = await post('{{now | unixEpoch}} {{uuidv4}}', '{}', {}, { options })
    expect(body).toBe('86400 01234567-89ab-4def-8123-456789abcdef')
  })

  it('sets the length of the new body', async () => {
    expect((await post('é', '{"a":1}')).header('content-length')).toBe('2')
  })

  it('can use metadata and context if they are enabled', async () => {
    const definition = { api: { enable_context_vars: true }, meta: { plan: 'gold' } }
    const source = '{{._svc_meta.plan}} {{._svc_context.path}} {{._svc_context.headers_Content_Length}}'
    expect((await post(source, '{}', { enable_session: true }, definition)).body).toBe('gold /a/x 2')
    expect((await post('{{._svc_meta}}', '{}', {}, { meta: { plan: 'gold' } })).body).toBe('<no value>')
  })

  it('can contain variables, whose values are escaped, and ignores variables in the body', async () => {
    const definition = { meta: { plan: 'a b' } }
    expect((await post('$svc_meta.plan {{.x}}', '{"x":"$svc_meta.plan"}', {}, definition)).body).toBe(
      'a+b $svc_meta.plan',
    )
  })

  it('cannot change the session', async () => {
    const { context } = await post(
      '{{$x := set ._svc_meta "plan" "free"}}',
      '{}',
      { enable_session: true },
      { meta: { plan: 'gold' } },
    )
    expect(context.key?.session.metaData).toEqual({ plan: 'gold' })
  })

  it.each([['{{if}}'], ['{{bcrypt .password}}']])('rejects every request if it is invalid: %s', async (source) => {
    const { outcome, body } = await post(source, '{"password":"p"}')
    expect(outcome).toMatchObject({ code: 'template-failed', status: 500 })
    expect(body).not.toContain('{{')
  })
})
