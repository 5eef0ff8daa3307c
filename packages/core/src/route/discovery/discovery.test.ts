import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine } from '../../../test/support/test-engine.ts'
import { classicShape } from '../../definition/classic.ts'
import { normaliseDefinition } from '../../definition/normalise.ts'
import { headerOf } from '../../http/headers.ts'
import { readShape } from '../../lib/shape/shape.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { FetchResponse } from '../../ports/fetch.ts'
import { silentLog } from '../../ports/log.ts'
import type { UpstreamError } from '../../ports/upstream.ts'
import { makeStreamRoute } from '../stream-route.ts'
import type { Discovered } from './read-targets.ts'

const listSettings = { endpoint_returns_list: true, use_target_list: true, data_path: 'at' }

/** A gateway with one API at /a/ whose discovery service is `service`. */
async function makeGateway(
  service: (url: string) => Promise<FetchResponse> | string,
  discovery: object = { data_path: 'at' },
  more: { proxy?: object; version?: object; isVersioned?: boolean; upstream?: () => Promise<UpstreamError> } = {},
) {
  const queries: string[] = []
  const definition = definitionOf('a', {
    version_data: {
      not_versioned: more.isVersioned !== true,
      default_version: 'Default',
      versions: { Default: { name: 'Default', ...more.version } },
    },
    proxy: {
      listen_path: '/a/',
      target_url: 'http://fixed.test',
      strip_listen_path: true,
      service_discovery: { use_discovery_service: true, query_endpoint: 'http://names.test/', ...discovery },
      ...more.proxy,
    },
  })
  const test = await makeTestEngine({
    definitions: [definition],
    ...(more.upstream === undefined ? {} : { upstream: more.upstream }),
    engine: {
      fetch: {
        async get(url) {
          queries.push(url)
          const found = service(url)
          return typeof found === 'string' ? { status: 200, body: utf8Bytes(found) } : found
        },
        postForm: () => Promise.reject(new Error('discovery sends no forms')),
      },
    },
  })
  const hosts = () => test.upstreamRequests.map(({ headers }) => headerOf(headers, 'host'))
  return { ...test, queries, hosts, send: (path = '/a/x') => test.send('GET', path) }
}

const listOf = (...hosts: string[]) => JSON.stringify(hosts.map((at) => ({ at })))

describe('service discovery', () => {
  it('queries the service at the first request and keeps the list for its lifetime', async () => {
    const gateway = await makeGateway(() => '{"at":"one.test"}', { data_path: 'at', cache_timeout: 5 })
    expect(gateway.queries).toEqual([])
    await gateway.send()
    gateway.advance(4_999)
    await gateway.send()
    expect(gateway.queries).toHaveLength(1)
    gateway.advance(1)
    await gateway.send()
    expect(gateway.queries).toHaveLength(2)
    expect(gateway.hosts()).toEqual(['one.test', 'one.test', 'one.test'])
  })

  it('keeps a list for 120 s if cache_disabled voids the lifetime', async () => {
    const settings = { data_path: 'at', cache_timeout: 5, cache_disabled: true }
    const gateway = await makeGateway(() => '{"at":"one.test"}', settings)
    await gateway.send()
    gateway.advance(119_999)
    await gateway.send()
    expect(gateway.queries).toHaveLength(1)
    gateway.advance(1)
    await gateway.send()
    expect(gateway.queries).toHaveLength(2)
  })

  it('balances over the list only if load balancing is on', async () => {
    const service = () => listOf('one.test', 'two.test', 'two.test')
    const balanced = await makeGateway(service, listSettings, { proxy: { enable_load_balancing: true } })
    for (let i = 0; i < 4; i++) await balanced.send()
    expect(balanced.hosts()).toEqual(['one.test', 'two.test', 'two.test', 'one.test'])
    const plain = await makeGateway(service, listSettings)
    for (let i = 0; i < 2; i++) await plain.send()
    expect(plain.hosts()).toEqual(['one.test', 'one.test'])
  })

  it('shares one query among concurrent requests, and serves the last list while it is renewed', async () => {
    let resolve: (response: FetchResponse) => void = () => {}
    const gateway = await makeGateway(() => new Promise((done) => (resolve = done)), {
      data_path: 'at',
      cache_timeout: 1,
    })
    const first = Promise.all([gateway.send(), gateway.send()])
    await Promise.resolve()
    resolve({ status: 200, body: utf8Bytes('{"at":"one.test"}') })
    await first
    expect(gateway.queries).toHaveLength(1)
    gateway.advance(1_000)
    const renewing = gateway.send()
    await gateway.send()
    expect(gateway.hosts()).toEqual(['one.test', 'one.test', 'one.test'])
    resolve({ status: 200, body: utf8Bytes('{"at":"two.test"}') })
    await renewing
    expect(gateway.queries).toHaveLength(2)
    expect(gateway.hosts()[3]).toBe('two.test')
  })

  it('uses target_url while the service fails, queries it each time, and logs the change only', async () => {
    let fails = true
    const gateway = await makeGateway(() => (fails ? Promise.reject(new Error('refused')) : '{"at":"one.test"}'), {
      data_path: 'at',
    })
    await gateway.send()
    await gateway.send()
    expect(gateway.hosts()).toEqual(['fixed.test', 'fixed.test'])
    expect(gateway.logged.filter(({ level }) => level === 'warn')).toHaveLength(1)
    fails = false
    await gateway.send()
    expect(gateway.hosts()[2]).toBe('one.test')
  })

  it('keeps the last list when the list becomes empty, and has no target before', async () => {
    let list = listOf()
    const gateway = await makeGateway(() => list, { ...listSettings, cache_timeout: 1 })
    const empty = await gateway.send()
    expect([empty.status, empty.body]).toEqual([503, 'all hosts are down\n'])
    list = listOf('one.test')
    await gateway.send()
    list = listOf()
    gateway.advance(1_000)
    await gateway.send()
    expect(gateway.hosts()).toEqual(['one.test', 'one.test'])
  })

  it.each([
    ['no text', '{"at":1}'],
    ['a line break', '{"at":"http://one.test/a\\r\\nX: y"}'],
    ['an unknown scheme', '{"at":"ftp://one.test"}'],
    ['no host', '{"at":"http:///x"}'],
  ])('rejects requests to a target with %s', async (_, response) => {
    const gateway = await makeGateway(() => response)
    expect((await gateway.send()).status).toBe(500)
    expect(gateway.upstreamRequests).toEqual([])
  })

  it('escapes characters that a path cannot contain', async () => {
    const gateway = await makeGateway(() => '{"at":"http://one.test/a b?q=ü"}')
    await gateway.send('/a/x?y=1')
    expect(gateway.upstreamRequests[0]?.path).toBe('/a%20b/x?q=%C3%BC&y=1')
  })

  it('expires the list after a timeout of the upstream, not after a refused connection', async () => {
    let reason: UpstreamError['reason'] = 'refused'
    const upstream = () => Promise.resolve({ kind: 'error', reason, cause: 'x' } as const)
    const gateway = await makeGateway(() => '{"at":"one.test"}', { data_path: 'at' }, { upstream })
    await gateway.send()
    await gateway.send()
    expect(gateway.queries).toHaveLength(1)
    reason = 'timeout'
    expect((await gateway.send()).status).toBe(504)
    await gateway.send()
    expect(gateway.queries).toHaveLength(2)
  })

  it('keeps the list across reloads until the definition changes', async () => {
    const gateway = await makeGateway(() => '{"at":"one.test"}')
    await gateway.send()
    await gateway.engine.reload()
    await gateway.send()
    expect(gateway.queries).toHaveLength(1)
    const text = gateway.files.definitions.get('a.json') as string
    gateway.files.definitions.set('a.json', text.replace('fixed.test', 'other.test'))
    await gateway.engine.reload()
    await gateway.send()
    expect(gateway.queries).toHaveLength(2)
  })

  it('is not used for rewrites to a URL and for versions with a target of their own', async () => {
    const rewrite = { path: '/r', method: 'GET', match_pattern: '/r', rewrite_to: 'http://rewritten.test/r' }
    const rewritten = await makeGateway(() => '{"at":"one.test"}', undefined, {
      version: { use_extended_paths: true, extended_paths: { url_rewrites: [rewrite] } },
    })
    await rewritten.send('/a/r')
    const overridden = await makeGateway(() => '{"at":"one.test"}', undefined, {
      version: { override_target: 'http://own.test' },
      isVersioned: true,
    })
    await overridden.send()
    expect([...rewritten.hosts(), ...overridden.hosts()]).toEqual(['rewritten.test', 'own.test'])
    expect([...rewritten.queries, ...overridden.queries]).toEqual([])
  })
})

describe('the route of a byte stream', () => {
  const routeOf = (found: Discovered, proxy: object = {}) => {
    const wire = { protocol: 'tls', proxy: { target_url: 'tcp://fixed.test:1', ...proxy } }
    const api = normaliseDefinition(readShape(classicShape, wire).value, { source: 'a.json', hash: 'h' })
    return makeStreamRoute(api, false, silentLog, { find: () => Promise.resolve(found) })
  }

  it('takes its targets from the service, in turn if load balancing is on', async () => {
    const found: Discovered = { kind: 'targets', targets: ['tls://one.test:1', 'tcp://two.test:2', ''] }
    const balanced = routeOf(found, { enable_load_balancing: true })
    const targets = [await balanced.nextTarget(), await balanced.nextTarget(), await balanced.nextTarget()]
    expect(targets).toEqual([
      { host: 'one.test', port: 1, secure: true },
      { host: 'two.test', port: 2, secure: false },
      undefined,
    ])
    const plain = routeOf(found)
    expect([await plain.nextTarget(), await plain.nextTarget()].map((target) => target?.host)).toEqual([
      'one.test',
      'one.test',
    ])
  })

  it('leads to target_url while the service fails, and nowhere without targets', async () => {
    expect((await routeOf({ kind: 'unavailable' }).nextTarget())?.host).toBe('fixed.test')
    expect(await routeOf({ kind: 'none' }).nextTarget()).toBeUndefined()
  })
})
