import { describe, expect, it } from 'vitest'
import { cleanPath } from './clean-path.ts'

describe('cleaning a path', () => {
  it.each([
    ['/a//b', '/a/b'],
    ['//evil.test/x', '/evil.test/x'],
    ['/a/../b', '/b'],
    ['/a/./b/', '/a/b/'],
    ['/../../x', '/x'],
    ['/a/..', '/'],
    ['/a/b/.', '/a/b'],
    ['//', '/'],
    ['/a/%2e%2E/b', '/b'],
    ['/a/.%2e/b', '/b'],
  ])('converts %s to %s', (path, cleaned) => {
    expect(cleanPath(path)).toBe(cleaned)
  })

  it.each(['/', '/a/b', '/a/b/', '/a/.well-known/x', '/a/...', '/a/..b/c', '/a%2Fb', '/a/%20b', '/a/%2eb'])(
    'leaves %s unchanged',
    (path) => {
      expect(cleanPath(path)).toBeUndefined()
    },
  )

  it('is idempotent', () => {
    for (const path of ['/a//..//.%2e/b/', '/%2e/', '///..']) {
      expect(cleanPath(cleanPath(path) ?? path)).toBeUndefined()
    }
  })
})
