import { makeFakeUpstream, makeVirtualClock } from '@turnpike/testkit'
import { describe, expect, it } from 'vitest'
import { createGateway } from './create-gateway.ts'
import { defineApi } from './define-api.ts'
import type { ConfigDocument } from './document-types.ts'

const api = defineApi({ id: 'a', target: 'http://upstream.test/', open: true })

async function setUp(config: ConfigDocument) {
  const clock = makeVirtualClock()
  return createGateway({ config, clock, log: 'silent', upstream: makeFakeUpstream(clock), definitions: [api] })
}

describe('metrics of a gateway', () => {
  it('are disabled by default', async () => {
    const gateway = await setUp({})
    expect((await gateway.inject('/metrics')).status).toBe(404)
    await gateway.close(0)
  })

  it('report requests, reloads and counts of records at /metrics', async () => {
    const gateway = await setUp({ metrics: { enabled: true }, enable_analytics: true })
    await gateway.inject('/a/x')
    await gateway.inject('/nowhere')
    const response = await gateway.inject('/metrics')
    expect(response.headers['content-type']).toContain('text/plain; version=0.0.4')
    const lines = response.text().split('\n')
    expect(lines).toContain('turnpike_requests_total{api="a",status="2xx",refused_by=""} 1')
    expect(lines).toContain('turnpike_requests_total{api="(none)",status="4xx",refused_by="route"} 1')
    expect(lines).toContain('turnpike_reloads_total{result="ok"} 1')
    expect(response.text()).toContain('turnpike_analytics_records_total{result="written"}')
    expect((await gateway.inject({ url: '/metrics', method: 'POST' })).status).toBe(405)
    await gateway.close(0)
  })

  it('have the path that the configuration names', async () => {
    const gateway = await setUp({ metrics: { enabled: true, path: 'numbers' } })
    expect((await gateway.inject('/numbers')).status).toBe(200)
    expect((await gateway.inject('/metrics')).status).toBe(404)
    await gateway.close(0)
  })

  it('have a port of their own where one is named', async () => {
    const { createServer } = await import('node:net')
    const free = await new Promise<number>((resolve) => {
      const probe = createServer().listen(0, '127.0.0.1', () => {
        const { port } = probe.address() as { port: number }
        probe.close(() => resolve(port))
      })
    })
    const gateway = await setUp({ metrics: { enabled: true, listen_port: free }, front_end: 'node' })
    const { url } = await gateway.listen(0)
    expect((await fetch(`${url}/metrics`)).status).toBe(404)
    expect((await fetch(`http://127.0.0.1:${free}/metrics`)).status).toBe(200)
    expect((await fetch(`http://127.0.0.1:${free}/a/x`)).status).toBe(404)
    await gateway.close(0)
  })
})
