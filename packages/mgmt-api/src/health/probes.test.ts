import type { Store } from '@turnpike/core/ports'
import { makeMemoryStore } from '@turnpike/core/store-memory'
import { describe, expect, it } from 'vitest'
import { keyedApi, makeTestGateway } from '../../test/test-gateway.ts'

const away = (store: Store): Store => ({ ...store, check: async () => ({ ok: false, reason: 'connection refused' }) })

describe('liveness', () => {
  it('answers without a key, and without details before the first check', async () => {
    const gateway = await makeTestGateway({ apis: [keyedApi('a')] })
    const said = await gateway.callOpen('GET', '/hello')
    expect(said.status).toBe(200)
    expect(said.json).toEqual({ status: 'pass', version: 'v5.13.0', description: expect.any(String) })
  })

  it('reports the store after one period', async () => {
    const gateway = await makeTestGateway({ apis: [keyedApi('a')] })
    await gateway.clock.run(10_000)
    expect((await gateway.callOpen('GET', '/hello')).json).toMatchObject({
      status: 'pass',
      details: { redis: { status: 'pass', componentType: 'datastore', time: '2026-01-01T00:00:10Z' } },
    })
  })

  it('responds with 200 with fail while the store is away', async () => {
    const gateway = await makeTestGateway({ store: (clock) => away(makeMemoryStore({ clock })) })
    await gateway.clock.run(10_000)
    const said = await gateway.callOpen('GET', '/hello')
    expect(said.status).toBe(200)
    expect(said.json).toMatchObject({ status: 'fail', details: { redis: { output: 'connection refused' } } })
  })

  it('warns of definitions that cannot be loaded, by name and without the reason', async () => {
    const gateway = await makeTestGateway({ apis: [keyedApi('a')] })
    gateway.files.set('apps/broken.json', 'secret nonsense')
    await gateway.call('GET', '/svc/reload?block=true')
    await gateway.clock.run(10_000)
    const { json, text } = await gateway.callOpen('GET', '/hello')
    expect(json).toMatchObject({ status: 'warn', details: { definitions: { output: 'not loaded: apps/broken.json' } } })
    expect(text).not.toContain('nonsense')
  })
})

describe('liveness of APIs that cannot do what their definitions say', () => {
  it('names those that reject requests apart from those that ignore a field', async () => {
    const closed = { ...keyedApi('a'), custom_middleware: { driver: 'python', pre: [{ name: 'x', path: 'x.py' }] } }
    const gateway = await makeTestGateway({ apis: [closed, { ...keyedApi('b'), analytics_plugin: { enabled: true } }] })
    expect((await gateway.callOpen('GET', '/hello')).json).toMatchObject({
      details: {
        features: {
          status: 'warn',
          output: 'requests are rejected: a custom_middleware; not supported: b analytics_plugin',
        },
      },
    })
  })
})

describe('readiness', () => {
  it('passes when the store answers and definitions were loaded', async () => {
    const gateway = await makeTestGateway({ apis: [keyedApi('a')] })
    expect(await gateway.callOpen('GET', '/ready')).toMatchObject({ status: 200, json: { status: 'pass' } })
  })

  it('fails while the store is away, also before the first check', async () => {
    const gateway = await makeTestGateway({ store: (clock) => away(makeMemoryStore({ clock })) })
    for (const wait of [0, 10_000]) {
      await gateway.clock.run(wait)
      expect(await gateway.callOpen('GET', '/ready')).toMatchObject({
        status: 503,
        json: { status: 'error', message: 'Redis connection not available' },
      })
    }
  })

  it('fails after one interval if the check of the store hangs, and liveness says why', async () => {
    const hanging = { check: () => new Promise<never>(() => {}) }
    const gateway = await makeTestGateway({ store: (clock) => ({ ...makeMemoryStore({ clock }), ...hanging }) })
    await gateway.clock.run(20_000)
    expect(await gateway.callOpen('GET', '/hello')).toMatchObject({
      json: { status: 'fail', details: { redis: { status: 'fail', output: 'health check timed out' } } },
    })
    expect(await gateway.callOpen('GET', '/ready')).toMatchObject({ status: 503 })
  })

  it('fails until definitions were loaded', async () => {
    const health = {
      storeCheck: () => undefined,
      isStoreReachable: async () => true,
      usesRedis: false,
      isLoaded: () => false,
    }
    const nothing = { throttledPerSecond: 0, quotaViolationsPerSecond: 0, keyFailuresPerSecond: 0 }
    const of = () => ({ ...nothing, averageUpstreamLatency: 0, requestsPerSecond: 0 })
    const gateway = await makeTestGateway({ management: { health: { ...health, of } } })
    expect(await gateway.callOpen('GET', '/ready')).toMatchObject({
      status: 503,
      json: { status: 'error', message: 'A successful API reload did not happen' },
    })
  })
})

describe('the liveness probe of several workers', () => {
  it('warns while some of them do not serve', async () => {
    let ready = 1
    const workers = { restart: async () => {}, state: async () => ({ wanted: 2, ready }) }
    const gateway = await makeTestGateway({ management: { workers } })
    const { json } = await gateway.callOpen('GET', '/hello')
    expect(json).toMatchObject({ status: 'warn', details: { workers: { output: '1 of 2 workers serve' } } })
    ready = 2
    expect((await gateway.callOpen('GET', '/hello')).json).toMatchObject({ status: 'pass' })
  })
})

describe('both probes', () => {
  it('know GET only, HEAD neither', async () => {
    const gateway = await makeTestGateway()
    for (const path of ['/hello', '/ready']) {
      const said = await gateway.callOpen('POST', path)
      expect([said.status, said.text]).toEqual([405, '{"status":"error","message":"Method Not Allowed"}\n'])
      expect((await gateway.callOpen('HEAD', path)).status).toBe(405)
    }
  })

  it('are served under configured names only', async () => {
    const { api } = await makeTestGateway({ options: { livenessName: 'alive', readinessName: 'am-i-ready' } })
    expect(['/hello', '/ready', '/alive', '/am-i-ready'].filter(api.owns)).toEqual(['/alive', '/am-i-ready'])
  })
})
