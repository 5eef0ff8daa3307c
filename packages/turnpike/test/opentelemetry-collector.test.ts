/** Collectors with TLS, without room and without responses, and what is traced of HTTP/2, caches and rejections. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type IncomingHttpHeaders } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFakeUpstream, makeMemoryLog, makeVirtualClock } from '@turnpike/testkit'
import { createGateway, defineApi, type GatewayOptions } from 'turnpike'
import { afterEach, describe, expect, it } from 'vitest'
import { type Collector, startCollector } from './support/collector.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const target = 'http://upstream.test:8000/'
const caller = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const traceparent = `00-${caller.traceId}-${caller.spanId}-01`
const kinds = { server: 2, client: 3 }

async function makeSetup(collector: Collector, section: object, options: GatewayOptions = {}, config: object = {}) {
  cleanups.push(() => collector.close())
  const clock = makeVirtualClock()
  const upstream = makeFakeUpstream(clock)
  const log = makeMemoryLog()
  const opentelemetry = { enabled: true, endpoint: collector.url, span_processor_type: 'simple', ...section }
  const gateway = await createGateway({
    ...{ clock, upstream, log },
    definitions: [defineApi({ id: 'open', target, open: true }), defineApi({ id: 'keyed', target, orgId: 'acme' })],
    config: { opentelemetry, ...config } as never,
    ...options,
  })
  cleanups.push(() => gateway.close(0))
  const lines = () => log.lines.filter(({ message }) => /telemetry|spans/.test(message))
  return { gateway, log, lines, upstream }
}

/** A private key with a certificate that no authority signed, for 127.0.0.1. */
function makeCertificate() {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-collector-'))
  cleanups.push(() => rmSync(folder, { recursive: true }))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const names = ['-subj', '/CN=collector', '-addext', 'subjectAltName=IP:127.0.0.1']
  execFileSync('openssl', [...args, ...names, '-keyout', keyFile, '-out', certFile], { stdio: 'ignore' })
  return { certFile, key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') }
}

describe('a collector with TLS', () => {
  it('gets spans if its authority is named, and none otherwise', async () => {
    const { certFile, ...pair } = makeCertificate()
    const collector = await startCollector(pair)
    const { gateway } = await makeSetup(collector, { tls: { ca_file: certFile } })
    await gateway.inject('/open/')
    await collector.waitForSpans(2)

    const other = await startCollector(pair)
    const untrusting = await makeSetup(other, {})
    expect((await untrusting.gateway.inject('/open/')).status).toBe(200)
    await untrusting.gateway.close(500)
    expect(other.requests).toEqual([])
    expect(untrusting.lines()[0]).toMatchObject({ level: 'warn', message: 'telemetry cannot be exported' })
    expect(JSON.stringify(untrusting.lines()[0]?.fields)).toMatch(/self.signed/)
  })
})

describe('a collector that does not keep up', () => {
  it('costs spans, which are counted, and no request', async () => {
    const collector = await startCollector()
    const { gateway, lines } = await makeSetup(collector, { metrics: { enabled: true } })
    collector.respondWith(503)
    for (let i = 0; i < 1500; i++) expect((await gateway.inject('/open/')).status).toBe(200)
    collector.respondWith(200)
    await gateway.close(1000)
    const dropped = Number(collector.metrics().get('turnpike.dropped_spans')?.points[0]?.['asInt'])
    // The queue has 2,048 of the 3,000 spans, and at most one batch of 512 is on its way.
    expect(dropped).toBeGreaterThanOrEqual(3000 - 2048 - 512)
    expect(dropped).toBeLessThanOrEqual(3000)
    expect(lines().every(({ fields }) => typeof fields['droppedSpans'] === 'number')).toBe(true)
    expect(lines().length).toBeLessThanOrEqual(3)
  })
})

describe('a trace', () => {
  it('reaches an upstream of HTTP/2, such as one of gRPC', async () => {
    const seen: IncomingHttpHeaders[] = []
    const server = createServer()
    server.on('stream', (stream, headers) => {
      seen.push(headers)
      stream.respond({ ':status': 200 })
      stream.end('ok')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cleanups.push(() => new Promise((resolve) => server.close(resolve)))
    const port = (server.address() as AddressInfo).port
    const collector = await startCollector()
    cleanups.push(() => collector.close())
    const gateway = await createGateway({
      definitions: [defineApi({ id: 'open', target: `h2c://127.0.0.1:${port}`, open: true })],
      config: { opentelemetry: { enabled: true, endpoint: collector.url, span_processor_type: 'simple' } } as never,
    })
    cleanups.push(() => gateway.close(0))
    expect((await gateway.inject({ url: '/open/', headers: { traceparent, tracestate: 'a=b' } })).status).toBe(200)
    const spans = await collector.waitForSpans(2)
    const client = spans.find(({ kind }) => kind === kinds.client)
    expect(client).toMatchObject({ traceId: caller.traceId, attributes: { 'http.response.status_code': 200 } })
    expect(seen[0]).toMatchObject({ traceparent: `00-${caller.traceId}-${client?.spanId}-01`, tracestate: 'a=b' })
    await gateway.close(0)
  })

  it('of a cached response and of a rejected request has its ids in the access log', async () => {
    const collector = await startCollector()
    const cache_options = { enable_cache: true, cache_timeout: 60, cache_all_safe_requests: true }
    const cached = { ...defineApi({ id: 'open', target, open: true }), cache_options }
    const definitions = [cached, defineApi({ id: 'keyed', target, orgId: 'acme' })]
    const config = { access_logs: { enabled: true } }
    const { gateway, log } = await makeSetup(collector, {}, { definitions }, config)
    for (const url of ['/open/', '/open/', '/keyed/']) await gateway.inject({ url, headers: { traceparent } })
    const spans = await collector.waitForSpans(4)
    const servers = spans.filter(({ kind }) => kind === kinds.server)
    expect(servers.map(({ attributes }) => attributes['turnpike.cache.hit'])).toEqual([undefined, true, undefined])
    expect(spans.filter(({ kind }) => kind === kinds.client)).toHaveLength(1)
    expect(servers[2]?.attributes['turnpike.rejection.stage']).toBe('auth-token')
    const lines = log.lines.filter(({ fields }) => fields['prefix'] === 'access-log')
    expect(lines.map(({ fields }) => [fields['trace_id'], fields['span_id']])).toEqual(
      servers.map(({ spanId }) => [caller.traceId, spanId]),
    )
  })

  it('contains the introspection of a token and the fetch of a key set', async () => {
    const seen: (string | undefined)[] = []
    const issuer = createHttpServer((request, response) => {
      seen.push(String(request.headers['traceparent']))
      response.end(request.url === '/keys' ? '{"keys":[]}' : '{"active":true,"sub":"ida"}')
    })
    await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve))
    cleanups.push(() => new Promise((resolve) => issuer.close(resolve)))
    const url = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`
    const introspection = { enabled: true, url: `${url}/introspect`, client_id: 'id', client_secret: 'secret' }
    const keyed = (id: string) => defineApi({ id, target, orgId: 'acme' })
    const definitions = [
      { ...keyed('opaque'), external_oauth: { enabled: true, providers: [{ introspection }] } },
      { ...keyed('signed'), enable_jwt: true, jwt_signing_method: 'rsa', jwt_source: `${url}/keys` },
    ]
    const collector = await startCollector()
    const { gateway } = await makeSetup(collector, {}, { definitions } as never)
    const token = ['{"alg":"RS256","kid":"k"}', '{"sub":"ida"}', 'x'].map((part) =>
      Buffer.from(part).toString('base64url'),
    )
    for (const path of ['opaque', 'signed']) {
      await gateway.inject({ url: `/${path}/`, headers: { traceparent, authorization: `Bearer ${token.join('.')}` } })
    }
    const spans = await collector.waitForSpans(4)
    const calls = spans.filter(({ attributes }) => String(attributes['url.full']).startsWith(url))
    expect(calls.map(({ name, attributes }) => [name, attributes['url.full']])).toEqual([
      ['POST', `${url}/introspect`],
      ['GET', `${url}/keys`],
    ])
    expect(seen).toEqual(calls.map(({ spanId }) => `00-${caller.traceId}-${spanId}-01`))
    const servers = spans.filter(({ kind }) => kind === kinds.server)
    expect(calls.map(({ parentSpanId }) => parentSpanId)).toEqual(servers.map(({ spanId }) => spanId))
  })
})
