/** Hard timeouts and circuit breakers of paths, in a whole engine. */
import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine } from '../../../test/support/test-engine.ts'
import { plainSettings } from '../../../test/support/test-settings.ts'
import type { UpstreamError, UpstreamResponse } from '../../ports/upstream.ts'

const withPaths = (paths: object, more: object = {}) =>
  definitionOf('a', {
    version_data: {
      not_versioned: true,
      versions: { Default: { name: 'Default', use_extended_paths: true, extended_paths: paths } },
    },
    ...more,
  })

const response = (status: number): UpstreamResponse => ({
  kind: 'response',
  status,
  headers: [],
  body: new Uint8Array(),
  bodyLength: 0,
})

describe('the hard timeout of a path', () => {
  const paths = {
    hard_timeouts: [
      { path: '/slow', method: 'GET', timeout: 2 },
      { path: '/patient', method: 'GET', timeout: 90 },
      { path: '/none', method: 'GET', timeout: 0 },
      { path: '/off', method: 'GET', timeout: 1, disabled: true },
    ],
  }

  it.each([
    ['GET', '/a/slow', 2000],
    ['GET', '/a/%73low', 2000],
    ['POST', '/a/slow', 30_000],
    ['GET', '/a/other', 30_000],
    ['GET', '/a/patient', 30_000],
    ['GET', '/a/none', 30_000],
    ['GET', '/a/off', 30_000],
  ])('%s %s is %i ms', async (method, path, timeoutMs) => {
    const test = await makeTestEngine({ definitions: [withPaths(paths)] })
    await test.send(method, path)
    expect(test.upstreamRequests[0]?.timeoutMs).toBe(timeoutMs)
  })
})

describe('the circuit breaker of a path', () => {
  const breaker = { path: '/x', method: 'GET', threshold_percent: 0.5, samples: 2, return_to_service_after: 60 }
  const paths = { circuit_breakers: [{ ...breaker, disable_half_open_state: true }] }

  async function setup(result: () => UpstreamResponse | UpstreamError, definition = withPaths(paths)) {
    const changes: string[] = []
    const test = await makeTestEngine({
      definitions: [definition],
      upstream: async () => result(),
      engine: { onBreaker: ({ kind, rule }) => changes.push(`${kind} ${rule.apiId} ${rule.path}`) },
    })
    const statuses = async (path: string, times: number) => {
      const seen: number[] = []
      for (let i = 0; i < times; i++) seen.push((await test.send('GET', path)).status)
      return seen
    }
    return { test, statuses, changes }
  }

  it('opens after failures, for its path and method only', async () => {
    const { test, statuses, changes } = await setup(() => response(500))
    expect(await statuses('/a/x', 4)).toEqual([500, 500, 503, 503])
    expect((await test.send('GET', '/a/x')).body).toContain('Service temporarily unavailable.')
    expect(await statuses('/a/y', 3)).toEqual([500, 500, 500])
    expect((await test.send('POST', '/a/x')).status).toBe(500)
    expect(changes).toEqual(['tripped a /x'])
    expect(test.engine.breakers()).toMatchObject([{ apiId: 'a', path: '/x', state: 'open', failures: 2 }])
  })

  it.each([
    ['refused', true],
    ['timeout', true],
    ['broken', true],
    ['unknown-host', true],
    ['cancelled', false],
  ] as const)('counts the upstream error %s as a failure: %s', async (reason, isFailure) => {
    const { statuses } = await setup(() => ({ kind: 'error', reason, cause: 'x' }))
    expect((await statuses('/a/x', 3)).at(-1) === 503).toBe(isFailure)
  })

  it('ignores responses below 500', async () => {
    const { statuses } = await setup(() => response(499))
    expect(await statuses('/a/x', 5)).toEqual(Array(5).fill(499))
  })

  it('closes after its timeout', async () => {
    let status = 500
    const { test, statuses, changes } = await setup(() => response(status))
    await statuses('/a/x', 2)
    test.advance(59_999)
    expect(await statuses('/a/x', 1)).toEqual([503])
    status = 200
    test.advance(1)
    expect(await statuses('/a/x', 1)).toEqual([200])
    expect(changes).toEqual(['tripped a /x', 'reset a /x'])
  })

  it('is half-open unless this is disabled', async () => {
    let status = 500
    const { test, statuses } = await setup(() => response(status), withPaths({ circuit_breakers: [breaker] }))
    await statuses('/a/x', 2)
    test.advance(500)
    expect(await statuses('/a/x', 2)).toEqual([500, 503])
    status = 200
    test.advance(750)
    expect(await statuses('/a/x', 2)).toEqual([200, 200])
  })

  it('stays open across reloads and unrelated changes, until its rule is removed', async () => {
    const { test, statuses } = await setup(() => response(500))
    await statuses('/a/x', 2)
    await test.engine.reload()
    expect(await statuses('/a/x', 1)).toEqual([503])
    test.files.definitions.set('a.json', JSON.stringify(withPaths(paths, { name: 'renamed' })))
    await test.engine.reload()
    expect(await statuses('/a/x', 1)).toEqual([503])
    const other = withPaths({ circuit_breakers: [{ ...breaker, samples: 3 }] })
    test.files.definitions.set('a.json', JSON.stringify(other))
    await test.engine.reload()
    expect(await statuses('/a/x', 1)).toEqual([500])
    test.files.definitions.delete('a.json')
    await test.engine.reload()
    expect(test.engine.breakers()).toEqual([])
  })
})

describe('targets that a rewrite derives from the path', () => {
  it('keep a bounded number of connection pools, released with the API', async () => {
    const open = new Map<string, number>()
    const count = (origin: string, by: number) => open.set(origin, (open.get(origin) ?? 0) + by)
    const rewrite = { path: '/', method: 'GET', match_pattern: '/a/(.*)', rewrite_to: 'http://$1.test/' }
    const test = await makeTestEngine({
      definitions: [withPaths({ url_rewrites: [rewrite] })],
      engine: {
        upstream: {
          connect(origin) {
            count(origin, 1)
            return { send: async () => response(200), release: () => void count(origin, -1) }
          },
          close: async () => {},
        },
      },
    })
    const links = () => [...open.values()].reduce((sum, one) => sum + one, 0)
    for (let i = 0; i < 500; i++) expect((await test.send('GET', `/a/host${i % 300}`)).status).toBe(200)
    expect(links()).toBeLessThanOrEqual(101)
    await test.send('GET', '/a/host7')
    for (let i = 0; i < 99; i++) await test.send('GET', `/a/more${i}`)
    expect(open.get('http://host7.test')).toBe(1)
    test.files.definitions.clear()
    await test.engine.reload()
    expect(links()).toBe(0)
  })
})

describe('connections to the upstream', () => {
  it('are closed after each response with proxy_close_connections', async () => {
    const settings = { upstream: { ...plainSettings.upstream, closeConnections: true } }
    const test = await makeTestEngine({ definitions: [definitionOf('a')], settings })
    await test.send('GET', '/a/x')
    const { headers = [] } = test.upstreamRequests[0] ?? {}
    expect(headers[headers.indexOf('connection') + 1]).toBe('close')
  })
})
