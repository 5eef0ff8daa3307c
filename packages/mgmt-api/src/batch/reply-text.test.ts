import { expect, it } from 'vitest'
import { byteLength, canonicalName, ReplyWriter } from './reply-text.ts'

const write = (headers: string[], body = '', url = 'x') =>
  JSON.parse(new ReplyWriter().write(url, { status: 200, headers }, body)) as unknown

it('a reply is JSON whatever stands in its texts', () => {
  const nasty = 'a"b\\c\n\u0000\u2028\ud800</script>ž'
  expect(write(['x-a', 'q"\\\t'], nasty, nasty)).toEqual({
    relative_url: nasty,
    code: 200,
    headers: { 'X-A': ['q"\\\t'] },
    body: nasty,
  })
})

it('lines of one name are one list, with few headers and with many', () => {
  const lines = ['set-cookie', 'a', 'x', '1', 'set-cookie', 'b']
  expect(write(lines)).toMatchObject({ headers: { 'Set-Cookie': ['a', 'b'], X: ['1'] } })
  const more = Array.from({ length: 40 }, (_, i) => [`x-${i}`, '']).flat()
  expect(write([...lines, ...more])).toMatchObject({ headers: { 'Set-Cookie': ['a', 'b'], 'X-39': [''] } })
})

it('what one reply said is not said of the next', () => {
  const writer = new ReplyWriter()
  const headersOf = (headers: string[]) =>
    (JSON.parse(writer.write('', { status: 200, headers }, '')) as { headers: unknown }).headers
  expect(headersOf(['a', '1', 'b', '2', 'c', '3'])).toEqual({ A: ['1'], B: ['2'], C: ['3'] })
  expect(headersOf(['a', '1', 'b', '9'])).toEqual({ A: ['1'], B: ['9'] })
  expect(headersOf(['b', '2', 'a', '1', 'c', '3'])).toEqual({ B: ['2'], A: ['1'], C: ['3'] })
  expect(headersOf([])).toEqual({})
})

it('bytes of a header are read as UTF-8, and what is none is replaced', () => {
  expect(write(['a', '\u00c5\u00be', 'b', '\u00ff', 'c', 'ž'])).toMatchObject({
    headers: { A: ['ž'], B: ['\ufffd'], C: ['ž'] },
  })
})

it('names are written in canonical form', () => {
  expect(['x-ratelimit-limit', 'etag', 'WWW-authenticate', 'x-1a'].map(canonicalName)).toEqual([
    'X-Ratelimit-Limit',
    'Etag',
    'Www-Authenticate',
    'X-1a',
  ])
})

it('lengths are counted in bytes', () => {
  expect([byteLength(''), byteLength('abc'), byteLength('ž€𝄞')]).toEqual([0, 3, 9])
})
