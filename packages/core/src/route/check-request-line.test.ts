import { describe, expect, it } from 'vitest'
import { checkRequestLine } from './check-request-line.ts'

describe('a request line that no API may serve', () => {
  it.each([
    ['TRACE', '/a', 'trace-refused'],
    ['get', '/a', 'method-case'],
    ['Post', '/a', 'method-case'],
    ['GET', '/a%2', 'path-malformed'],
    ['GET', '/a/%2e%2e%2fb', 'path-ambiguous'],
    ['GET', '/a/..;/b', 'path-ambiguous'],
  ])('%s %s', (method, path, id) => {
    expect(checkRequestLine(method, path)?.code).toBe(id)
  })

  it.each([
    ['GET', '/a/b;c=d'],
    ['M-SEARCH', '/;x/'],
  ])('%s %s is served', (method, path) => {
    expect(checkRequestLine(method, path)).toBeUndefined()
  })
})
