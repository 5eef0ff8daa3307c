import { describe, expect, test } from 'vitest'
import { type BodyFraming, requestHead } from './request-head.ts'

function linesOf(headers: string[], { method = 'GET', path = '/', framing = 'none' as BodyFraming } = {}) {
  return requestHead({ method, path, headers }, framing, 'up.example')?.text.split('\r\n')
}

describe('the head of a request', () => {
  test('begins with the request line and the host, and ends with an empty line', () => {
    expect(linesOf(['x-a', '1', 'host', 'other.example', 'x-b', ''])).toEqual([
      'GET / HTTP/1.1',
      'host: other.example',
      'connection: keep-alive',
      'x-a: 1',
      'x-b: ',
      '',
      '',
    ])
  })

  test('has the host of the origin by default, and never two hosts', () => {
    expect(linesOf([])).toContain('host: up.example')
    expect(linesOf(['host', 'a', 'host', 'b'])).toBeUndefined()
  })

  test.each(['POST', 'PUT', 'PATCH'])('has content-length: 0 for %s without a body', (method) => {
    expect(linesOf([], { method })).toContain('content-length: 0')
  })

  test('has no content-length for GET without a body', () => {
    expect(linesOf(['content-length', '7'])?.join()).not.toContain('length')
  })

  test('has the framing headers of its own body only', () => {
    const headers = ['transfer-encoding', 'gzip', 'content-length', '1', 'connection', 'x', 'expect', '100-continue']
    expect(linesOf(headers, { method: 'POST', framing: 4 })?.slice(2)).toEqual([
      'connection: keep-alive',
      'content-length: 4',
      '',
      '',
    ])
    expect(linesOf(headers, { method: 'POST', framing: 'chunked' })).toContain('transfer-encoding: chunked')
  })

  test('has connection: close if the headers have it, and for HEAD', () => {
    expect(linesOf(['connection', 'Close'])).toContain('connection: close')
    expect(linesOf([], { method: 'HEAD' })).toContain('connection: close')
  })

  test('encodes characters above 0xff as UTF-8, percent-encoded in a path', () => {
    const lines = linesOf(['x-a', 'Ž'], { path: '/é/Ž ' })
    expect(lines?.[0]).toBe('GET /é/%C5%BD%20 HTTP/1.1')
    expect(lines).toContain('x-a: \xc5\xbd')
  })

  test.each([
    ['a line end in a value', { headers: ['x-a', '1\r\nx-evil: 1'] }],
    ['a line feed in a value', { headers: ['x-a', '1\n'] }],
    ['a zero byte in a value', { headers: ['x-a', 'a\0b'] }],
    ['a line end in a name', { headers: ['x-a: 1\r\nx-b', '1'] }],
    ['a blank in a name', { headers: ['x a', '1'] }],
    ['an empty name', { headers: ['', '1'] }],
    ['a line end in the host', { headers: ['host', 'a\r\nx: 1'] }],
    ['a blank in the method', { method: 'GET / HTTP/1.1\r\n' }],
    ['an empty method', { method: '' }],
    ['an empty path', { path: '' }],
  ])(
    'is rejected with %s',
    (_, { headers = [], method = 'GET', path = '/' }: { headers?: string[]; method?: string; path?: string }) => {
      expect(linesOf(headers, { method, path })).toBeUndefined()
    },
  )

  test('percent-encodes line breaks in a path', () => {
    expect(linesOf([], { path: '/a\r\nx: 1' })?.[0]).toBe('GET /a%0D%0Ax:%201 HTTP/1.1')
  })
})

test('a head does not depend on earlier requests', () => {
  const alike = ['host', 'a.example', 'authorization', 'one', 'x-long', 'v'.repeat(600), 'te', 'trailers']
  const other = ['authorization', 'two', 'x-long', 'w'.repeat(600), 'host', 'a.example']
  const broken = ['authorization', 'one\n']
  const requests = [
    alike,
    alike,
    alike,
    other,
    alike,
    broken,
    broken,
    broken,
    other,
    other,
    [...alike, ...other.slice(0, 4)],
  ]
  for (const headers of requests) {
    const made = linesOf(headers)
    if (headers === broken) expect(made).toBeUndefined()
    else expect(made?.slice(3, -2)).toEqual(linesIn(headers))
  }
})

function linesIn(headers: string[]): string[] {
  const lines: string[] = []
  for (let i = 0; i < headers.length; i += 2) if (headers[i] !== 'host') lines.push(`${headers[i]}: ${headers[i + 1]}`)
  return lines
}
