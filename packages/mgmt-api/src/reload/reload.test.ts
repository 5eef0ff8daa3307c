import { makeMemorySignals } from '@turnpike/core'
import { describe, expect, it } from 'vitest'
import { keyedApi, makeTestGateway } from '../../test/test-gateway.ts'

const done = '{"status":"ok","message":""}\n'

describe('reload', () => {
  it('answers with block=true when it is done', async () => {
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

  it('tells what it did', async () => {
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
