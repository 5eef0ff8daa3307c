/** Traces of the built process: both front ends, SIGTERM, streamed bodies and upgrades. Needs `npm run build`. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startRedisServer, titleWithRedis, withoutRedis } from '@turnpike/testkit/redis-server'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { startCollector } from './support/collector.ts'
import { gatewayConfig, keyedApi, makeFolder, openApi, sessionFor } from './support/folder.ts'
import { frontEnds } from './support/front-ends.ts'
import { startForTest } from './support/process.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const kinds = { server: 2, client: 3 }
const slow = { timeout: 60_000 }

/** An upstream that notes headers, sends a body in two parts, and accepts WebSockets. */
async function startUpstream() {
  const seen: Record<string, unknown>[] = []
  const server = createServer((request, response) => {
    seen.push(request.headers)
    response.write('first')
    setTimeout(() => response.end('last'), 100)
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (_, request) => seen.push(request.headers))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    for (const socket of sockets.clients) socket.terminate()
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

async function startTraced(config: object, section: object = {}) {
  const collector = await startCollector()
  cleanups.push(() => collector.close())
  const upstream = await startUpstream()
  const folder = makeFolder()
  cleanups.push(folder.remove)
  const opentelemetry = { enabled: true, endpoint: collector.url, ...section }
  folder.write('gateway.json', gatewayConfig({ ...config, opentelemetry }))
  folder.write('apps/open.json', openApi('open', upstream.url))
  folder.write('apps/keyed.json', keyedApi('keyed', upstream.url))
  return { gateway: await startForTest(folder, ['--no-requests']), collector, upstream }
}

describe.each(frontEnds)('the process with the front end %s', (front_end) => {
  it('sends what is queued when it is stopped, with the time of the whole body', slow, async () => {
    const { gateway, collector, upstream } = await startTraced({ front_end })
    expect(await (await fetch(`${gateway.url}/open/a`)).text()).toBe('firstlast')
    const startedAt = Date.now()
    expect(await gateway.stop()).toBe(0)
    expect(Date.now() - startedAt).toBeLessThan(10_000)
    const server = collector.spans.find(({ kind }) => kind === kinds.server)
    const client = collector.spans.find(({ kind }) => kind === kinds.client)
    expect(client?.parentSpanId).toBe(server?.spanId)
    expect(upstream.seen[0]?.['traceparent']).toBe(`00-${server?.traceId}-${client?.spanId}-01`)
    const millis = (span = server) => (Number(span?.endTimeUnixNano) - Number(span?.startTimeUnixNano)) / 1e6
    expect(millis()).toBeGreaterThan(90)
    expect(Math.abs(Number(server?.startTimeUnixNano) / 1e6 - startedAt)).toBeLessThan(60_000)
  })

  it('traces the upgrade of a WebSocket', slow, async () => {
    const { gateway, collector, upstream } = await startTraced({ front_end }, { span_processor_type: 'simple' })
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/open/socket`)
    await once(socket, 'open')
    const spans = await collector.waitForSpans(2)
    const server = spans.find(({ kind }) => kind === kinds.server)
    expect(server?.attributes['http.response.status_code']).toBe(101)
    const client = spans.find(({ kind }) => kind === kinds.client)
    expect(upstream.seen[0]?.['traceparent']).toBe(`00-${server?.traceId}-${client?.spanId}-01`)
    socket.terminate()
  })
})

describe('the process', () => {
  it('ends in time and with one line in the log if the collector never responds', slow, async () => {
    const { gateway, collector } = await startTraced({}, { span_processor_type: 'simple' })
    collector.respondWith(0)
    for (let i = 0; i < 20; i++) expect((await fetch(`${gateway.url}/open/a`)).status).toBe(200)
    const startedAt = Date.now()
    expect(await gateway.stop()).toBe(0)
    expect(Date.now() - startedAt).toBeLessThan(10_000)
    expect(gateway.text().match(/telemetry cannot be exported|spans are dropped/g)).toHaveLength(1)
  })

  it.each([
    [{ exporter: 'grpc' }, /opentelemetry\.exporter.*"grpc" is not supported.*set it to "http"/],
    [{ endpoint: 'ftp://collector' }, /opentelemetry\.endpoint.*"ftp:\/\/collector" is neither/],
    [{ sampling: { type: 'TraceIDRatioBased', rate: 2 } }, /opentelemetry\.sampling\.rate.*2 is not a share/],
  ])('does not start with %j, and says why', slow, async (section, reason) => {
    await expect(startTraced({}, section)).rejects.toThrow(reason)
  })
})

describe.skipIf(withoutRedis)(titleWithRedis('commands of Redis'), () => {
  it('are children of the request that causes them, also of requests that share a command', slow, async () => {
    const redis = await startRedisServer()
    onTestFinished(() => redis.close())
    const storage = { type: 'redis', host: redis.host, port: redis.port }
    const limiter = { enable_redis_rolling_limiter: true }
    const { gateway, collector } = await startTraced({ storage, ...limiter }, { span_processor_type: 'simple' })
    const body = { ...sessionFor('keyed'), quota_max: 1000, quota_renewal_rate: 3600 }
    const made = (await gateway.client.keys.createKey({ body: body as never })) as { value: { key?: string } }
    const headers = { Authorization: made.value.key ?? '' }
    const responses = Array.from({ length: 10 }, () => fetch(`${gateway.url}/keyed/a`, { headers }))
    for (const response of await Promise.all(responses)) await response.arrayBuffer()
    expect(await gateway.stop()).toBe(0)
    const servers = collector.spans.filter(({ kind }) => kind === kinds.server)
    expect(servers).toHaveLength(10)
    for (const server of servers) {
      const commands = collector.spans.filter(
        ({ parentSpanId, attributes }) => parentSpanId === server.spanId && attributes['db.system.name'] === 'redis',
      )
      expect(commands.map(({ name }) => name)).toContain('EVALSHA')
      for (const command of commands) {
        expect(command).toMatchObject({ traceId: server.traceId, kind: kinds.client, status: {} })
        expect(command.attributes['db.operation.name']).toBe(command.name)
      }
    }
  })
})
