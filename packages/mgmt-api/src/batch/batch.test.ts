import { type ByteStream, collect, type GatewayRequest, type GatewayResponse, streamOf } from '@turnpike/core/http'
import { utf8Bytes, utf8Text } from '@turnpike/core/lib'
import type { UpstreamError, UpstreamRequest, UpstreamResponse } from '@turnpike/core/ports'
import { describe, expect, it } from 'vitest'
import {
  definitionOf,
  makeTestEngine,
  requestOf,
  type TestEngineOptions,
} from '../../../core/test/support/test-engine.ts'
import { makeBatchEndpoint } from './batch-endpoint.ts'
import { type BatchSettings, defaultBatchSettings } from './batch-settings.ts'

interface Reply {
  readonly relative_url: string
  readonly code: number
  readonly headers: Record<string, string[]> | null
  readonly body: string
}

type Item = { method?: string; headers?: Record<string, string>; body?: string; relative_url?: string }

const failed = { relative_url: '', code: 0, headers: null, body: '' }
const batching = { enable_batch_request_support: true }

const response = (text: string, status = 200, headers: string[] = []): UpstreamResponse => ({
  kind: 'response',
  status,
  headers,
  body: utf8Bytes(text),
  bodyLength: text.length,
})

/** Responds with method, path and body of the request. */
async function echo({ method, path, body }: UpstreamRequest): Promise<UpstreamResponse> {
  const bytes = body === undefined || body instanceof Uint8Array ? body : await collect(body)
  return response(`${method} ${path}${bytes === undefined ? '' : ` ${utf8Text(bytes)}`}`)
}

function callOf(path: string, body: string | object, more: Partial<GatewayRequest> = {}): GatewayRequest {
  const bytes = utf8Bytes(typeof body === 'string' ? body : JSON.stringify(body))
  return { ...requestOf('POST', path, { host: 'gw.test' }), body: streamOf(bytes), bodyLength: bytes.length, ...more }
}

async function makeBatches(options: TestEngineOptions & { batch?: Partial<BatchSettings> } = {}) {
  const { batch, ...rest } = options
  const test = await makeTestEngine({
    definitions: [definitionOf('a', batching), definitionOf('other')],
    upstream: echo,
    attach: () => ({ endpoints: [makeBatchEndpoint({ ...defaultBatchSettings, ...batch })] }),
    ...rest,
  })
  const call = async (body: string | object, path = '/a/svc/batch/'): Promise<GatewayResponse> =>
    test.engine.handle(callOf(path, body))
  return {
    ...test,
    call,
    async items(items: Item[], inOrder = true): Promise<Reply[]> {
      const made = await call({ requests: items, suppress_parallel_execution: inOrder })
      expect(made.status).toBe(200)
      expect(String(made.body).endsWith('\n')).toBe(true)
      return JSON.parse(String(made.body)) as Reply[]
    },
    paths: () => test.upstreamRequests.map(({ method, path }) => `${method} ${path}`),
  }
}

describe('an item of a batch', () => {
  it('keeps its method and body if its path is invalid', async () => {
    const test = await makeBatches()
    const replies = await test.items([
      { method: 'POST', relative_url: '/x', body: 'one' },
      { method: 'PUT', relative_url: '../other//z', body: 'two' },
      { method: 'PATCH', relative_url: 'http://host/y', body: 'žluť' },
    ])
    expect(replies.map(({ body }) => body)).toEqual(['POST /x one', 'PUT /other/z two', 'PATCH /http:/host/y žluť'])
  })

  it('passes the checks that every request passes', async () => {
    const test = await makeBatches()
    const replies = await test.items([
      { method: 'TRACE', relative_url: 'x' },
      { method: 'get', relative_url: 'x' },
      { relative_url: 'x/..;/y' },
    ])
    expect(replies.map(({ code }) => code)).toEqual([405, 400, 400])
    expect(test.paths()).toEqual([])
  })

  it('never leaves its API, not even for one whose listen path is longer', async () => {
    const inner = definitionOf('inner', {
      proxy: { listen_path: '/a/in/', target_url: 'http://inner.test', strip_listen_path: true },
    })
    const test = await makeBatches({ definitions: [definitionOf('a', batching), inner] })
    await test.items([{ relative_url: 'in/x' }, { relative_url: '../inner/x' }])
    expect(test.paths()).toEqual(['GET /in/x', 'GET /inner/x'])
    expect(test.upstreamRequests.map(({ headers }) => headers[headers.indexOf('host') + 1])).toEqual([
      'upstream.test',
      'upstream.test',
    ])
  })

  it('comes from the connection of the call, with its own headers only', async () => {
    const test = await makeBatches({
      definitions: [
        definitionOf('a', {
          ...batching,
          proxy: {
            listen_path: '/a/',
            target_url: 'http://upstream.test',
            strip_listen_path: true,
            preserve_host_header: true,
          },
        }),
      ],
    })
    const body = {
      requests: [{ headers: { 'X-B': '2', 'X-A': 'ž', HOST: 'evil', 'Content-Length': '9' }, body: 'abc' }],
    }
    const call = callOf('/a/svc/batch/', body, { headers: ['host', 'gw.test', 'x-outer', 'secret'] })
    await test.engine.handle(call)
    const { headers } = test.upstreamRequests[0] as UpstreamRequest
    expect(headers.filter((_, i) => i % 2 === 0)).not.toContain('x-outer')
    expect(headers.slice(0, 4)).toEqual(['x-a', '\u00c5\u00be', 'x-b', '2'])
    expect(headers[headers.indexOf('host') + 1]).toBe('gw.test')
    expect(headers[headers.indexOf('x-forwarded-for') + 1]).toBe('192.0.2.1')
    expect(test.upstreamRequests[0]?.bodyLength).toBe(3)
  })

  it.each([
    ['a line break in a header', { headers: { 'X-A': 'b\r\nX-Evil: 1' } }],
    ['an invalid name', { headers: { 'X A': 'b' } }],
    ['a tunnel', { method: 'CONNECT' }],
  ])('with %s fails alone, as recorded', async (_, item) => {
    const test = await makeBatches()
    expect(await test.items([item, { relative_url: 'ok' }])).toMatchObject([failed, { code: 200 }])
    expect(test.paths()).toEqual(['GET /ok'])
  })

  it('over 64 KiB of path, or with 100 headers, is rejected as the front ends reject it', async () => {
    const test = await makeBatches()
    const replies = await test.items([{ relative_url: 'x'.repeat(70_000) }, { relative_url: 'y'.repeat(9_000) }])
    expect(replies.map(({ code }) => code)).toEqual([431, 200])
    const headers = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`x-${i}`, '']))
    expect(await test.items([{ headers }, {}])).toMatchObject([{ code: 431 }, { code: 200 }])
  })

  it('has a reply with names in canonical form, values as lists, lengths of whole bodies, no body for HEAD', async () => {
    const test = await makeBatches({
      upstream: () =>
        Promise.resolve(response('ž', 200, ['set-cookie', 'a=1', 'x-up', '\u00c5\u00be', 'set-cookie', 'b=2'])),
    })
    const [got, head] = await test.items([{ relative_url: 'x' }, { method: 'HEAD' }])
    expect(got).toMatchObject({ relative_url: 'x', code: 200, body: 'ž' })
    expect(got?.headers).toMatchObject({ 'Set-Cookie': ['a=1', 'b=2'], 'X-Up': ['ž'], 'Content-Length': ['2'] })
    expect(got?.headers).toHaveProperty('X-Ratelimit-Limit', ['0'])
    expect(head).toMatchObject({ code: 200, body: '' })
  })

  it('has a body of text: bytes that are no UTF-8 are replaced', async () => {
    const bytes = new Uint8Array([0x61, 0xff, 0xfe, 0x62])
    const test = await makeBatches({
      upstream: () => Promise.resolve({ kind: 'response', status: 200, headers: [], body: bytes, bodyLength: 4 }),
    })
    expect(await test.items([{}])).toMatchObject([{ body: 'a\ufffd\ufffdb' }])
  })

  it('takes the version of the API that it names itself', async () => {
    const versioned = definitionOf('a', {
      ...batching,
      definition: { location: 'header', key: 'x-v' },
      version_data: {
        not_versioned: false,
        versions: { one: { name: 'one' }, two: { name: 'two', override_target: 'http://two.test/t' } },
      },
    })
    const test = await makeBatches({ definitions: [versioned] })
    const replies = await test.items([{ headers: { 'X-V': 'one' } }, { headers: { 'X-V': 'two' } }, {}])
    expect(replies.map(({ code, body }) => `${code} ${body.slice(0, 8)}`)).toEqual([
      '200 GET /',
      '200 GET /t',
      expect.stringMatching(/^403/),
    ])
  })
})

describe('a batch call', () => {
  it('is made with POST only, and answered with nothing otherwise', async () => {
    const test = await makeBatches()
    expect(await test.send('GET', '/a/svc/batch/')).toMatchObject({ status: 200, body: '' })
  })

  it.each([
    ['no JSON', 'nope'],
    ['an empty body', ''],
    ['a list', '[]'],
    ['text where a list belongs', '{"requests":"all"}'],
    ['a number as body', '{"requests":[{"body":1}]}'],
    ['a header that is no text', '{"requests":[{"headers":{"a":1}}]}'],
    ['deep nesting', `{"x":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ])('of %s is malformed', async (_, body) => {
    const test = await makeBatches()
    const made = await test.call(body)
    expect(made).toMatchObject({ status: 400, headers: ['content-type', 'application/json'] })
    expect(made.body).toBe('{"status":"error","message":"Batch request malformed"}\n')
  })

  it.each([
    ['an invalid method', { method: 'BAD METHOD' }],
    ['a control character', { relative_url: 'a\nb' }],
    ['a broken escape', { relative_url: '%zz' }],
  ])('with %s in one item sends nothing', async (_, item) => {
    const test = await makeBatches()
    const made = await test.call({ requests: [{ relative_url: 'ok' }, item] })
    expect(made.status).toBe(400)
    expect(made.body).toContain('Batch request creation failed , request structure malformed')
    expect(test.upstreamRequests).toEqual([])
  })

  it('passes unknown fields over and takes null for absent', async () => {
    const test = await makeBatches()
    const made = await test.call('{"requests":[null,{"headers":null,"x":1}],"more":{"__proto__":1}}')
    expect(JSON.parse(String(made.body))).toMatchObject([{ code: 200 }, { code: 200 }])
    expect(await test.call('null')).toMatchObject({ status: 200, body: '[]\n' })
  })

  it('is rejected with the reason over its items and over its bytes', async () => {
    const test = await makeBatches({ batch: { maxItems: 2, maxBodyBytes: 100 } })
    const many = await test.call({ requests: [{}, {}, {}] })
    expect(many).toMatchObject({ status: 400, body: expect.stringContaining('has 3 requests, the maximum is 2') })
    const long = await test.call({ requests: [{ body: 'x'.repeat(200) }] })
    expect(long).toMatchObject({ status: 400, body: expect.stringContaining('longer than 100 bytes') })
    const told = callOf('/a/svc/batch/', '{"requests":[]}', { bodyLength: undefined })
    expect(await test.engine.handle(told)).toMatchObject({ status: 200 })
    const untold = callOf('/a/svc/batch/', ' '.repeat(200), { bodyLength: undefined })
    expect(await test.engine.handle(untold)).toMatchObject({ status: 400 })
    expect(test.upstreamRequests).toEqual([])
  })

  it('below the id of the API sends its items by the listen path', async () => {
    const byId = definitionOf('b-id', {
      ...batching,
      proxy: { listen_path: '/b-listen', target_url: 'http://upstream.test', strip_listen_path: false },
    })
    const test = await makeBatches({ definitions: [byId] })
    await test.call({ requests: [{ relative_url: 'z' }] }, '/b-id/svc/batch/')
    await test.call({ requests: [{ relative_url: 'z' }] }, '/b-listen/svc/batch/')
    expect(test.paths()).toEqual(['GET /b-listen/z', 'GET /b-listen/z'])
  })

  it('below an id that begins with the listen path is a batch as well', async () => {
    const crane = definitionOf('crane', {
      ...batching,
      proxy: { listen_path: '/cran', target_url: 'http://upstream.test', strip_listen_path: true },
    })
    const test = await makeBatches({ definitions: [crane] })
    await test.call({ requests: [{ relative_url: 'z' }] }, '/crane/svc/batch/')
    await test.call({ requests: [{ relative_url: 'z' }] }, '/cran/svc/batch/')
    expect(test.paths()).toEqual(['GET /z', 'GET /z'])
  })

  it('below a listen path with variables sends its items below the same one', async () => {
    const shop = definitionOf('shop', {
      ...batching,
      proxy: { listen_path: '/shops/{id}/', target_url: 'http://upstream.test', strip_listen_path: false },
    })
    const test = await makeBatches({ definitions: [shop] })
    await test.call({ requests: [{ relative_url: '../8/z' }] }, '/shops/7/svc/batch/')
    expect(test.paths()).toEqual(['GET /shops/7/8/z'])
  })

  it('of an inactive organisation is rejected before its body is read', async () => {
    const test = await makeBatches()
    await test.putKey('unused', {})
    const session = (await test.store.sessions.get('unused'))?.session
    if (session === undefined) throw new Error('no session')
    await test.store.organisations.put('org1', { ...session, isInactive: true })
    test.engine.orgs.forget('org1')
    expect(await test.call({ requests: [{}] })).toMatchObject({ status: 403 })
    expect(test.upstreamRequests).toEqual([])
  })

  it('without the switch, or to a proxy for MCP, is a request like any other', async () => {
    const mcp = definitionOf('m', { ...batching, application_protocol: 'mcp' })
    const test = await makeBatches({ definitions: [definitionOf('off'), mcp] })
    await test.call({}, '/off/svc/batch/')
    expect(test.paths()).toEqual(['POST /svc/batch/'])
    // An MCP proxy rejects a body that is not JSON-RPC.
    expect((await test.call({}, '/m/svc/batch/')).status).toBe(415)
  })
})

describe('items at once', () => {
  /** Responses that a test completes, by path. */
  const makeHeld = () => {
    const waiting = new Map<string, (text: string) => void>()
    const cancelled: string[] = []
    const upstream = ({ path, onStart }: UpstreamRequest) =>
      new Promise<UpstreamResponse | UpstreamError>((resolve) => {
        waiting.set(path, (text) => resolve(response(text)))
        onStart?.(() => {
          cancelled.push(path)
          resolve({ kind: 'error', reason: 'cancelled', cause: undefined })
        })
      })
    return { waiting, cancelled, upstream }
  }
  const turns = async () => {
    for (let i = 0; i < 50; i++) await Promise.resolve()
  }
  const requests = ['1', '2', '3', '4'].map((relative_url) => ({ relative_url }))

  it('are responded to as they arrive', async () => {
    const held = makeHeld()
    const test = await makeBatches({ upstream: held.upstream })
    const replies = test.items(requests, false)
    await turns()
    for (const path of ['/3', '/1', '/4', '/2']) {
      held.waiting.get(path)?.('x')
      await turns()
    }
    expect((await replies).map(({ relative_url }) => relative_url)).toEqual(['3', '1', '4', '2'])
  })

  it('are under way only as many as may be, and one after the other when asked so', async () => {
    for (const [inOrder, most] of [
      [false, 2],
      [true, 1],
    ] as const) {
      const held = makeHeld()
      const test = await makeBatches({ upstream: held.upstream, batch: { maxConcurrency: 2 } })
      const replies = test.items(requests, inOrder)
      for (let done = 0; done < 4; done++) {
        await turns()
        expect(held.waiting.size).toBe(Math.min(most, 4 - done))
        const [path, respond] = [...held.waiting][0] as [string, (text: string) => void]
        held.waiting.delete(path)
        respond('x')
      }
      expect(await replies).toHaveLength(4)
    }
  })

  it('are given up when the client goes away, and none is started after', async () => {
    const held = makeHeld()
    const test = await makeBatches({ upstream: held.upstream, batch: { maxConcurrency: 2 } })
    let leave: (() => void) | undefined
    const nested = { requests: [{ relative_url: 'deep' }, { relative_url: 'deeper' }] }
    const batchContext = callOf(
      '/a/svc/batch/',
      {
        requests: [
          requests[0],
          { method: 'POST', relative_url: 'svc/batch/', body: JSON.stringify(nested) },
          requests[1],
        ],
      },
      { onAbort: (listener) => (leave = listener) },
    )
    const made = test.engine.handle(batchContext)
    await turns()
    expect([...held.waiting.keys()]).toHaveLength(2)
    leave?.()
    expect(await made).toMatchObject({ status: 499 })
    await turns()
    expect(held.cancelled.toSorted()).toEqual([...held.waiting.keys()].toSorted())
    expect(test.upstreamRequests).toHaveLength(2)
  })

  it('do not spoil each other: an upstream that is down, a stage that breaks, a response that breaks off', async () => {
    const broken: ByteStream = {
      pipe: (sink) => {
        sink.data(utf8Bytes('half'))
        sink.fail(new Error('gone'))
      },
      pause() {},
      resume() {},
      cancel() {},
    }
    const test = await makeBatches({
      upstream: ({ path }) => {
        if (path === '/down') return Promise.resolve({ kind: 'error', reason: 'refused', cause: 'no' })
        if (path === '/bug') throw new Error('a bug')
        if (path !== '/half') return Promise.resolve(response('fine'))
        return Promise.resolve({ kind: 'response', status: 200, headers: [], body: broken, bodyLength: undefined })
      },
    })
    const replies = await test.items(['ok', 'down', 'bug', 'half', 'ok'].map((relative_url) => ({ relative_url })))
    expect(replies.map(({ code }) => code)).toEqual([200, 500, 500, 0, 200])
    expect(replies[3]).toEqual(failed)
  })

  it('share the space for responses, and small responses always have a part of it', async () => {
    const test = await makeBatches({
      batch: { maxItems: 10, maxResponseBytes: 1000 },
      upstream: ({ path }) => Promise.resolve(response('x'.repeat(Number(path.slice(1))))),
    })
    const replies = await test.items(['900', '101', '2000', '100', '99'].map((relative_url) => ({ relative_url })))
    expect(replies.map(({ code }) => code)).toEqual([200, 502, 502, 200, 200])
  })
})

describe('redirects in answers', () => {
  const to = (location: string, status: number) => Promise.resolve(response('', status, ['location', location]))

  it('are followed inside the API, as GET or with method and body kept', async () => {
    const test = await makeBatches({
      upstream: async (request) => {
        if (request.path === '/see') return to('/a/there?x=1', 303)
        if (request.path === '/keep') return to('http://gw.test/a/there', 307)
        return echo(request)
      },
    })
    const replies = await test.items([
      { method: 'POST', relative_url: 'see', body: 'one' },
      { method: 'POST', relative_url: 'keep', body: 'two' },
    ])
    expect(replies.map(({ relative_url, body }) => [relative_url, body])).toEqual([
      ['see', 'GET /there?x=1'],
      ['keep', 'POST /there two'],
    ])
  })

  it('that leave the API, or come more than ten times, make the item fail', async () => {
    const test = await makeBatches({
      definitions: [definitionOf('a', batching), definitionOf('other')],
      upstream: ({ path }) => {
        if (path === '/out') return to('/other/x', 302)
        const left = Number(path.slice(1))
        return left > 0 ? to(`/a/${left - 1}`, 302) : Promise.resolve(response('done'))
      },
    })
    expect(await test.items([{ relative_url: 'out' }])).toEqual([failed])
    expect(test.paths()).toEqual(['GET /out'])
    expect(await test.items([{ relative_url: '10' }, { relative_url: '11' }])).toMatchObject([{ body: 'done' }, failed])
  })
})

describe('a batch inside a batch', () => {
  const nest = (depth: number): Item =>
    depth === 0
      ? { relative_url: 'x' }
      : { method: 'POST', relative_url: 'svc/batch/', body: JSON.stringify({ requests: [nest(depth - 1)] }) }

  it('works, also with one place, and is bounded in depth', async () => {
    const test = await makeBatches({ batch: { maxConcurrency: 1 } })
    let [reply] = await test.items([nest(4)])
    for (let level = 0; level < 4; level++) reply = (JSON.parse(reply?.body ?? '[]') as Reply[])[0]
    expect(reply).toMatchObject({ code: 200, body: 'GET /x' })
    test.upstreamRequests.length = 0
    await test.items([nest(5)])
    expect(test.upstreamRequests).toEqual([])
  })

  it('counts its items with those around it', async () => {
    const test = await makeBatches({ batch: { maxItems: 3 } })
    const nested = { method: 'POST', relative_url: 'svc/batch/', body: '{"requests":[{},{}]}' }
    const replies = await test.items([nested, { relative_url: 'x' }])
    expect(replies[0]).toMatchObject({ code: 400, body: expect.stringContaining('more than 3 requests in all') })
    expect(replies[1]).toMatchObject({ code: 200 })
  })
})
