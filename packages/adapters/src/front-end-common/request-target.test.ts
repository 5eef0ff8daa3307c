import { describe, expect, it } from 'vitest'
import { escapeRawText, isMethod, parseRequestTarget } from './request-target.ts'

describe('a request target', () => {
  it('is split at the first question mark and not decoded', () => {
    expect(parseRequestTarget('/a%2F../b?c=%20?d')).toEqual({ path: '/a%2F../b', query: 'c=%20?d', host: undefined })
    expect(parseRequestTarget('/?')).toEqual({ path: '/', query: '', hasEmptyQuery: true, host: undefined })
  })

  it('in absolute form contains a host', () => {
    expect(parseRequestTarget('HTTP://b.test:81/x?y')).toEqual({ path: '/x', query: 'y', host: 'b.test:81' })
    expect(parseRequestTarget('https://b.test?y')).toEqual({ path: '/', query: 'y', host: 'b.test' })
  })

  it.each([
    '*',
    'a.test:443',
    'x',
    '',
    'ftp://a/',
    'http://',
    'http://u@a/',
    '/a#b',
    '/a b',
    '/\x7f',
    '/\u0100',
    'http://\xe4/',
  ])('%j is rejected', (target) => {
    expect(parseRequestTarget(target)).toHaveProperty('status', 400)
  })

  it.each(['/%', '/%4', '/a%zz?q', '/%4g', 'http://a/%'])('%j has a broken escape', (target) => {
    expect(parseRequestTarget(target)).toEqual({ status: 400, text: '400 Bad Request' })
  })

  it('can have bytes above 0x7f, which are percent-encoded', () => {
    expect(parseRequestTarget('/caf\xc3\xa9?q=\xe4')).toEqual({ path: '/caf%C3%A9', query: 'q=%E4', host: undefined })
    expect(parseRequestTarget('http://a/\xc3\xa9')).toEqual({ path: '/%C3%A9', query: '', host: 'a' })
    expect(escapeRawText('/café/😀')).toBe('/caf%C3%A9/%F0%9F%98%80')
    expect(escapeRawText('/a\ufffd')).toBe('/a\ufffd')
  })

  it('can have any query', () => {
    expect(parseRequestTarget('/%41?100%')).toEqual({ path: '/%41', query: '100%', host: undefined })
  })
})

describe('a method', () => {
  it('can be any token', () => {
    expect(['GET', 'get', 'M-SEARCH', 'X!'].map(isMethod)).toEqual([true, true, true, true])
    expect(['', 'G T', 'G@T', 'G"T', 'GÉT'].map(isMethod)).toEqual([false, false, false, false, false])
  })
})
