import { expect, it } from 'vitest'
import { toItemHeaders } from './item-headers.ts'

it('headers of an item are sorted, in lower case, and one of each name: the last', () => {
  const given = { 'X-B': '1', 'x-a': '2', 'X-a': '3', 'X-C': '4', 'x-b': '5' }
  expect(toItemHeaders(given)).toEqual(['x-a', '3', 'x-b', '5', 'x-c', '4'])
})

it('what frames a message or names its host is left out', () => {
  const given = {
    Host: 'h',
    'Content-Length': '1',
    'Transfer-Encoding': 'chunked',
    Trailer: 'x',
    Upgrade: 'websocket',
    Expect: '100-continue',
  }
  expect(toItemHeaders({ ...given, Accept: 'a/b' })).toEqual(['accept', 'a/b'])
})

it('values are trimmed, and text beyond ASCII goes as UTF-8', () => {
  expect(toItemHeaders({ a: '  x\ty ', b: '', c: 'ž', d: ' ' })).toEqual([
    'a',
    'x\ty',
    'b',
    '',
    'c',
    '\u00c5\u00be',
    'd',
    '',
  ])
})

it.each(['a\r\nb', 'a\nb', 'a\0', '\x7f'])('a value %j cannot be sent', (value) => {
  expect(toItemHeaders({ a: value })).toBeUndefined()
})

it.each(['', 'a b', 'a:', 'ž', 'a\n'])('a name %j cannot be sent', (name) => {
  expect(toItemHeaders({ [name]: 'x' })).toBeUndefined()
})
