// Stages of a program in a running engine: configuration, position, what they can read and change, and failures.
import { describe, expect, it } from 'vitest'
import { documentOf, makeDocumentEngine } from '../../../test/support/document-engine.ts'
import { definitionOf, makeTestEngine, requestOf, type TestEngineOptions } from '../../../test/support/test-engine.ts'
import { plainSettings } from '../../../test/support/test-settings.ts'
import { type ByteStream, collect, streamOf } from '../../http/byte-stream.ts'
import { headerOf } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { withNoopStages } from '../compile/noop-stages.ts'
import { stageOrder } from '../stage-order.ts'
import { listStages } from './adapt-custom-stages.ts'
import type { CustomStage, StageRequest } from './custom-stage.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

async function textOf({ body }: GatewayResponse): Promise<string> {
  if (typeof body === 'string' || body === undefined) return body ?? ''
  return new TextDecoder().decode(body instanceof Uint8Array ? body : await collect(body as ByteStream))
}

/** A stage of 3-admit that runs for every API. */
function requestStage(request: (request: StageRequest) => unknown, more: Partial<CustomStage> = {}): CustomStage {
  const make = () => ({ request: request as (request: StageRequest) => undefined })
  return { name: 'own', phase: '3-admit', defaultConfig: {}, make, ...more }
}

function engineWith(stages: readonly CustomStage[], options: TestEngineOptions = {}) {
  return makeTestEngine({ definitions: [definitionOf('a')], ...options, engine: { stages, ...options.engine } })
}

interface TenantConfig {
  readonly header: string
  readonly allowed?: readonly string[]
}

const tenant: CustomStage<TenantConfig> = {
  name: 'tenant',
  phase: '3-admit',
  schema: {
    type: 'object',
    required: ['header'],
    properties: { header: { type: 'string' }, allowed: { type: 'array', items: { type: 'string' } } },
    additionalProperties: false,
  },
  make: ({ config: { header, allowed = [] } }) => ({
    request: (request) =>
      allowed.includes(request.headers.get(header) ?? '') ? undefined : request.reject(402, 'who?'),
  }),
}

describe('a stage that rejects with 429', () => {
  it('sends its own Retry-After only, not that of the rate limit of the key', async () => {
    const own = requestStage((request) => request.reject(429, 'busy', { 'Retry-After': '7' }), { after: 'key-limits' })
    const keyed = definitionOf('k', { use_keyless: false, auth: { auth_header_name: 'Authorization' } })
    const settings = { headers: { ...plainSettings.headers, ietf: true } }
    const test = await engineWith([own], { definitions: [keyed], settings })
    await test.putKey('org1abcd', { org_id: 'org1', access_rights: { k: { api_id: 'k' } }, rate: 3, per: 10 })
    const { status, headers } = await test.send('GET', '/k/x', { authorization: 'abcd' })
    expect([status, headers.filter((_, i) => headers[i - 1] === 'retry-after')]).toEqual([429, ['7']])
  })
})

describe('the configuration of a stage', () => {
  const configured = definitionOf('a', { stages: { tenant: { header: 'X-Tenant', allowed: ['acme'] } } })

  it('applies to the API that has it, and the others lack the stage', async () => {
    const test = await engineWith([tenant], { definitions: [configured, definitionOf('b')] })
    expect((await test.send('GET', '/a/x')).status).toBe(402)
    expect((await test.send('GET', '/a/x', { 'X-Tenant': 'acme' })).status).toBe(200)
    const { stages } = await test.engine.explain(requestOf('GET', '/b/x'), false, () => 0)
    expect(stages.map(({ stage }) => stage)).not.toContain('tenant')
    expect((await test.send('GET', '/b/x')).status).toBe(200)
  })

  it.each([
    [{ tenant: {} }, 'stages.tenant: header is required', '"tenant"'],
    [{ tenant: { header: 5 } }, 'stages.tenant.header: Invalid type. Expected: string, given: integer', '"header"'],
    [{ tenant: { header: 'a', more: 1 } }, 'stages.tenant: Additional property more is not allowed', '"tenant"'],
    [{ tenant: 'x' }, 'stages.tenant: must be an object, or false to turn the stage off', '"tenant"'],
    [{ tenants: {} }, 'stages.tenants: is not a stage of this gateway; did you mean "tenant"?', '"tenants"'],
    [
      { other: {} },
      'stages.other: is not a stage of this gateway; pass the stage to createGateway({ stages })',
      '"other"',
    ],
  ])('is validated when the definition is loaded: %j', async (stages, reason, at) => {
    const test = await engineWith([tenant], { definitions: [definitionOf('a', { stages }), definitionOf('b')] })
    const text = test.files.definitions.get('a.json') as string
    const [failed] = test.engine.report()?.failed ?? []
    expect(failed).toMatchObject({ source: 'a.json', reason, line: 1, keptOld: false })
    const value = text.slice((failed?.column ?? 0) - 1)
    expect(text.indexOf(at)).toBeLessThanOrEqual(text.length - value.length)
    expect((await test.send('GET', '/a/x')).status).toBe(404)
    expect((await test.send('GET', '/b/x')).status).toBe(200)
  })

  it('that breaks at a reload keeps the last good version', async () => {
    const test = await engineWith([tenant], { definitions: [configured] })
    test.files.definitions.set('a.json', JSON.stringify(definitionOf('a', { stages: { tenant: { head: 'x' } } })))
    const report = await test.engine.reload()
    expect(report.failed).toMatchObject([{ source: 'a.json', keptOld: true }])
    expect((await test.send('GET', '/a/x')).status).toBe(402)
    expect((await test.send('GET', '/a/x', { 'X-Tenant': 'acme' })).status).toBe(200)
  })

  it('is rejected by a gateway without stages, because the stage may guard the API', async () => {
    const test = await makeTestEngine({ definitions: [configured] })
    expect(test.engine.report()?.failed).toMatchObject([{ reason: expect.stringContaining('stages.tenant: is not') }])
  })

  it('is read from the extension of an OpenAPI document, and errors name the place in that file', async () => {
    const document = (stages: object) => documentOf({}, { middleware: { stages } })
    const own = { header: 'X-Tenant', allowed: ['acme'] }
    const test = await makeDocumentEngine(document({ tenant: own }), { engine: { stages: [tenant] } })
    expect((await test.send('GET', '/d/x')).status).toBe(402)
    expect((await test.send('GET', '/d/x', { 'X-Tenant': 'acme' })).status).toBe(200)
    const wrong = await makeDocumentEngine(document({ tenant: { header: 1 } }), { engine: { stages: [tenant] } })
    expect(wrong.engine.report()?.failed).toMatchObject([
      {
        source: 'd.json',
        reason: expect.stringMatching(
          /^d-oas\.json:1:\d+: x-svc-api-gateway\.middleware\.stages\.tenant\.header: Invalid type/,
        ),
      },
    ])
  })

  it('has a default for APIs that do not configure the stage; false turns it off', async () => {
    const seen: unknown[] = []
    const stage: CustomStage = {
      name: 'seen',
      phase: '1-accept',
      defaultConfig: { by: 'default' },
      make({ id, config }) {
        seen.push([id, config])
        return null
      },
    }
    await engineWith([stage], {
      definitions: [
        definitionOf('a'),
        definitionOf('b', { stages: { seen: { by: 'b' } } }),
        definitionOf('c', { stages: { seen: false } }),
      ],
    })
    expect(seen).toEqual([
      ['a', { by: 'default' }],
      ['b', { by: 'b' }],
    ])
  })

  it('is given once per load: an unchanged definition keeps its stage', async () => {
    let made = 0
    const stage = requestStage(() => undefined, { make: () => ({ request: () => void made++ }) })
    let makes = 0
    const counting: CustomStage = {
      ...stage,
      make: (api) => {
        makes++
        return stage.make(api)
      },
    }
    const test = await engineWith([counting])
    await test.engine.reload()
    expect(makes).toBe(1)
    await test.send('GET', '/a/x')
    expect(made).toBe(1)
    test.files.definitions.set('a.json', JSON.stringify(definitionOf('a', { tags: ['new'] })))
    await test.engine.reload()
    expect(makes).toBe(2)
    await test.engine.recompile()
    await test.send('GET', '/a/x')
    expect([makes, made]).toEqual([2, 2])
  })

  it.each([
    [
      'an error of make',
      () => {
        throw new Error('no such tenant list')
      },
      'cannot be made: no such tenant list',
    ],
    ['an unknown handler', () => ({ run() {} }), 'cannot be made: make returned the member "run"'],
    ['no handler', () => ({}), 'cannot be made: make returned neither request nor response'],
    ['a handler that is no function', () => ({ request: 5 }), 'cannot be made: request must be a function'],
  ])('is rejected with %s', async (_name, make, reason) => {
    const test = await engineWith([{ name: 'own', phase: '1-accept', defaultConfig: {}, make: make as never }])
    expect(test.engine.report()?.failed).toMatchObject([{ reason: expect.stringContaining(reason) }])
  })

  it('cannot be used with an invalid phase: the engine throws', async () => {
    await expect(() => engineWith([{ ...tenant, phase: '9-none' as never } as CustomStage])).rejects.toThrow(
      /stages\[0\]\.phase/,
    )
  })
})

describe('a stage', () => {
  it.each([
    ['the order', stageOrder],
    ['the order with stages between its stages', withNoopStages(stageOrder)],
  ])('runs at its position, several in their order, in %s', async (_name, order) => {
    const seen: string[] = []
    const at = (name: string, more: Partial<CustomStage>) => requestStage(() => void seen.push(name), { name, ...more })
    const stages = [
      at('last-of-admit', {}),
      at('before-access', { before: 'key-access' }),
      at('first-of-respond', { phase: '5-respond' }),
      at('after-cors', { phase: '1-accept', after: 'cors' }),
      at('second-after-cors', { phase: '1-accept', after: 'cors' }),
      at('end-of-shape', { phase: '4-shape-request' }),
    ]
    const test = await engineWith(stages, { engine: { order } })
    expect((await test.send('GET', '/a/x')).status).toBe(200)
    expect(seen).toEqual([
      ...['after-cors', 'second-after-cors', 'before-access', 'last-of-admit', 'end-of-shape', 'first-of-respond'],
    ])
  })

  it('is listed at its position', () => {
    const first = requestStage(() => undefined, { name: 'first', phase: '5-respond' })
    const shape = requestStage(() => undefined, { name: 'shape', phase: '6-shape-response', before: 'cache-write' })
    const listed = listStages([requestStage(() => undefined), first, shape])
    const names = listed.map(({ name }) => name)
    const after = (name: string) => names[names.indexOf(name) + 1]
    expect([after('mcp-admit'), after('graphql-request')]).toEqual(['own', 'first'])
    expect(after('shape')).toBe('cache-write')
    expect(listed.filter(({ isCustom }) => isCustom).map(({ phase }) => phase)).toEqual([
      ...['3-admit', '5-respond', '6-shape-response'],
    ])
    expect(names).toHaveLength(stageOrder.stages.length + stageOrder.responses.length + 3)
  })

  it('appears in explain with its notes', async () => {
    const test = await engineWith([
      requestStage((request) => {
        request.note(`dry: ${request.dry}`)
        return request.reject(409, 'not now')
      }),
    ])
    const { stages } = await test.engine.explain(requestOf('GET', '/a/x'), true, () => 0)
    expect(stages.at(-1)).toEqual({
      stage: 'own',
      phase: '3-admit',
      verdict: 'rejects: 409 not now',
      micros: 0,
      notes: ['dry: true'],
    })
  })

  it('rejects in the error layout, which error_overrides replace', async () => {
    const reject = requestStage((request) => request.reject(402, 'pay first', { 'X-Plan': 'gold' }))
    const plain = await (await engineWith([reject])).send('GET', '/a/x')
    expect([plain.status, headerOf(plain.headers, 'x-plan')]).toEqual([402, 'gold'])
    expect(JSON.parse(await textOf(plain))).toEqual({ error: 'pay first' })
    const errorOverrides = {
      '402': [{ match: { message_pattern: '^pay' }, response: { status_code: 418, body: 'tea' } }],
    }
    const overridden = await engineWith([reject], {
      definitions: [definitionOf('a', { error_overrides: errorOverrides })],
    })
    const response = await overridden.send('GET', '/a/x')
    expect([response.status, await textOf(response)]).toEqual([418, 'tea'])
  })

  it('responds itself, with a reply or a Response', async () => {
    const { ReadableStream, Response } = globalThis as unknown as Record<
      'ReadableStream' | 'Response',
      new (
        ...args: unknown[]
      ) => never
    >
    const stream = new ReadableStream({
      start(controller: { enqueue(chunk: Uint8Array): void; close(): void }) {
        controller.enqueue(bytes('in '))
        controller.enqueue(bytes('parts'))
        controller.close()
      },
    })
    const replies: Record<string, unknown> = {
      '/text': { status: 201, headers: { 'X-A': ['1', '2'] }, body: 'made' },
      '/bytes': { status: 200, body: bytes('raw') },
      '/none': { status: 204 },
      '/stream': { status: 200, body: stream },
      '/response': new Response('{}', {
        status: 203,
        headers: [
          ['content-type', 'application/json'],
          ['content-length', '2'],
        ],
      }),
    }
    const test = await engineWith([requestStage(({ path }) => replies[path])])
    const send = async (path: string) => {
      const response = await test.send('GET', `/a${path}`)
      return [response.status, await textOf(response), response.headers]
    }
    expect(await send('/text')).toEqual([
      201,
      'made',
      ['x-a', '1', 'x-a', '2', 'content-type', 'text/plain; charset=utf-8'],
    ])
    expect(await send('/bytes')).toEqual([200, 'raw', []])
    expect(await send('/none')).toEqual([204, '', []])
    expect(await send('/stream')).toEqual([200, 'in parts', []])
    expect(await send('/response')).toEqual([203, '{}', ['content-type', 'application/json']])
    expect(test.upstreamRequests).toEqual([])
  })

  it.each<readonly [name: string, handler: (request: StageRequest) => unknown, cause: RegExp]>([
    [
      'throws',
      () => {
        throw new Error('boom')
      },
      /boom/,
    ],
    ['rejects later', () => Promise.reject(new Error('later')), /later/],
    ['returns true', () => true, /the stage own returned true; it must return nothing/],
    ['returns an invalid status', () => ({ status: 'ok' }), /returned the status ok/],
    ['returns an invalid body', () => ({ status: 200, body: {} }), /must be a text, a Uint8Array or a ReadableStream/],
    ['returns an invalid header', () => ({ status: 200, headers: { 'a b': 'c' } }), /"a b" is not a valid header name/],
    [
      'sets a header with a line break',
      ({ headers }) => headers.set('x', 'a\r\nb: c'),
      /characters that are not allowed/,
    ],
    [
      'sets a framing header',
      ({ headers }) => headers.set('Content-Length', '5'),
      /sets the header content-length itself/,
    ],
    ['sets a path with dot segments', (request) => request.setPath('/a/../b'), /must not contain dot segments/],
    ['sets a path with a query', (request) => request.setPath('/a?b'), /must start with a slash and contain no query/],
    ['sets an invalid method', (request) => request.setMethod('A B'), /"A B" is not a valid method/],
    ['rejects with a status that is no error', (request) => request.reject(200, 'fine'), /from 400 to 599, given: 200/],
    [
      'counts without a limit',
      (request) => request.consume('a', { limit: 0, seconds: 1 }),
      /a limit needs a whole number/,
    ],
  ])('that %s gets 500 and a log line', async (_name, handler, cause) => {
    const test = await engineWith([requestStage(handler)])
    const response = await test.send('GET', '/a/x')
    expect(response.status).toBe(500)
    expect(await textOf(response)).not.toMatch(/boom|own/)
    const { message, fields } = test.logged.find(({ level }) => level === 'error') ?? {}
    expect([message, fields?.['stage']]).toEqual(['a stage failed', 'own'])
    expect(fields?.['cause']).toMatch(cause)
    expect((await test.send('GET', '/none')).status).toBe(404)
  })
})

describe('the request of a stage', () => {
  it('can be read', async () => {
    const seen: unknown[] = []
    const test = await engineWith([
      requestStage(({ method, path, query, headers, clientAddress, secure, version, session, dry }) => {
        seen.push({ method, path, query, a: headers.get('X-A'), none: headers.get('x-b'), has: headers.has('x-a') })
        seen.push({ clientAddress, secure, version, session, dry, names: [...headers].map(([name]) => name) })
      }),
    ])
    await test.send('GET', '/a/x%20y?q=1', { 'X-A': '1', Cookie: 'c' })
    expect(seen).toEqual([
      { method: 'GET', path: '/x%20y', query: 'q=1', a: '1', none: null, has: true },
      {
        ...{ clientAddress: '192.0.2.1', secure: false, version: 'Default', session: undefined, dry: false },
        names: ['x-a', 'cookie'],
      },
    ])
  })

  it('can be changed for the upstream', async () => {
    const test = await engineWith([
      requestStage((request) => {
        request.headers.set('X-New', 'n')
        request.headers.append('x-new', 'm')
        request.headers.delete('x-old')
        request.setMethod('PUT')
        request.setPath('/other path')
        request.setQuery('?a=b#c')
        request.setBody('{"n":1}')
      }),
    ])
    await test.send('POST', '/a/x?y=1', { 'X-Old': 'o', 'Content-Encoding': 'gzip' })
    const [sent] = test.upstreamRequests
    expect(sent).toMatchObject({ method: 'PUT', path: '/other%20path?a=b%23c' })
    expect(sent?.body).toEqual(bytes('{"n":1}'))
    const { headers = [] } = sent ?? {}
    expect(headers.filter((_, i) => headers[i - (i % 2)] === 'x-new')).toEqual(['x-new', 'n', 'x-new', 'm'])
    expect(headerOf(headers, 'x-old')).toBeUndefined()
    expect(headerOf(headers, 'content-encoding')).toBeUndefined()
  })

  it('that an early stage changed is what authentication and path rules see', async () => {
    const versions = {
      Default: {
        name: 'Default',
        use_extended_paths: true,
        extended_paths: { black_list: [{ path: '/closed', method: 'GET' }] },
      },
    }
    const login: CustomStage = requestStage(
      (request) => {
        request.headers.set('Authorization', request.headers.get('x-key') ?? '')
      },
      { phase: '2-identify', before: 'auth-token' },
    )
    const move = requestStage((request) => request.setPath(request.headers.get('x-to') ?? request.path), {
      name: 'move',
      phase: '1-accept',
      before: 'version-check',
    })
    const keyed = definitionOf('a', {
      use_keyless: false,
      auth: { auth_header_name: 'Authorization' },
      version_data: { not_versioned: true, versions },
    })
    const test = await engineWith([login, move], { definitions: [keyed] })
    await test.putKey('org1key', { org_id: 'org1', access_rights: { a: { api_id: 'a', versions: ['Default'] } } })
    expect((await test.send('GET', '/a/x')).status).toBe(401)
    expect((await test.send('GET', '/a/x', { 'x-key': 'org1key' })).status).toBe(200)
    expect((await test.send('GET', '/a/x', { 'x-key': 'org1key', 'x-to': '/closed' })).status).toBe(403)
  })

  it('has the session of the key, which a stage cannot change', async () => {
    const seen: unknown[] = []
    const test = await engineWith(
      [
        requestStage(({ session }) => {
          seen.push(session)
          ;(session?.metaData as Record<string, unknown>)['tier'] = 'stolen'
        }),
      ],
      { definitions: [definitionOf('a', { use_keyless: false, auth: { auth_header_name: 'Authorization' } })] },
    )
    await test.putKey('org1key', {
      ...{ org_id: 'org1', alias: 'ada', tags: ['t'], meta_data: { tier: 'gold' } },
      access_rights: { a: { api_id: 'a', versions: ['Default'] } },
    })
    for (let i = 0; i < 2; i++) await test.send('GET', '/a/x', { Authorization: 'org1key' })
    expect(seen[1]).toMatchObject({ alias: 'ada', orgId: 'org1', tags: ['t'], policies: [], oauthClientId: '' })
    expect(JSON.stringify(seen)).not.toContain('org1key')
    const fresh: unknown[] = []
    seen.push = (one) => fresh.push(JSON.parse(JSON.stringify(one)))
    await test.send('GET', '/a/x', { Authorization: 'org1key' })
    expect(fresh).toMatchObject([{ metaData: { tier: 'gold' } }])
  })

  it('has variables that definitions read', async () => {
    const versions = {
      Default: {
        name: 'Default',
        global_headers: { 'X-Tenant': '$svc_context.tenant', 'X-Path': '$svc_context.seen' },
      },
    }
    const test = await engineWith(
      [
        requestStage(({ variables }) => {
          variables.set('tenant', 'acme')
          variables.set('seen', variables.get('path'))
        }),
      ],
      {
        definitions: [
          definitionOf('a', { enable_context_vars: true, version_data: { not_versioned: true, versions } }),
        ],
      },
    )
    await test.send('GET', '/a/x')
    const { headers = [] } = test.upstreamRequests[0] ?? {}
    expect([headerOf(headers, 'x-tenant'), headerOf(headers, 'x-path')]).toEqual(['acme', '/a/x'])
  })

  it('has a body, which still reaches the upstream, within the limit', async () => {
    const seen: unknown[] = []
    const test = await engineWith([
      requestStage(async (request) => {
        seen.push(await request.json(), await request.text())
      }),
    ])
    const post = (text: string) => {
      const body = bytes(text)
      const request = { ...requestOf('POST', '/a/x'), body: streamOf(body), bodyLength: body.length }
      return test.engine.handle(request)
    }
    expect((await post('{"n":1}')).status).toBe(200)
    expect(seen).toEqual([{ n: 1 }, '{"n":1}'])
    expect(test.upstreamRequests[0]?.body).toEqual(bytes('{"n":1}'))
    expect((await post('x'.repeat(1_100_000))).status).toBe(413)
  })

  it('counts in the store, but not in a dry run', async () => {
    const test = await engineWith([
      requestStage(async (request) => {
        const { allowed, remaining, resetAt } = await request.consume('all', { limit: 2, seconds: 60 })
        request.note(`${remaining} until ${resetAt}`)
        return allowed ? undefined : request.reject(429, 'slow down')
      }),
    ])
    const send = async () => (await test.send('GET', '/a/x')).status
    expect(await send()).toBe(200)
    await test.engine.explain(requestOf('GET', '/a/x'), true, () => 0)
    expect([await send(), await send()]).toEqual([200, 429])
    test.advance(60_000)
    expect(await send()).toBe(200)
  })
})

describe('the response handler of a stage', () => {
  const upstream = async () => ({
    kind: 'response' as const,
    status: 200,
    headers: ['content-type', 'application/json', 'x-old', '1', 'content-length', '7'],
    body: streamOf(bytes('{"n":1}')),
    bodyLength: 7,
  })

  it('reads and changes responses, in 6-shape-response at its position', async () => {
    const seen: string[] = []
    const of = (name: string, more: Partial<CustomStage>): CustomStage => ({
      ...{ name, phase: '6-shape-response', defaultConfig: {} },
      make: () => ({
        async response(response, { path }) {
          seen.push(name)
          response.headers.set('x-by', `${path} ${name}`)
          response.headers.delete('x-old')
          const { n } = (await response.json()) as { n: number }
          response.status = 201
          response.setBody(JSON.stringify({ n: n + 1 }))
        },
      }),
      ...more,
    })
    const stages = [of('second', {}), of('first', { before: 'response-body' }), of('both', { phase: '1-accept' })]
    const test = await engineWith(stages, { upstream })
    const response = await test.send('GET', '/a/x')
    expect([response.status, await textOf(response)]).toEqual([201, '{"n":4}'])
    expect(headerOf(response.headers, 'x-by')).toBe('/x both')
    expect([headerOf(response.headers, 'x-old'), headerOf(response.headers, 'content-length')]).toEqual([
      undefined,
      undefined,
    ])
    expect(seen).toEqual(['first', 'second', 'both'])
  })

  it('can replace a response, and rejects bodies over the limit', async () => {
    const replace = (handler: unknown): CustomStage =>
      ({ name: 'own', phase: '6-shape-response', defaultConfig: {}, make: () => ({ response: handler }) }) as never
    const replaced = await engineWith([replace(() => ({ status: 202, body: 'other' }))], { upstream })
    const response = await replaced.send('GET', '/a/x')
    expect([response.status, await textOf(response)]).toEqual([202, 'other'])
    const settings = { maxReadResponseBytes: 3 }
    const limited = await engineWith(
      [replace(async (shown: { text(): Promise<string> }) => void (await shown.text()))],
      {
        upstream,
        settings,
      },
    )
    expect((await limited.send('GET', '/a/x')).status).toBe(500)
    expect(limited.logged.map(({ message }) => message)).toContain('a stage cannot read a response: it is too long')
    const failing = await engineWith(
      [
        replace(() => {
          throw new Error('boom')
        }),
      ],
      { upstream },
    )
    expect((await failing.send('GET', '/a/x')).status).toBe(500)
    expect(failing.logged.map(({ fields }) => fields?.['stage'])).toContain('own')
  })

  it('does not run for rejections', async () => {
    let runs = 0
    const count: CustomStage = {
      ...{ name: 'count', phase: '1-accept', defaultConfig: {} },
      make: () => ({ response: () => void runs++ }),
    }
    const test = await engineWith([count, requestStage((request) => request.reject(400, 'no'))])
    await test.send('GET', '/a/x')
    expect(runs).toBe(0)
  })
})
