import { describe, expect, test } from 'vitest'
import { encodeForWire, sendableHeaders } from './sendable-headers.ts'

describe('headers', () => {
  test('are returned uncopied if there is nothing to change', () => {
    const headers = ['host', 'a', 'x-a', '1', 'te', 'trailers']
    expect(sendableHeaders(headers, undefined)).toBe(headers)
  })

  test('of framing and of the connection are removed', () => {
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

  test('keep connection: close', () => {
    expect(sendableHeaders(['host', 'a', 'connection', 'Close'], undefined)).toEqual([
      'host',
      'a',
      'connection',
      'Close',
    ])
  })

  test('include the length of a streaming body, also 0', () => {
    expect(sendableHeaders(['host', 'a'], 12)).toEqual(['host', 'a', 'content-length', '12'])
    expect(sendableHeaders(['content-length', '5'], 0)).toEqual(['content-length', '0'])
  })
})

test('characters above 0xff become UTF-8, percent-encoded in paths', () => {
  const { path, headers } = encodeForWire('/a b/ž?x=\ud800%20', ['x-a', 'ž', 'x-b', 'é'])
  expect(path).toBe('/a%20b/%C5%BE?x=%EF%BF%BD%20')
  expect(Buffer.from(headers[1] ?? '', 'latin1').toString('utf8')).toBe('ž')
  // Characters up to 0xff are one byte and stay unchanged.
  expect(headers[3]).toBe('é')
})
