import { describe, expect, it } from 'vitest'
import { makeManualClock } from '../../../test/support/manual-clock.ts'
import { definitionOf, makeTestEngine } from '../../../test/support/test-engine.ts'
import { plainSettings } from '../../../test/support/test-settings.ts'
import type { UpstreamRequest } from '../../ports/upstream.ts'
import { makeMemoryStore } from '../../store-memory/memory-store.ts'
import type { GatewayEvent } from '../events/event.ts'

const settings = { ...plainSettings, uptime: { disabled: false, pollerGroup: '', samples: 3, everyMs: 10_000 } }

async function setUp(more: object = {}, shared?: Pick<Awaited<ReturnType<typeof start>>, 'clock' | 'store'>) {
  return start(more, shared?.clock, shared?.store)
}

async function start(more: object, clock = makeManualClock(), store = makeMemoryStore({ clock })) {
  const fired: GatewayEvent[] = []
  const checked: UpstreamRequest[] = []
  const status = { value: 200 }
  const uptime_tests = { check_list: [{ url: 'http://one.test/health', headers: { 'X-A': 'b' } }] }
  const proxy = {
    listen_path: '/b/',
    strip_listen_path: true,
    target_url: 'http://one.test',
    enable_load_balancing: true,
    target_list: ['http://one.test', 'http://two.test'],
    check_host_against_uptime_tests: true,
  }
  const { engine, send, upstreamRequests, files } = await makeTestEngine({
    definitions: [definitionOf('b', { proxy, uptime_tests, ...more })],
    settings,
    upstream: (request) => {
      const isCheck = request.path === '/health'
      if (isCheck) checked.push(request)
      const response = { kind: 'response' as const, headers: [], body: undefined, bodyLength: 0 }
      return Promise.resolve({ ...response, status: isCheck ? status.value : 200 })
    },
    engine: {
      clock,
      store,
      ids: { uuid: () => `node-${Math.random()}` },
      events: { hasHandler: () => true, monitor: undefined, fire: (event) => void fired.push(event) },
    },
  })
  const hosts = async (count: number) => {
    const before = upstreamRequests.length
    for (let i = 0; i < count; i++) await send('GET', '/b/x')
    return upstreamRequests.slice(before).map(({ headers }) => headers[headers.indexOf('host') + 1])
  }
  return { engine, send, hosts, fired, checked, status, clock, store, files }
}

describe('an uptime test', () => {
  it('requests its hosts every ten seconds, as the definition specifies', async () => {
    const { clock, checked } = await setUp()
    await clock.run(9_999)
    expect(checked).toHaveLength(0)
    await clock.run(20_001)
    expect(checked).toHaveLength(3)
    expect(checked[0]).toMatchObject({ method: 'GET', path: '/health', headers: ['host', 'one.test', 'x-a', 'b'] })
  })

  it('marks a host as down after three consecutive failures, and as up after three successes', async () => {
    const { clock, status, fired } = await setUp()
    status.value = 500
    await clock.run(20_000)
    status.value = 200
    await clock.run(10_000)
    status.value = 500
    await clock.run(20_000)
    expect(fired).toEqual([])
    await clock.run(10_000)
    expect(fired).toMatchObject([
      {
        name: 'HostDown',
        facts: { message: 'Uptime test failed', responseCode: 500, tcpError: false, host: 'one.test', apiId: 'b' },
      },
    ])
    status.value = 200
    await clock.run(30_000)
    expect(fired.map(({ name }) => name)).toEqual(['HostDown', 'HostUp'])
  })

  it('removes a host that is down from the targets until it is up', async () => {
    const { clock, status, hosts } = await setUp()
    expect(await hosts(4)).toEqual(['one.test', 'two.test', 'one.test', 'two.test'])
    status.value = 503
    await clock.run(30_000)
    expect(await hosts(3)).toEqual(['two.test', 'two.test', 'two.test'])
    status.value = 200
    await clock.run(30_000)
    expect(new Set(await hosts(4))).toEqual(new Set(['one.test', 'two.test']))
  })

  it('makes the API respond with 503 if all its hosts are down', async () => {
    const { clock, status, send } = await setUp({
      uptime_tests: { check_list: ['one.test/health', { url: 'http://two.test/health' }] },
    })
    status.value = 404
    await clock.run(30_000)
    const response = await send('GET', '/b/x')
    expect(response).toMatchObject({ status: 503, body: 'all hosts are down\n' })
  })

  it('is run by one node; the others use its results', async () => {
    const first = await setUp()
    const second = await setUp({}, first)
    first.status.value = 500
    second.status.value = 500
    await first.clock.run(50_000)
    expect([first.checked.length, second.checked.length].sort()).toEqual([0, 5])
    for (const node of [first, second]) expect(await node.hosts(2)).toEqual(['two.test', 'two.test'])
  })

  it('stops with its definition, and is not run if it is disabled', async () => {
    const { clock, checked, engine, files } = await setUp()
    files.definitions.clear()
    await engine.reload()
    await clock.run(60_000)
    expect(checked).toEqual([])
    const off = await setUp({ uptime_tests: { disabled: true, check_list: ['http://one.test/health'] } })
    await off.clock.run(60_000)
    expect(off.checked).toEqual([])
  })
})
