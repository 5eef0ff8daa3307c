// Runs each example unchanged and compares its output.
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const printed: string[] = []
beforeEach(() => {
  printed.length = 0
  vi.spyOn(console, 'log').mockImplementation((...parts: unknown[]) => void printed.push(parts.join(' ').trim()))
})
afterEach(() => void vi.restoreAllMocks())

describe('the examples', () => {
  it('hello', async () => {
    await import('./hello/hello.js')
    expect(printed).toEqual(['200: the upstream got GET /world?x=1'])
  })

  it('keys and quota', async () => {
    await import('./keys-and-quota/keys-and-quota.js')
    expect(printed).toEqual(['200, 2', '200, 1', '200, 0', '403, Quota exceeded'])
  })

  it('graphql', async () => {
    await import('./graphql/graphql.js')
    expect(printed).toEqual([
      '200 {"tide":"high"}',
      '200 {"ship":{"name":"Ada"}}',
      '400 field: nam not defined on type: Ship',
      '400 field: secret is restricted on type: Ship',
      '403 depth limit exceeded',
      '200 {"__type":{"fields":[{"name":"name"},{"name":"crew"},{"name":"secret"}]}}',
    ])
  })

  it('policies', async () => {
    await import('./policies/policies.js')
    expect(printed).toEqual(['one request a minute: 200 429', 'a hundred a minute: 200 200'])
  })

  it('hot reload', async () => {
    await import('./hot-reload/hot-reload.js')
    expect(printed.slice(0, 2)).toEqual(['before: 404', 'after: 200'])
    expect(printed[2]).toMatch(/^broken, and still 200 - is not JSON/)
  })

  it('own clock', async () => {
    await import('./own-clock/own-clock.js')
    expect(printed).toEqual(['a request an hour for 30 days: 60 passed, two a day'])
  })

  it('stage', async () => {
    await import('./stage/stage.js')
    expect(printed).toEqual([
      '/orders/1 of books: 200 books',
      '/orders/2 of books: 200 books',
      '/orders/3 of books: 429',
      '/orders/4 of evil: 402',
      '/status/now of evil: 200',
      'tenant-limit rejects: 402 pay first',
      'createGateway: definitions[0] ("a"): stages.tenant-limit: perMinute is required',
    ])
  })

  it('endpoint', async () => {
    await import('./endpoint/endpoint.js')
    expect(printed).toEqual(['/orders/first 200, call 1', '/orders/first 200, call 2'])
  })

  it('store', async () => {
    await import('./store/store.js')
    expect(printed).toEqual(['after a restart: shop', 'in the file: {}'])
  })

  it('linearizability', async () => {
    await import('./linearizability/linearizability.js')
    expect(printed).toEqual([
      'in one step: linearizable: 1 key',
      expect.stringMatching(
        /^in two steps: not linearizable: no order .* on tickets .*(\n {2}[a-e] .* buy → ticket){3}\n/,
      ),
    ])
    const page = readFileSync(new URL('../docs/linearizability.md', import.meta.url), 'utf8')
    expect(page).toContain(readFileSync(new URL('./linearizability/linearizability.js', import.meta.url), 'utf8'))
  })

  it('logger', async () => {
    await import('./logger/logger.js')
    expect(printed).toEqual([
      expect.stringMatching(/^error: a definition cannot be loaded, proxy\.target_url/),
      'info: definitions loaded',
      'definitions loaded 1',
    ])
  })

  it('upstream', async () => {
    await import('./upstream/upstream.js')
    expect(printed.slice(0, 2)).toEqual(['double(21): 200 42', 'shout(hello): 200 HELLO'])
    expect(printed[2]).toMatch(/^none\(x\): 502/)
  })

  it('hono', async () => {
    await import('./hono/hono.js')
    expect(printed[0]).toBe('/: 200 the app')
    expect(printed[1]).toMatch(/^\/api\/orders\/1: 200 \{/)
    expect(printed[2]).toMatch(/^\/api\/orders\/1: 403 /)
  })

  it.each(['express', 'fastify'])('%s', async (name) => {
    await import(`./${name}/${name}.js`)
    expect(printed).toEqual(['through the gateway: POST /1 {"n":1}', 'of the app: {"own":{"n":1}}'])
  })

  it('scripts', async () => {
    await import('./scripts/scripts.js')
    expect(printed).toEqual(['401 who are you?', '200 4 pieces cost 12', '200 hello Ada'])
  })

  it('gRPC', async () => {
    await import('./grpc/grpc.js')
    expect(printed).toEqual(['Vasa is at berth 7', 'Vasa, Kronan', 'gRPC status 14'])
  })

  it('opentelemetry', async () => {
    await import('./opentelemetry/opentelemetry.js')
    expect(printed).toEqual([
      'trace 4bf92f3577b34da6a3ce929d0e0e4736 of the client 00f067aa0ba902b7',
      'GET /orders/ stage forward, stage rate-limit-headers',
      'the call is a child of the request: true',
      'the upstream got the id of the call',
    ])
  })

  it('watch requests', async () => {
    await import('./watch-requests/watch-requests.js')
    expect(printed).toEqual([
      '200 status /now',
      '401 orders /1 rejected by auth-token: Authorization field missing',
      '401 orders /1 rejected by auth-token: Access to this API has been disallowed',
    ])
  })
})
