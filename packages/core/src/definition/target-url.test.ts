import { expect, it } from 'vitest'
import { parseTargetUrl } from './target-url.ts'

it('splits a target without changing its parts', () => {
  expect(parseTargetUrl('HTTP://User:pw@Host:80/a/../%2F b?x=1&y=?#part')).toEqual({
    scheme: 'http',
    authority: 'Host:80',
    origin: 'http://Host:80',
    path: '/a/../%2F b',
    query: 'x=1&y=?',
  })
  expect(parseTargetUrl('https://[::1]:8443')).toMatchObject({ origin: 'https://[::1]:8443', path: '' })
})

it('accepts URLs without a host, with an empty origin', () => {
  for (const text of ['', '/path', 'host/path', 'localhost:80', 'http:/x'])
    expect(parseTargetUrl(text)?.origin).toBe('')
})

it.each([
  'http://a b/',
  'http://h:port',
  '://x',
  '1.2.3.4:80/x',
  'http://h/%zz',
  'http://h\u0000/',
  'http://h/\n',
  'http://[::1',
])('rejects %j', (text) => {
  expect(parseTargetUrl(text)).toBeUndefined()
})
