/** Traces of requests in process: what a collector receives. docs/reference/opentelemetry.md describes it. */
import { makeFakeUpstream, makeMemoryLog, makeVirtualClock } from '@turnpike/testkit'
import { createGateway, defineApi, type GatewayOptions } from 'turnpike'
import { afterEach, describe, expect, it } from 'vitest'
import { startCollector } from './support/collector.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const target = 'http://upstream.test:8000/'
const caller = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const traceparent = `00-${caller.traceId}-${caller.spanId}-01`
const kinds = { internal: 1, server: 2, client: 3 }

async function makeSetup(section: object = {}, options: GatewayOptions = {}, config: object = {}) {
  const collector = await startCollector()
  cleanups.push(() => collector.close())
  const clock = makeVirtualClock()
  const upstream = makeFakeUpstream(clock)
  const log = makeMemoryLog()
  const gateway = await createGateway({
    ...{ clock, upstream, log },
    definitions: [
      defineApi({ id: 'open', target, open: true }),
      defineApi({ id: 'keyed', target, orgId: 'acme' }),
      { ...defineApi({ id: 'batch', target, open: true }), enable_batch_request_support: true },
    ],
    config: {
      opentelemetry: { enabled: true, endpoint: collector.url, span_processor_type: 'simple', ...section },
      ...config,
    } as never,
    ...options,
  })
  cleanups.push(() => gateway.close(0))
  const sent = (index = 0) => {
    const { headers = [] } = upstream.requests[index] ?? {}
    return (name: string) => headers.flatMap((value, i) => (i % 2 === 1 && headers[i - 1] === name ? [value] : []))
  }
  return { gateway, collector, clock, upstream, log, sent }
}

describe('a request', () => {
  it('has a server span and a client span in the trace of the caller', async () => {
    const { gateway, collector, sent } = await makeSetup()
    const headers = { traceparent, tracestate: 'vendor=x', baggage: 'user=7', 'user-agent': 'test/1', host: 'api.test' }
    await gateway.inject({ url: '/open/a?b=c', headers })
    const [client, server] = await collector.waitForSpans(2)
    expect(server).toMatchObject({
      ...{ traceId: caller.traceId, parentSpanId: caller.spanId, traceState: 'vendor=x' },
      ...{ name: 'GET /open/', kind: kinds.server, status: {} },
      attributes: {
        'http.request.method': 'GET',
        'url.scheme': 'http',
        'url.path': '/open/a',
        'url.query': 'b=c',
        'http.route': '/open/',
        'http.response.status_code': 200,
        'server.address': 'api.test',
        'client.address': '127.0.0.1',
        'network.protocol.version': '1.1',
        'user_agent.original': 'test/1',
        'turnpike.api.id': 'open',
      },
    })
    expect(client).toMatchObject({
      ...{ traceId: caller.traceId, parentSpanId: server?.spanId, name: 'GET', kind: kinds.client },
      attributes: {
        'http.request.method': 'GET',
        'url.full': 'http://upstream.test:8000/a',
        'server.address': 'upstream.test',
        'server.port': 8000,
        'http.response.status_code': 200,
      },
    })
    expect(sent()('traceparent')).toEqual([`00-${caller.traceId}-${client?.spanId}-01`])
    expect(sent()('tracestate')).toEqual(['vendor=x'])
    expect(sent()('baggage')).toEqual(['user=7'])
    expect(collector.resource()).toMatchObject({ 'service.name': 'turnpike', 'telemetry.sdk.language': 'nodejs' })
  })

  it.each([
    ['no header', {}],
    ['an id of zeros', { traceparent: `00-${'0'.repeat(32)}-${caller.spanId}-01` }],
    ['upper case', { traceparent: traceparent.toUpperCase() }],
    ['version ff', { traceparent: `ff${traceparent.slice(2)}` }],
    ['more fields in version 00', { traceparent: `${traceparent}-x` }],
    ['two headers', { traceparent: [traceparent, traceparent] }],
  ])('begins a trace: %s', async (_, headers) => {
    const { gateway, collector, sent } = await makeSetup()
    await gateway.inject({ url: '/open/', headers: { ...headers, tracestate: 'vendor=x' } })
    const [client, server] = await collector.waitForSpans(2)
    expect(server?.traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(server?.traceId).not.toBe(caller.traceId)
    expect(server).not.toHaveProperty('parentSpanId')
    expect(sent()('traceparent')).toEqual([`00-${server?.traceId}-${client?.spanId}-01`])
    expect(sent()('tracestate')).toEqual([])
  })

  it('of a later version of the header keeps its trace', async () => {
    const { gateway, collector } = await makeSetup()
    await gateway.inject({ url: '/open/', headers: { traceparent: `cc${traceparent.slice(2)}-what-comes` } })
    expect((await collector.waitForSpans(2))[1]).toMatchObject({ traceId: caller.traceId, parentSpanId: caller.spanId })
  })

  it('has an event for each stage, and times of the clock', async () => {
    const { gateway, collector, clock, upstream } = await makeSetup()
    upstream.play(() => ({ delayMs: 250 }))
    const startedAt = clock.now()
    const response = gateway.inject('/open/')
    await clock.run(250)
    await response
    const [client, server] = await collector.waitForSpans(2)
    expect(server?.events.map(({ name }) => name)).toContain('stage forward')
    expect(server?.events.find(({ name }) => name === 'stage forward')?.attributes).toMatchObject({
      'turnpike.stage.phase': '5-respond',
      'turnpike.stage.outcome': 'responds',
      'turnpike.stage.duration_us': 250_000,
    })
    for (const span of [client, server]) {
      expect(span?.startTimeUnixNano).toBe(`${startedAt}000000`)
      expect(span?.endTimeUnixNano).toBe(`${startedAt + 250}000000`)
    }
  })

  it('has a span for each stage if the API has detailed tracing', async () => {
    const { gateway, collector } = await makeSetup(
      {},
      { definitions: [{ ...defineApi({ id: 'open', target, open: true }), detailed_tracing: true }] },
    )
    await gateway.inject('/open/')
    const spans = await collector.waitForSpans(3)
    const server = spans.find(({ kind }) => kind === kinds.server)
    expect(spans.find(({ name }) => name === 'forward')).toMatchObject({
      ...{ parentSpanId: server?.spanId, kind: kinds.internal },
      attributes: { 'turnpike.stage.phase': '5-respond' },
    })
    expect(server?.events).toEqual([])
  })

  it('that is rejected names stage and reason, and shows no credential', async () => {
    const { gateway, collector } = await makeSetup(
      {},
      {
        definitions: [
          {
            ...defineApi({ id: 'keyed', target, orgId: 'acme' }),
            auth_configs: { authToken: { use_param: true, param_name: 'key', auth_header_name: 'Authorization' } },
          },
        ],
      },
    )
    await gateway.inject('/keyed/x?key=very-secret&page=2')
    const [server] = await collector.waitForSpans(1)
    expect(server).toMatchObject({
      ...{ name: 'GET /keyed/', status: {} },
      attributes: {
        'http.response.status_code': 403,
        'url.query': 'key=[masked]&page=2',
        'turnpike.rejection.stage': 'auth-token',
        'turnpike.rejection.code': 'key-unknown',
      },
    })
    expect(JSON.stringify(server)).not.toContain('very-secret')
  })

  it('that no API serves has a span without route', async () => {
    const { gateway, collector } = await makeSetup()
    await gateway.inject({ url: '/nowhere', method: 'PURGE' })
    const [server] = await collector.waitForSpans(1)
    expect(server).toMatchObject({
      name: 'HTTP',
      attributes: {
        'http.request.method': '_OTHER',
        'http.request.method_original': 'PURGE',
        'http.response.status_code': 404,
      },
    })
    expect(server?.attributes).not.toHaveProperty('http.route')
  })

  it('whose upstream fails has failed spans', async () => {
    const { gateway, collector, upstream } = await makeSetup()
    upstream.play(() => ({ failure: 'refused' }))
    await gateway.inject('/open/')
    const [client, server] = await collector.waitForSpans(2)
    expect(client).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': 'refused' } })
    expect(server).toMatchObject({ status: { code: 2 }, attributes: { 'turnpike.rejection.stage': 'forward' } })
  })

  it('does not reveal secrets that its definition refers to', async () => {
    const definition = { ...defineApi({ id: 'open', target, open: true }) }
    const proxy = { ...definition.proxy, target_url: 'env://TARGET' }
    const { gateway, collector } = await makeSetup(
      {},
      {
        definitions: [{ ...definition, proxy }],
        environment: { TARGET: 'http://upstream.test/hook-5f1e2d3c4b/' },
      },
    )
    await gateway.inject('/open/a')
    const [client] = await collector.waitForSpans(2)
    expect(client?.attributes['http.response.status_code']).toBe(200)
    expect(JSON.stringify(collector.spans)).not.toContain('5f1e2d3c4b')
  })
})

describe('parts of requests', () => {
  it('items of a batch are children of the batch, even if they name another trace', async () => {
    const { gateway, collector, sent } = await makeSetup()
    const items = ['a', 'b'].map((relative_url) => ({ method: 'GET', relative_url, headers: { traceparent: 'wrong' } }))
    await gateway.inject({
      ...{ url: '/batch/svc/batch/', method: 'POST' },
      ...{ headers: { traceparent }, body: JSON.stringify({ requests: items }) },
    })
    const spans = await collector.waitForSpans(5)
    const batch = spans.find(({ kind }) => kind === kinds.server)
    const inner = spans.filter(({ kind }) => kind === kinds.internal)
    const calls = spans.filter(({ kind }) => kind === kinds.client)
    expect(batch).toMatchObject({ name: 'POST /batch/', parentSpanId: caller.spanId })
    expect(inner.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([
      ['GET /batch/', batch?.spanId],
      ['GET /batch/', batch?.spanId],
    ])
    expect(calls.map(({ parentSpanId }) => parentSpanId).sort()).toEqual(inner.map(({ spanId }) => spanId).sort())
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([caller.traceId]))
    const headers = [sent(0)('traceparent'), sent(1)('traceparent')].flat().sort()
    expect(headers).toEqual(calls.map(({ spanId }) => `00-${caller.traceId}-${spanId}-01`).sort())
  })

  it('a loop to another API stays in the span of the request', async () => {
    const loop = defineApi({ id: 'outer', target: 'svc://open/inner', open: true })
    const { gateway, collector, sent } = await makeSetup(
      {},
      { definitions: [loop, defineApi({ id: 'open', target, open: true })] },
    )
    await gateway.inject({ url: '/outer/x', headers: { traceparent } })
    const [client, server] = await collector.waitForSpans(2)
    expect(server).toMatchObject({ name: 'GET /outer/', attributes: { 'turnpike.api.id': 'outer' } })
    expect(client?.parentSpanId).toBe(server?.spanId)
    expect(sent()('traceparent')).toEqual([`00-${caller.traceId}-${client?.spanId}-01`])
  })

  it('a mock has no client span', async () => {
    const definition = defineApi({ id: 'open', target, open: true })
    const { gateway, collector } = await makeSetup({}, {
      definitions: [
        {
          ...definition,
          version_data: {
            not_versioned: true,
            versions: {
              Default: {
                name: 'Default',
                use_extended_paths: true,
                extended_paths: { mock_response: [{ path: '/m', method: 'GET', code: 200, body: 'x', headers: {} }] },
              },
            },
          },
        },
      ],
    } as never)
    expect((await gateway.inject('/open/m')).status).toBe(200)
    await collector.waitForSpans(1)
    await gateway.close()
    expect(collector.spans.map(({ kind }) => kind)).toEqual([kinds.server])
  })
})

describe('sampling', () => {
  it.each([
    ['AlwaysOff', false, '01', 0, '00'],
    ['AlwaysOff', true, '01', 2, '01'],
    ['AlwaysOn', false, '00', 2, '01'],
    ['AlwaysOn', true, '00', 0, '00'],
  ])('%s, parent based %s, of a caller with flags %s', async (type, parent_based, flags, count, sentFlags) => {
    const { gateway, collector, sent } = await makeSetup({ sampling: { type, parent_based } })
    await gateway.inject({ url: '/open/', headers: { traceparent: traceparent.replace(/01$/, flags) } })
    expect(sent()('traceparent')[0]).toMatch(new RegExp(`^00-${caller.traceId}-[0-9a-f]{16}-${sentFlags}$`))
    await gateway.close()
    expect(collector.spans).toHaveLength(count)
  })

  it('records the configured share of the traces', async () => {
    const { gateway, collector } = await makeSetup({
      sampling: { type: 'TraceIDRatioBased', rate: 0.25 },
      span_processor_type: 'batch',
    })
    for (let i = 0; i < 2000; i++) await gateway.inject('/nowhere')
    await gateway.close()
    // The trace ids are random: 500 is expected, with a standard deviation of 19.
    expect(collector.spans.length).toBeGreaterThan(400)
    expect(collector.spans.length).toBeLessThan(600)
  })
})

describe('the gateway', () => {
  it('without opentelemetry passes the headers of the client unchanged', async () => {
    const { gateway, collector, sent } = await makeSetup({ enabled: false })
    await gateway.inject({ url: '/open/', headers: { traceparent, tracestate: 'a=b' } })
    expect([sent()('traceparent'), sent()('tracestate')]).toEqual([[traceparent], ['a=b']])
    await gateway.close()
    expect(collector.requests).toEqual([])
  })

  it('reads and writes the headers of B3', async () => {
    const { gateway, collector, sent } = await makeSetup({ context_propagation: 'b3' })
    await gateway.inject({ url: '/open/', headers: { b3: `${caller.traceId}-${caller.spanId}-1` } })
    const [client, server] = await collector.waitForSpans(2)
    expect(server).toMatchObject({ traceId: caller.traceId, parentSpanId: caller.spanId })
    const of = sent()
    expect([of('b3'), of('x-b3-traceid'), of('x-b3-spanid'), of('x-b3-sampled'), of('traceparent')]).toEqual([
      ...[[], [caller.traceId], [client?.spanId], ['1'], []],
    ])
  })

  it('writes ids of traces into the access log', async () => {
    const { gateway, collector, log } = await makeSetup({}, {}, { access_logs: { enabled: true } })
    await gateway.inject({ url: '/open/', headers: { traceparent } })
    const server = (await collector.waitForSpans(2))[1]
    const line = log.lines.find(({ fields }) => fields['prefix'] === 'access-log')
    expect(line?.fields).toMatchObject({ trace_id: caller.traceId, span_id: server?.spanId })
  })

  it('sends headers to the collector, with secrets from the environment', async () => {
    const { gateway, collector } = await makeSetup(
      { headers: { Authorization: 'env://COLLECTOR' } },
      { environment: { SVC_SECRET_COLLECTOR: 'Bearer 1' } },
    )
    await gateway.inject('/open/')
    await collector.waitForSpans(2)
    expect(collector.requests[0]).toMatchObject({ path: '/v1/traces', headers: { authorization: 'Bearer 1' } })
  })

  it('sends metrics with exemplars at intervals and at the end', async () => {
    const { gateway, collector } = await makeSetup({ metrics: { enabled: true, export_interval: 10 } })
    await gateway.inject({ url: '/open/', headers: { traceparent } })
    await gateway.inject('/keyed/')
    await gateway.inject('/nowhere')
    await gateway.close()
    const metrics = collector.metrics()
    const requests = metrics.get('http.server.request.duration')
    expect(requests?.unit).toBe('s')
    expect(requests?.points).toMatchObject([
      {
        ...{ 'http.request.method': 'GET', 'http.route': '/open/', 'http.response.status_code': 200, count: '1' },
        exemplars: [{ traceId: caller.traceId }],
      },
      { 'http.route': '/keyed/', 'http.response.status_code': 401 },
      { 'http.response.status_code': 404 },
    ])
    expect(metrics.get('http.client.request.duration')?.points).toMatchObject([
      { 'server.address': 'upstream.test', 'server.port': 8000, 'http.response.status_code': 200, count: '1' },
    ])
    expect(metrics.get('http.server.active_requests')?.points).toMatchObject([{ asInt: '0' }])
    expect(metrics.get('turnpike.rejections')?.points).toMatchObject([
      { 'turnpike.rejection.stage': 'auth-token', 'turnpike.api.id': 'keyed', asInt: '1' },
      { 'turnpike.rejection.stage': 'route', asInt: '1' },
    ])
  })

  it('reports an unreachable collector once, and serves as fast as before', async () => {
    const { gateway, collector, log } = await makeSetup({ endpoint: 'http://127.0.0.1:1' })
    for (let i = 0; i < 50; i++) expect((await gateway.inject('/open/')).status).toBe(200)
    await gateway.close(100)
    const lines = log.lines.filter(({ message }) => /telemetry|spans/.test(message))
    expect(lines).toMatchObject([{ level: 'warn', message: 'telemetry cannot be exported' }])
    expect(collector.requests).toEqual([])
  })
})
