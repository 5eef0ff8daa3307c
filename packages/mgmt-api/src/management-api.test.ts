import { StoreUnavailableError } from '@turnpike/core/ports'
import { makeMemoryStore } from '@turnpike/core/store-memory'
import { describe, expect, it } from 'vitest'
import { keyedApi, makeTestGateway, secret, sessionFor, type TestGateway } from '../test/test-gateway.ts'

const rejected = '{"status":"error","message":"Attempted administrative access with invalid or missing key!"}\n'

describe('paths of the management API', () => {
  it('are known before the operations are loaded', async () => {
    const inspect = () => ({ config: {}, fields: [] })
    const gateway = await makeTestGateway({ options: { configInspection: true }, management: { inspect } })
    const owned = (path: string) => [path, gateway.api.owns(path)]
    const probes = ['/hello', '/ready'].map(owned)
    const routes = (await gateway.api.routes()).map(({ path }) => owned(path))
    expect([...probes, ...routes].filter(([, isOwned]) => !isOwned)).toEqual([])
    expect(routes.map(([path]) => path)).toContain('/config')
    expect(gateway.api.owns('/keys')).toBe(false)
  })
})

describe('the management key', () => {
  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['wrong', 'wrong'],
    ['longer', `${secret}x`],
    ['shorter', secret.slice(1)],
    ['followed by a no-break space', `${secret}\u00a0`],
    ['preceded by a no-break space', `\u00a0${secret}`],
  ])('%s is rejected before its path and method are read', async (_, key) => {
    const gateway = await makeTestGateway()
    const headers: Record<string, string> = key === undefined ? {} : { 'x-svc-authorization': key }
    for (const [method, path] of [
      ['GET', '/svc/keys'],
      ['PATCH', '/svc/keys'],
      ['GET', '/svc/nothing-here'],
    ] as const) {
      const said = await gateway.callOpen(method, path, undefined, headers)
      expect([said.status, said.text]).toEqual([403, rejected])
    }
  })

  it('rejects every call while the configured secret is empty', async () => {
    const gateway = await makeTestGateway({ options: { secret: '' } })
    for (const key of ['', secret]) {
      const said = await gateway.callOpen('GET', '/svc/keys', undefined, { 'x-svc-authorization': key })
      expect(said.status).toBe(403)
    }
    expect((await gateway.callOpen('GET', '/svc/keys')).status).toBe(403)
  })

  it('is rejected before the body is read', async () => {
    const gateway = await makeTestGateway()
    const body = new ReadableStream({
      pull() {
        throw new Error('the body was read')
      },
    })
    const request = new Request('http://x/svc/keys', { method: 'POST', body, duplex: 'half' } as RequestInit)
    expect((await gateway.api.fetch(request)).status).toBe(403)
  })

  it('never reaches the log', async () => {
    const gateway = await makeTestGateway()
    await gateway.call('POST', '/svc/keys/create', '{')
    await gateway.callOpen('GET', '/svc/keys', undefined, { 'x-svc-authorization': 'nearly-the-key' })
    expect(gateway.log.mentions(secret) || gateway.log.mentions('nearly-the-key')).toBe(false)
  })
})

describe('guesses of the management key', () => {
  const guess = (gateway: TestGateway, key: string, address: string) =>
    gateway.api.fetch(new Request('http://x/svc/keys', { headers: { 'x-svc-authorization': key } }), address)

  async function guessOften(gateway: TestGateway, address: string): Promise<void> {
    for (let i = 0; i < 40; i++) {
      const pending = guess(gateway, `wrong-${i}`, address)
      await gateway.clock.run(2_000)
      expect((await pending).status).toBe(403)
    }
  }

  it('are not checked after many wrong keys from an address if others wait', async () => {
    const gateway = await makeTestGateway()
    await guessOften(gateway, '192.0.2.1')
    await guess(gateway, 'late-1', '192.0.2.1')
    const atOnce = ['late-2', 'late-3', secret].map((key) => guess(gateway, key, '192.0.2.1'))
    const rejected = await Promise.race(atOnce)
    expect([rejected.status, await rejected.json()]).toEqual([
      429,
      { status: 'error', message: 'Too many wrong secrets came from this address; retry later' },
    ])
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await guess(gateway, secret, '192.0.2.2')).status).toBe(200)
    await gateway.clock.run(30_000)
    expect((await guess(gateway, secret, '192.0.2.1')).status).toBe(200)
  })

  it('do not stop the right key after a pause', async () => {
    const gateway = await makeTestGateway()
    await guessOften(gateway, '192.0.2.1')
    const right = guess(gateway, secret, '192.0.2.1')
    await gateway.clock.run(1_000)
    expect((await right).status).toBe(200)
  })
})

describe('paths and methods', () => {
  it('answers an unknown path with a text', async () => {
    const gateway = await makeTestGateway()
    const said = await gateway.call('GET', '/svc/nothing-here')
    expect([said.status, said.text]).toEqual([404, '404 page not found\n'])
    expect(said.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  })

  it('answers a method that the path does not know with those that it does', async () => {
    const gateway = await makeTestGateway()
    const said = await gateway.call('PATCH', '/svc/keys/x')
    expect([said.status, said.text]).toEqual([405, '{"status":"error","message":"Method not supported"}\n'])
    expect(said.headers.get('allow')).toBe('DELETE, GET, POST, PUT')
    expect((await gateway.call('POST', '/svc/reload/group')).headers.get('allow')).toBe('GET')
    expect((await gateway.call('HEAD', '/svc/keys')).status).toBe(405)
  })

  it('passes slashes at the end over', async () => {
    const gateway = await makeTestGateway({ apis: [keyedApi('a')] })
    for (const path of ['/svc/apis/', '/svc/apis/a/', '/svc/reload/group//']) {
      expect((await gateway.call('GET', path)).status, path).toBe(200)
    }
  })

  it('takes an encoded slash as part of a name', async () => {
    const gateway = await makeTestGateway({ apis: [keyedApi('a')] })
    await gateway.call('POST', '/svc/keys/one%2Ftwo', sessionFor('a'))
    expect((await gateway.call('GET', '/svc/keys')).json).toEqual({ keys: ['org1one/two'] })
    expect((await gateway.call('GET', '/svc/keys/org1one%2Ftwo')).status).toBe(200)
  })

  it('bears the vendor word in paths and headers', async () => {
    const gateway = await makeTestGateway({ settings: { vendor: 'acme' } })
    expect((await gateway.call('GET', '/acme/apis')).status).toBe(200)
    expect((await gateway.callOpen('GET', '/acme/apis', undefined, { 'x-svc-authorization': secret })).status).toBe(403)
    expect(gateway.api.owns('/acme/apis')).toBe(true)
    expect(gateway.api.owns('/svc/apis')).toBe(false)
  })

  it('separates its own paths from those of APIs', async () => {
    const { api } = await makeTestGateway({ options: { readinessName: 'am-i-ready' } })
    const paths = ['/svc/keys', '/svc/', '/svc', '/svcx/a', '/hello', '/hello/', '/ready', '/am-i-ready', '/config']
    expect(paths.filter(api.owns)).toEqual(['/svc/keys', '/svc/', '/hello', '/am-i-ready'])
  })
})

describe('store errors', () => {
  it('report an outage of the store even if it has ended', async () => {
    const gateway = await makeTestGateway({
      store: (clock) => {
        const store = makeMemoryStore({ clock })
        const late = () => Promise.reject(new StoreUnavailableError('no reply in 1000 ms'))
        return { ...store, sessions: { find: late, get: late, put: late, remove: late, list: late } }
      },
    })
    expect((await gateway.call('GET', '/svc/keys/x')).status).toBe(503)
  })

  it('become a 500 without details, and a line in the log', async () => {
    const gateway = await makeTestGateway({
      management: {
        policies() {
          throw new Error('broken inside')
        },
      },
    })
    const said = await gateway.call('GET', '/svc/policies')
    expect([said.status, said.text]).toEqual([500, '{"status":"error","message":"Internal error"}\n'])
    expect(gateway.log.mentions('broken inside')).toBe(true)
  })

  it('become a 503 while the store is away, never a hung call', async () => {
    const gateway = await makeTestGateway({
      store: (clock) => {
        const store = makeMemoryStore({ clock })
        const away = () => Promise.reject(new Error('connection refused'))
        const sessions = { find: away, get: away, put: away, remove: away, list: away }
        return { ...store, sessions, check: async () => ({ ok: false, reason: 'connection refused' }) }
      },
    })
    for (const [method, path] of [
      ['GET', '/svc/keys'],
      ['GET', '/svc/keys/x'],
      ['DELETE', '/svc/keys/x'],
    ] as const) {
      const said = await gateway.call(method, path)
      expect([said.status, said.json]).toEqual([
        503,
        { status: 'error', message: 'Storage is not available, please try again' },
      ])
    }
  })
})
