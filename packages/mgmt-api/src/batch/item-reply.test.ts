import { expect, it } from 'vitest'
import { replyOf } from './item-reply.ts'

const write = (headers: string[], body = '', url = 'x') =>
  JSON.parse(JSON.stringify(replyOf(url, { status: 200, headers }, body))) as unknown

it('a reply is JSON with any characters in its texts', () => {
  const nasty = 'a"b\\c\n\u0000\u2028\ud800</script>ž'
  expect(write(['x-a', 'q"\\\t'], nasty, nasty)).toEqual({
    relative_url: nasty,
    code: 200,
    headers: { 'X-A': ['q"\\\t'] },
    body: nasty,
  })
})

it('lines of one name are one list', () => {
  const lines = ['set-cookie', 'a', 'x', '1', 'set-cookie', 'b']
  expect(write(lines)).toMatchObject({ headers: { 'Set-Cookie': ['a', 'b'], X: ['1'] } })
  const more = Array.from({ length: 40 }, (_, i) => [`x-${i}`, '']).flat()
  expect(write([...lines, ...more])).toMatchObject({ headers: { 'Set-Cookie': ['a', 'b'], 'X-39': [''] } })
})

it('bytes of a header are read as UTF-8, and invalid ones are replaced', () => {
  expect(write(['a', '\u00c5\u00be', 'b', '\u00ff', 'c', 'ž'])).toMatchObject({
    headers: { A: ['ž'], B: ['\ufffd'], C: ['ž'] },
  })
})

it('a header may have the name of a property of objects', () => {
  expect(replyOf('', { status: 200, headers: ['__proto__', 'a', 'constructor', 'b'] }, '').headers).toEqual(
    Object.assign(Object.create(null), { Constructor: ['b'], ['__proto__']: ['a'] }),
  )
})
