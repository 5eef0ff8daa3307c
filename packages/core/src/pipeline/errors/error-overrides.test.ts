import { gzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine, type TestEngineOptions } from '../../../test/support/test-engine.ts'
import { errorOverridesShape } from '../../definition/error-overrides-shape.ts'
import { type ByteStream, collect, streamOf } from '../../http/byte-stream.ts'
import { headerOf } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { readShape } from '../../lib/shape/shape.ts'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'

type Rules = Readonly<Record<string, readonly object[]>>
interface Given {
  readonly rules?: Rules
  readonly definition?: object
  readonly ofGateway?: Rules
  readonly status?: number
  readonly body?: Uint8Array | ByteStream
  readonly headers?: string[]
  readonly options?: TestEngineOptions
}

async function gatewayWith(given: Given) {
  const errorOverrides = readShape(errorOverridesShape, given.ofGateway).value
  return makeTestEngine({
    definitions: [definitionOf('a', { error_overrides: given.rules, ...given.definition })],
    upstream: async () => ({
      kind: 'response',
      status: given.status ?? 200,
      headers: ['content-type', 'text/plain', ...(given.headers ?? [])],
      body: given.body,
      bodyLength: undefined,
    }),
    ...given.options,
    engine: { errorOverrides, ...given.options?.engine },
  })
}

async function textOf({ body }: GatewayResponse): Promise<string> {
  if (body === undefined || typeof body === 'string') return body ?? ''
  return utf8Text(body instanceof Uint8Array ? body : await collect(body))
}

/** Status, text and type of the response to a request without a key. */
async function send(given: Given, headers: Record<string, string> = {}, method = 'GET') {
  const test = await gatewayWith(given)
  const response = await test.send(method, '/a/x', headers)
  return { ...test, response, status: response.status, text: await textOf(response) }
}

const keyed = { use_keyless: false }
const body = (text: string, status_code = 418) => ({ response: { status_code, body: text } })

describe('error overrides of the gateway’s errors', () => {
  it('try rules of the API before those of the gateway, and those of a status before those of its class', async () => {
    const rules = { '4xx': [body('class')], 401: [{ match: { message_pattern: 'quota' }, ...body('status') }] }
    const ofGateway = { 401: [body('gateway')] }
    expect(await send({ definition: keyed, rules, ofGateway })).toMatchObject({ status: 418, text: 'class' })
    expect((await send({ definition: keyed, ofGateway })).text).toBe('gateway')
    const disabled = { ...keyed, error_overrides_disabled: true }
    expect((await send({ definition: disabled, rules, ofGateway })).text).toBe('gateway')
  })

  it('match status and text of override_messages, which does not apply twice', async () => {
    const change = { status: 407, message: 'log in' }
    const settings = { overrideMessages: new Map([['auth.auth_field_missing', change]]) }
    const rules = { 407: [{ match: { message_pattern: '^log in$' }, response: { status_code: 470 } }] }
    const { status, text } = await send({ definition: keyed, rules, options: { settings } })
    expect([status, JSON.parse(text)]).toEqual([470, { error: 'log in' }])
  })

  it('keep headers of the error and record the new status', async () => {
    const records: { status: number }[] = []
    const engine = { records: [{ record: (record: { status: number }) => void records.push(record) }] }
    const rules = { 401: [{ response: { status_code: 470, headers: { 'X-Why': 'y' } } }] }
    const { response } = await send({ definition: { ...keyed, use_basic_auth: true }, rules, options: { engine } })
    expect(headerOf(response.headers, 'www-authenticate')).toContain('Basic')
    expect(headerOf(response.headers, 'x-why')).toBe('y')
    expect(records).toMatchObject([{ status: 470 }])
  })

  it('count application/soap+xml as JSON beside a body, and as XML in a layout', async () => {
    const soap = { 'content-type': 'application/soap+xml' }
    const own = await send({ definition: keyed, rules: { 401: [body('{{.Message}}')] } }, soap)
    expect(headerOf(own.response.headers, 'content-type')).toBe('application/json')
    const layout = await send({ definition: keyed, rules: { 401: [{ response: { message: 'm' } }] } }, soap)
    expect(headerOf(layout.response.headers, 'content-type')).toBe('application/soap+xml')
  })

  it('continue without a template file that does not exist', async () => {
    const rules = { 401: [{ response: { template: 'error_none', message: 'm' } }] }
    expect(JSON.parse((await send({ definition: keyed, rules })).text)).toEqual({ error: 'm' })
  })

  it('render a message in the layout, also for an error that is plain text', async () => {
    const service_discovery = {
      use_discovery_service: true,
      query_endpoint: 'http://names.test/',
      endpoint_returns_list: true,
      use_target_list: true,
    }
    const definition = { proxy: { listen_path: '/a/', target_url: 'http://fixed.test', service_discovery } }
    const fetch = {
      get: async () => ({ status: 200, body: utf8Bytes('[]') }),
      postForm: () => Promise.reject(new Error('discovery sends no forms')),
    }
    const textWith = async (response: object) => {
      const rules = { 503: [{ match: { flag: 'NHU' }, response }] }
      return (await send({ rules, definition, options: { engine: { fetch } } })).text
    }
    expect(await textWith({ status_code: 502 })).toBe('all hosts are down\n')
    expect(JSON.parse(await textWith({ message: 'all down' }))).toEqual({ error: 'all down' })
  })

  it('log each rule that cannot be read once', async () => {
    const { logged } = await send({
      definition: keyed,
      rules: { 401: [{ match: { message_pattern: '(' }, response: {} }] },
    })
    const lines = logged.filter(({ message }) => message === 'a rule of error_overrides is ignored')
    expect(lines).toMatchObject([{ fields: { api: 'a', rule: '401.0' } }])
  })
})

describe('error overrides of responses of the upstream', () => {
  const byField = { 500: [{ match: { body_field: 'error.code', body_value: '7' }, ...body('found') }] }
  const json = utf8Bytes('{"error":{"code":7}}')

  it('read a streamed body and pass it on unchanged if no rule applies', async () => {
    expect((await send({ rules: byField, status: 500, body: streamOf(json) })).text).toBe('found')
    const other = utf8Bytes('{"error":{"code":8}}')
    expect(await send({ rules: byField, status: 500, body: streamOf(other) })).toMatchObject({
      status: 500,
      text: '{"error":{"code":8}}',
    })
  })

  it.each([
    ['500', { match: { message_pattern: '(' }, response: { message: 'm' } }],
    ['5xx', { response: { body: '{{.Broken' } }],
  ])('hide the body if a rule that replaces it cannot be read: %s', async (status, broken) => {
    const given = { status: 500, body: json }
    const { text } = await send({ rules: { [status]: [broken] }, ...given })
    expect(JSON.parse(text)).toEqual({ error: 'There was a problem proxying the request' })
    expect((await send({ rules: { [status]: [broken, body('other')] }, ...given })).text).toBe('other')
    const harmless = { match: { message_pattern: '(' }, response: { status_code: 502 } }
    expect((await send({ rules: { [status]: [harmless] }, ...given })).text).toBe('{"error":{"code":7}}')
  })

  it('never pass the body on if a template fails', async () => {
    const rules = { 500: [body('{{.Message}}{{index .StatusCode 9}}')] }
    const { text } = await send({ rules, status: 500, body: json })
    expect(text).toBe('{{.Message}}{{index .StatusCode 9}}')
  })

  it('decompress a body to search it', async () => {
    const given = { rules: byField, status: 500, headers: ['content-encoding', 'gzip'] }
    const { response, text } = await send({ ...given, body: streamOf(gzipSync(json)) }, { 'accept-encoding': 'gzip' })
    expect([text, headerOf(response.headers, 'content-encoding')]).toEqual(['found', undefined])
    const broken = utf8Bytes('no gzip')
    expect((await send({ ...given, body: broken }, { 'accept-encoding': 'gzip' })).status).toBe(500)
  })

  it('apply to every response with a body_field without a body_value', async () => {
    const rules = { 500: [{ match: { body_field: 'x' }, ...body('any') }] }
    expect((await send({ rules, status: 500, body: utf8Bytes('{}') })).text).toBe('any')
  })

  it('do not parse a body of more than 1 MiB', async () => {
    const long = utf8Bytes(`{"error":{"code":7},"x":"${'x'.repeat(1024 * 1024)}"}`)
    expect((await send({ rules: byField, status: 500, body: streamOf(long) })).status).toBe(500)
  })

  it('keep the body beside a new status, and its type', async () => {
    const { response, status, text } = await send({
      rules: { 500: [{ response: { status_code: 502 } }] },
      status: 500,
      body: utf8Bytes('down'),
    })
    expect([status, text, headerOf(response.headers, 'content-type')]).toEqual([502, 'down', 'text/plain'])
  })

  it('send no body in a response to HEAD', async () => {
    const { status, text } = await send({ rules: { 500: [body('b')] }, status: 500 }, {}, 'HEAD')
    expect([status, text]).toEqual([418, ''])
  })

  it('leave responses below 400 and rejections of later stages alone', async () => {
    expect((await send({ rules: { 200: [body('never')] }, body: utf8Bytes('fine') })).text).toBe('fine')
  })

  it('add no stage to an API without rules', async () => {
    const test = await gatewayWith({})
    expect((await test.send('GET', '/a/x')).status).toBe(200)
  })
})
