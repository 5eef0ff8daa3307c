import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine, withPaths } from '../../../test/support/test-engine.ts'

async function engineOf(listenPath: string, extendedPaths: object) {
  const proxy = { listen_path: listenPath, target_url: 'http://upstream.test/', strip_listen_path: true }
  return makeTestEngine({ definitions: [definitionOf('a', { proxy, ...withPaths(extendedPaths) })] })
}

describe('the path that rules match', () => {
  it('is the one without the listen path for rules of middleware', async () => {
    const { send, upstreamRequests } = await engineOf('/users/', {
      transform_headers: [{ path: '/users', method: 'GET', add_headers: { 'x-rule': 'yes' } }],
      validate_json: [{ path: '/users', method: 'POST', schema: { type: 'object', required: ['name'] } }],
      size_limits: [{ path: '/users', method: 'PUT', size_limit: 3 }],
      method_transforms: [{ path: '/users', method: 'DELETE', to_method: 'POST' }],
      url_rewrites: [{ path: 'users/5', method: 'PATCH', match_pattern: 'users/5', rewrite_to: '/said' }],
      go_plugin: [{ path: '/users', method: 'HEAD' }],
    })
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD']) {
      expect([method, (await send(method, '/users/5', { 'content-length': '10' })).status]).toEqual([method, 200])
    }
    expect(upstreamRequests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /5',
      'POST /5',
      'PUT /5',
      'DELETE /5',
      'PATCH /5',
      'HEAD /5',
    ])
    expect(upstreamRequests[0]?.headers).not.toContain('x-rule')
  })

  it('is also the whole path for path lists, their mocks and internal paths', async () => {
    const statusOf = async (lists: object) => (await (await engineOf('/users/', lists)).send('GET', '/users/5')).status
    expect(await statusOf({ black_list: [{ path: '/users/5', method: 'GET' }] })).toBe(403)
    expect(await statusOf({ white_list: [{ path: '/users/5', method: 'GET' }] })).toBe(200)
    expect(await statusOf({ internal: [{ path: '/users/5', method: 'GET' }] })).toBe(403)
    expect(await statusOf({ mock_response: [{ path: '/users/5', method: 'GET', code: 231 }] })).toBe(231)
    const reply = { GET: { action: 'reply', code: 232, data: '', headers: {} } }
    expect(await statusOf({ black_list: [{ path: '/users/5', method_actions: reply }] })).toBe(232)
  })

  it('fits without the empty segments of escaped slashes where a list rejects', async () => {
    const statusOf = async (lists: object) => (await (await engineOf('/a/', lists)).send('GET', '/a/x%2F%2Fy')).status
    expect(await statusOf({ black_list: [{ path: '/x/y', method: 'GET' }] })).toBe(403)
    expect(await statusOf({ white_list: [{ path: '/x/y', method: 'GET' }] })).toBe(403)
    expect(await statusOf({ black_list: [{ path: '/z', method: 'GET' }] })).toBe(200)
  })

  it('fits any segment at a variable with a pattern where a list rejects, and the pattern where it opens', async () => {
    const path = '/x/{id:[0-9]+}'
    const statusOf = async (lists: object) => (await (await engineOf('/a/', lists)).send('GET', '/a/x/abc')).status
    expect(await statusOf({ black_list: [{ path, method: 'GET' }] })).toBe(403)
    expect(await statusOf({ internal: [{ path, method: 'GET' }] })).toBe(403)
    expect(await statusOf({ go_plugin: [{ path, method: 'GET' }] })).toBe(500)
    expect(await statusOf({ white_list: [{ path, method: 'GET' }] })).toBe(403)
    expect(await statusOf({ mock_response: [{ path, method: 'GET', code: 231 }] })).toBe(200)
  })
})
