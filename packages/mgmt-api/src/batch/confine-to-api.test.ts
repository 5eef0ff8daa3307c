import { describe, expect, it } from 'vitest'
import { parseRelativeUrl } from './confine-to-api.ts'

const pathOf = (url: string, keepEmpty = false) => parseRelativeUrl(url, keepEmpty)?.path

describe('the path of an item', () => {
  it.each([
    ['a', 'a'],
    ['', ''],
    ['/', ''],
    ['/lead', 'lead'],
    ['a//b/', 'a/b/'],
    ['http://127.0.0.1:1/evil', 'http:/127.0.0.1:1/evil'],
    ['//127.0.0.1:1/evil', '127.0.0.1:1/evil'],
    ['../other/z', 'other/z'],
    ['a/../../../b', 'b'],
    ['%2e%2e/other', 'other'],
    ['.%2E/./%2e/x', 'x'],
    ['a/..', ''],
    ['...', '...'],
    ['?x', ''],
    ['#frag', ''],
    ['a#b?c', 'a'],
  ])('%j is %j behind the listen path', (url, path) => {
    expect(pathOf(url)).toBe(path)
  })

  it.each([
    ['a%2Fb', 'a%2Fb'],
    ['..%2fother', '..%2fother'],
    ['%252e%252e/x', '%252e%252e/x'],
    ['a%20b', 'a%20b'],
  ])('the escapes of %j stay as written', (url, path) => {
    expect(pathOf(url)).toBe(path)
  })

  it.each([
    ['a b', 'a%20b'],
    ['..\\other', '..%5Cother'],
    ['ž', '%C5%BE'],
    ['{id}<"', '%7Bid%7D%3C%22'],
  ])('characters that a path must not contain are escaped: %j is %j', (url, path) => {
    expect(pathOf(url)).toBe(path)
  })

  it.each(['a\r\nX: y', '\0', 'a\tb', 'a\x7f', '%zz', 'a%2', '%'])('%j is no URL', (url) => {
    expect(parseRelativeUrl(url, false)).toBeUndefined()
  })

  it('keeps doubled slashes inside where the gateway cleans no paths, and resolves dots all the same', () => {
    expect(pathOf('a//b', true)).toBe('a//b')
    expect(pathOf('//host/a', true)).toBe('host/a')
    expect(pathOf('a/%2e%2e/../../b', true)).toBe('b')
  })
})

describe('the query of an item', () => {
  it.each([
    ['q?x=1&y=2', 'x=1&y=2'],
    ['q?a?b', 'a?b'],
    ['q?../x', '../x'],
    ['q?a=%zz', 'a=%zz'],
    ['q?a=1 2#f', 'a=1%202'],
    ['q', ''],
  ])('of %j is %j', (url, query) => {
    expect(parseRelativeUrl(url, false)?.query).toBe(query)
  })
})
