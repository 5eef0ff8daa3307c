import { makeMemorySignals } from '@turnpike/core/store-memory'
import { describe, expect, it } from 'vitest'
import { keyedApi, makeTestGateway } from '../../test/test-gateway.ts'

const done = '{"status":"ok","message":""}\n'

describe('reload', () => {
  it('responds with block=true when it is done', async () => {
    const gateway = await makeTestGateway({ apis: [keyedApi('a')] })
    gateway.files.set('apps/b.json', JSON.stringify(keyedApi('b')))
    expect(await gateway.ask('/b/x')).toBe(404)
    expect((await gateway.call('GET', '/svc/reload?block=true')).text).toBe(done)
    expect(await gateway.ask('/b/x')).toBe(401)
  })

  it('is only asked for without it, and with any other value', async () => {
    const asked: string[] = []
    const reloader = {
      reload: () => Promise.reject(new Error('never')),
      request: () => asked.push('x'),
      report: () => undefined,
    }
    const gateway = await makeTestGateway({
      management: { reloader: { ...reloader, request: () => void asked.push('x') } },
    })
    for (const query of ['', '?block=1', '?block=TRUE']) {
      expect((await gateway.call('GET', `/svc/reload${query}`)).text).toBe(done)
    }
    expect(asked.length).toBe(3)
  })

  it('of the group reaches this node by its own subscription', async () => {
    const gateway = await makeTestGateway({ apis: [keyedApi('a')] })
    gateway.files.set('apps/b.json', JSON.stringify(keyedApi('b')))
    expect((await gateway.call('GET', '/svc/reload/group')).text).toBe(done)
    await gateway.clock.run(0)
    expect(await gateway.ask('/b/x')).toBe(401)
  })

  it('of the group reloads this node alone, and says so, while the storage is away', async () => {
    const signals = { ...makeMemorySignals(), publish: () => Promise.reject(new Error('connection refused')) }
    const gateway = await makeTestGateway({ signals })
    gateway.files.set('apps/b.json', JSON.stringify(keyedApi('b')))
    const said = await gateway.call('GET', '/svc/reload/group')
    expect(said).toMatchObject({ status: 503, json: { status: 'error' } })
    await gateway.clock.run(0)
    expect(await gateway.ask('/b/x')).toBe(401)
  })

  it('reports what it did', async () => {
    const gateway = await makeTestGateway({ apis: [keyedApi('a')] })
    gateway.files.set('apps/broken.json', '{')
    gateway.files.set('apps/b.json', JSON.stringify(keyedApi('b')))
    await gateway.call('GET', '/svc/reload?block=true')
    expect((await gateway.call('GET', '/svc/reload/report')).json).toMatchObject({
      started_at: '2026-01-01T00:00:00.000Z',
      loaded: 2,
      changed: ['apps/b.json'],
      failed: [{ source: 'apps/broken.json', kept_old: false }],
    })
  })
})

describe('the nodes of the group', () => {
  it('are listed with what they serve, and whether it is the same', async () => {
    const gateway = await makeTestGateway({ apis: [keyedApi('a')] })
    const { status, text } = await gateway.call('GET', '/svc/nodes')
    expect([status, JSON.parse(text)]).toEqual([
      200,
      {
        converged: true,
        nodes: [
          {
            id: 'n1',
            host: 'test',
            started_at: expect.any(String),
            seen_at: expect.any(String),
            served_hash: expect.stringMatching(/^[0-9a-f]{32}$/),
            apis: 1,
            last_reload: { at: expect.any(String), duration_ms: 0, outcome: 'done' },
          },
        ],
      },
    ])
  })

  it('have not converged when two serve different things, and cannot be listed while the store is down', async () => {
    const state = (id: string, servedHash: string) => ({
      ...{ id, host: 'h', startedAt: 0, seenAt: 0, servedHash, apis: 0, lastReload: undefined },
    })
    const group = { reload: () => Promise.resolve(), nodes: async () => [state('a', '1'), state('b', '2')] }
    const split = await makeTestGateway({ management: { group } })
    expect(JSON.parse((await split.call('GET', '/svc/nodes')).text)).toMatchObject({ converged: false })
    const away = await makeTestGateway({
      management: { group: { ...group, nodes: () => Promise.reject(new Error('the store is away')) } },
    })
    expect((await away.call('GET', '/svc/nodes')).status).toBe(503)
  })
})
