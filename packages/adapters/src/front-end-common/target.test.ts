import { describe, expect, it } from 'vitest'
import { isMethod, readTarget } from './target.ts'

describe('a request target', () => {
  it('splits at the first question mark, and decodes nothing', () => {
    expect(readTarget('/a%2F../b?c=%20?d')).toEqual({ path: '/a%2F../b', query: 'c=%20?d', host: undefined })
    expect(readTarget('/?')).toEqual({ path: '/', query: '', host: undefined })
  })

  it('in absolute form names a host', () => {
    expect(readTarget('HTTP://b.test:81/x?y')).toEqual({ path: '/x', query: 'y', host: 'b.test:81' })
    expect(readTarget('https://b.test?y')).toEqual({ path: '/', query: 'y', host: 'b.test' })
  })

  it.each(['*', 'a.test:443', 'x', '', 'ftp://a/', 'http://', 'http://u@a/', '/a#b', '/a b', '/\x7f', '/ä'])(
    '%j is refused',
    (target) => {
      expect(readTarget(target)).toHaveProperty('status', 400)
    },
  )
})

describe('a method', () => {
  it('is any token', () => {
    expect(['GET', 'get', 'M-SEARCH', 'X!'].map(isMethod)).toEqual([true, true, true, true])
    expect(['', 'G T', 'G@T', 'G"T', 'GÉT'].map(isMethod)).toEqual([false, false, false, false, false])
  })
})
