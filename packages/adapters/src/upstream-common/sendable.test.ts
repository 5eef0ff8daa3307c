import { describe, expect, test } from 'vitest'
import { encodeForWire, sendableHeaders } from './sendable.ts'

describe('headers', () => {
  test('without anything to change pass uncopied', () => {
    const headers = ['host', 'a', 'x-a', '1', 'te', 'trailers']
    expect(sendableHeaders(headers, undefined)).toBe(headers)
  })

  test('that frame a message or speak of a connection stay behind', () => {
    const headers = [
      'content-length',
      '1',
      'transfer-encoding',
      'chunked',
      'connection',
      'keep-alive, x-a',
      'host',
      'a',
    ]
    expect(sendableHeaders([...headers, 'keep-alive', '5', 'upgrade', 'h2c', 'expect', 'x'], undefined)).toEqual([
      'host',
      'a',
    ])
  })

  test('a wish to close the connection is kept', () => {
    expect(sendableHeaders(['host', 'a', 'connection', 'Close'], undefined)).toEqual([
      'host',
      'a',
      'connection',
      'Close',
    ])
  })

  test('a known length of a streaming body is told, 0 too', () => {
    expect(sendableHeaders(['host', 'a'], 12)).toEqual(['host', 'a', 'content-length', '12'])
    expect(sendableHeaders(['content-length', '5'], 0)).toEqual(['content-length', '0'])
  })
})

test('characters beyond a byte become UTF-8, in paths percent-encoded', () => {
  const { path, headers } = encodeForWire('/a b/ž?x=\ud800%20', ['x-a', 'ž', 'x-b', 'é'])
  expect(path).toBe('/a%20b/%C5%BE?x=%EF%BF%BD%20')
  expect(Buffer.from(headers[1] ?? '', 'latin1').toString('utf8')).toBe('ž')
  // What fits into bytes is left as the bytes it is.
  expect(headers[3]).toBe('é')
})
