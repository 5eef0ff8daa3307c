import { describe, expect, it } from 'vitest'
import { decideRedirect } from './redirect.ts'

const batch = { prefix: '/a/', host: 'gw.test:8080' }
const request = { path: '/a/b/c', query: 'q=1', batch } as Parameters<typeof decideRedirect>[0]
const decide = (location: string, status = 302) => decideRedirect(request, { status, headers: ['location', location] })

describe('a redirect in a response to an item', () => {
  it.each([
    ['/a/x?y=1', '/a/x', 'y=1'],
    ['d', '/a/b/d', ''],
    ['../d#f', '/a/d', ''],
    ['?z=2', '/a/b/c', 'z=2'],
    ['#f', '/a/b/c', 'q=1'],
    ['http://GW.test:8080/a/x', '/a/x', ''],
    ['https://gw.test:8080/a/', '/a/', ''],
    ['//gw.test:8080/a/x', '/a/x', ''],
    ['/a/x y', '/a/x%20y', ''],
    ['/a/\u00c5\u00be', '/a/%C5%BE', ''],
    ['/a/../a/x', '/a/x', ''],
  ])('to %j is followed inside the API', (location, path, query) => {
    expect(decide(location)).toEqual({ path, query, keepsMethod: false })
  })

  it.each([
    '/other/x',
    '/',
    '/a',
    '../../other',
    '/a/../other',
    '/a/%2e%2e/other',
    'http://elsewhere.test/a/x',
    'http://gw.test/a/x',
    '//elsewhere.test/a/',
    '\\\\elsewhere.test\\a',
    '/a/\\..\\x',
    'http:/a/x',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http://gw.test:8080@elsewhere.test/a/',
  ])('to %j leaves the API', (location) => {
    expect(decide(location)).toBe('leaves')
  })

  it('keeps method and body with 307 and 308; other statuses and responses without a location are not redirects', () => {
    expect(decide('/a/x', 307)).toMatchObject({ keepsMethod: true })
    expect(decide('/a/x', 308)).toMatchObject({ keepsMethod: true })
    for (const status of [200, 201, 300, 304, 305, 306]) expect(decide('/a/x', status)).toBeUndefined()
    expect(decideRedirect(request, { status: 302, headers: [] })).toBeUndefined()
  })
})
