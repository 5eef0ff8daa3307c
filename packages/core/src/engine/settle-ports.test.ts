import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine, requestOf } from '../../test/support/test-engine.ts'
import type { ApiPort, ApiPorts } from '../ports/api-ports.ts'

/** Ports of a machine on which some are in use. */
function makePorts() {
  const taken = new Set<number>()
  let open: readonly ApiPort[] = []
  const ports: ApiPorts = {
    open: async (wanted) =>
      new Map(wanted.filter(({ port }) => taken.has(port)).map(({ port }) => [port, `port ${port} is in use`])),
    serve(wanted) {
      open = wanted
    },
  }
  return { taken, ports, open: () => open.map(({ port, protocol }) => `${protocol} ${port}`).sort() }
}

async function makeGateway(...definitions: object[]) {
  const machine = makePorts()
  const test = await makeTestEngine({ definitions, engine: { ports: machine.ports } })
  const put = (id: string, more: object) =>
    test.files.definitions.set(`${id}.json`, JSON.stringify(definitionOf(id, more), null, 2))
  const status = async (path: string, port = 0) => {
    const handle = port === 0 ? test.engine.handle : test.engine.handleOn(port)
    return (await handle(requestOf('GET', path))).status
  }
  const failed = () => test.engine.report()?.failed ?? []
  return { ...machine, ...test, put, status, failed }
}

const stream = (listenPort: number, more: object = {}) => ({
  listen_port: listenPort,
  protocol: 'tcp',
  proxy: { target_url: 'tcp://db.test:5432' },
  ...more,
})
const shared = { proxy: { listen_path: '/x/', target_url: 'http://upstream.test' } }

describe('an API with a port of its own', () => {
  it('is served only on that port, and other APIs are not served there', async () => {
    const gateway = await makeGateway(definitionOf('main'), definitionOf('apart', { listen_port: 9001 }))
    expect(await gateway.status('/main/')).toBe(200)
    expect(await gateway.status('/apart/')).toBe(404)
    expect(await gateway.status('/apart/', 9001)).toBe(200)
    expect(await gateway.status('/main/', 9001)).toBe(404)
    expect(await gateway.status('/apart/', 9002)).toBe(404)
    expect(gateway.open()).toEqual(['http 9001'])
  })

  it('can have the same listen path as an API on another port', async () => {
    const gateway = await makeGateway(
      definitionOf('a', shared),
      definitionOf('b', { ...shared, listen_port: 9001 }),
      definitionOf('c', { ...shared, listen_port: 9002 }),
    )
    expect(gateway.engine.report()?.renamed).toEqual([])
    expect(await gateway.engine.explain(requestOf('GET', '/x/'), true, () => 0)).toMatchObject({ apiId: 'a' })
    expect(await gateway.engine.explain(requestOf('GET', '/x/'), true, () => 0, 9002)).toMatchObject({ apiId: 'c' })
  })

  it('is left out while the port is in use, is reported with its position, and is served later', async () => {
    const gateway = await makeGateway(definitionOf('main'))
    gateway.taken.add(9001)
    gateway.put('apart', { listen_port: 9001 })
    await gateway.engine.reload()
    expect(gateway.failed()).toMatchObject([
      { source: 'apart.json', reason: 'listen_port: cannot be opened: port 9001 is in use', keptOld: false, line: 19 },
    ])
    expect(await gateway.status('/main/')).toBe(200)
    expect(gateway.open()).toEqual([])
    gateway.taken.clear()
    await gateway.engine.reload()
    expect(gateway.failed()).toEqual([])
    expect(await gateway.status('/apart/', 9001)).toBe(200)
  })

  it('keeps its last good version and its old port if the new port is in use', async () => {
    const gateway = await makeGateway(definitionOf('apart', { listen_port: 9001 }), definitionOf('main'))
    gateway.taken.add(9002)
    gateway.put('apart', { listen_port: 9002 })
    await gateway.engine.reload()
    expect(gateway.failed()).toMatchObject([{ source: 'apart.json', keptOld: true }])
    expect(await gateway.status('/apart/', 9001)).toBe(200)
    expect(gateway.open()).toEqual(['http 9001'])
    gateway.taken.clear()
    await gateway.engine.reload()
    expect(gateway.open()).toEqual(['http 9002'])
    expect(await gateway.status('/apart/', 9001)).toBe(404)
  })

  it('does not lose the old port to another API in this case', async () => {
    const gateway = await makeGateway(
      definitionOf('a', { listen_port: 9001 }),
      definitionOf('b', { listen_port: 9003 }),
    )
    gateway.taken.add(9002)
    gateway.put('a', { listen_port: 9002 })
    gateway.put('b', stream(9001))
    await gateway.engine.reload()
    expect(gateway.failed().map(({ source, keptOld }) => [source, keptOld])).toEqual([
      ['a.json', true],
      ['b.json', true],
    ])
    expect(gateway.open()).toEqual(['http 9001', 'http 9003'])
  })

  it('can return to the gateway’s port', async () => {
    const gateway = await makeGateway(definitionOf('a', { listen_port: 9001 }))
    gateway.put('a', {})
    await gateway.engine.reload()
    expect(await gateway.status('/a/')).toBe(200)
    expect(gateway.open()).toEqual([])
  })
})

describe('a port', () => {
  it('has one protocol, and the API that was there first keeps it', async () => {
    const gateway = await makeGateway(definitionOf('old', { listen_port: 9001 }))
    gateway.put('new', { listen_port: 9001, protocol: 'h2c' })
    gateway.put('also', { listen_port: 9001 })
    await gateway.engine.reload()
    expect(gateway.failed()).toMatchObject([
      { source: 'new.json', reason: 'listen_port: is 9001, but old.json speaks http there; choose another' },
    ])
    expect(await gateway.status('/also/', 9001)).toBe(200)
  })

  it('can change its protocol together with all of its APIs', async () => {
    const gateway = await makeGateway(definitionOf('a', { listen_port: 9001 }))
    gateway.put('a', { listen_port: 9001, protocol: 'h2c' })
    await gateway.engine.reload()
    expect(gateway.failed()).toEqual([])
    expect(gateway.open()).toEqual(['h2c 9001'])
  })

  it('with a byte stream belongs to one API', async () => {
    const gateway = await makeGateway(definitionOf('a', stream(5001)), definitionOf('b', stream(5001)))
    expect(gateway.failed()).toMatchObject([
      { reason: 'listen_port: is 5001, but a.json accepts every connection to it; choose another' },
    ])
    expect(gateway.engine.streamOn(5001)).toMatchObject({ apiId: 'a' })
    expect(gateway.engine.streamOn(5002)).toBeUndefined()
  })
})

describe('an API that forwards bytes', () => {
  it('is not reachable over HTTP, neither on a port nor by id', async () => {
    const gateway = await makeGateway(definitionOf('db', stream(5001)), definitionOf('main'))
    expect(gateway.engine.definitions().map(({ id }) => id)).toEqual(['db', 'main'])
    for (const port of [0, 5001]) {
      expect(await gateway.status('/', port)).toBe(404)
      expect(await gateway.status('/db/', port)).toBe(404)
    }
  })

  it('connects to its targets in turn and applies its address lists', async () => {
    const proxy = { enable_load_balancing: true, target_list: ['tcp://a.test:1', 'tls://[::1]:2', 'b.test:3'] }
    const gateway = await makeGateway(definitionOf('db', stream(5001, { proxy, allowed_ips: ['192.0.2.0/24'] })))
    const route = gateway.engine.streamOn(5001)
    expect([1, 2, 3, 4].map(() => route?.nextTarget())).toEqual([
      { host: 'a.test', port: 1, secure: false },
      { host: '::1', port: 2, secure: true },
      { host: 'b.test', port: 3, secure: false },
      { host: 'a.test', port: 1, secure: false },
    ])
    expect([route?.admits('192.0.2.7'), route?.admits('198.51.100.1'), route?.admits('')]).toEqual([true, false, false])
  })

  it.each(['http://db.test:5432', 'tcp://db.test', 'db.test:5432', ''])(
    'is not loaded with the target %j',
    async (url) => {
      const gateway = await makeGateway(definitionOf('db', stream(5001, { proxy: { target_url: url } })))
      expect(gateway.failed()).toMatchObject([{ reason: expect.stringContaining('tcp://host:port') }])
    },
  )
})
