import { describe, expect, it } from 'vitest'
import { hidesSegments } from './hidden-segments.ts'

describe('a path that hides segments', () => {
  it.each([
    '/ign/openapi.json%2f..%2fsecret',
    '/ign/..%2Fsecret',
    '/ign/%2e%2e/secret',
    '/ign/%2E',
    '/ign/.%2e',
    '/ign%2f..;/secret',
    '/ign/..;/secret',
    '/ign/.;x/secret',
    '/..;a=b',
    '/ign/%2e%2e;x/secret',
    '/ign/..%3bx/secret',
    '/ign/a\\b%5csecret',
    '/ign/%5csecret',
    '/ign/..%5C..%5Csecret',
    '/ign/..\\secret',
    '/ign\\\\secret',
    '/ign/\\..',
    '/%ff%2f..%2fsecret',
    '/%zz%2f..%2fsecret',
  ])('%s', (path) => {
    expect(hidesSegments(path)).toBe(true)
  })

  it.each([
    '/',
    '/a/b/',
    '/a%2fb',
    '/a%2F',
    '/a%20b',
    '/a/../b',
    '/a//b',
    '/a%252f..%252fb',
    '/a%2f%2fb',
    '/a%2f/b',
    '/a/https%3A%2F%2Fb.test%2Fc',
    '/a%2f%2f',
    '/a/;x/b',
    '/a/..x;/b',
    '/a%3b..',
    '/a%2eb',
    '/a/%2e%2e%2e',
    '/a\\b',
    '/a/v1%2e2',
  ])('not %s', (path) => {
    expect(hidesSegments(path)).toBe(false)
  })
})
