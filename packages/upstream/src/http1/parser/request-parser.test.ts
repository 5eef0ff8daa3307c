import type { HeaderPairs } from '@turnpike/core/http'
import { wireCases } from '@turnpike/testkit/suites/http-wire/malformed-cases'
import { describe, expect, it } from 'vitest'
import type { RequestHead } from './request-head-reader.ts'
import { RequestParser } from './request-parser.ts'

interface Read extends RequestHead {
  body: string
  complete: boolean
  trailers: HeaderPairs | undefined
}

const maxHeadBytes = 65_536

/** Parses pieces as a connection does. Returns the requests, and the problem that ended the input. */
function parse(pieces: readonly string[], limit = maxHeadBytes) {
  const requests: Read[] = []
  const parser = new RequestParser(limit, {
    onBody(chunk) {
      ;(requests.at(-1) as Read).body += chunk.toString('latin1')
    },
    onEnd(trailers) {
      Object.assign(requests.at(-1) as Read, { complete: true, trailers })
    },
  })
  for (const piece of pieces) {
    const bytes = Buffer.from(piece, 'latin1')
    let at = 0
    while (at < bytes.length && parser.state !== 'failed') {
      if (parser.state === 'done') parser.begin()
      at = parser.feed(bytes, at, bytes.length)
      if (parser.state !== 'head-read') continue
      const length = lengthOf(parser.head.headers)
      requests.push({ ...parser.head, body: '', complete: length === 0, trailers: undefined })
      parser.startBody(length)
    }
  }
  return { requests, problem: parser.state === 'failed' ? parser.problem : undefined, isHead: parser.failedHead }
}

/** The framing that a caller would find; the cases of the wire suite cover its checks. */
function lengthOf(headers: HeaderPairs): number | undefined {
  if (headers.includes('transfer-encoding')) return undefined
  const length = headers[headers.indexOf('content-length') + 1] ?? ''
  return /^\d{1,15}$/.test(length) ? Number(length) : 0
}

const get = (rest = '') => `GET /x HTTP/1.1\r\nHost: a.test\r\n${rest}\r\n`

describe('the parser of requests', () => {
  it('reads method, target, version, headers and bodies of several requests', () => {
    const bytes =
      'POST /a?b HTTP/1.1\r\nHost: a.test\r\nX-One:  1\t \r\nContent-Length: 3\r\n\r\nabc' +
      '\r\nPUT /c HTTP/1.0\r\ntransfer-encoding: chunked\r\n\r\n2;x="y"\r\nde\r\n1\r\nf\r\n0\r\nT: 1\r\n\r\n'
    expect(parse([bytes])).toEqual({
      problem: undefined,
      isHead: false,
      requests: [
        {
          ...{ method: 'POST', target: '/a?b', minor: 1, body: 'abc', complete: true, trailers: undefined },
          headers: ['host', 'a.test', 'x-one', '1', 'content-length', '3'],
        },
        {
          ...{ method: 'PUT', target: '/c', minor: 0, body: 'def', complete: true, trailers: ['t', '1'] },
          headers: ['transfer-encoding', 'chunked'],
        },
      ],
    })
  })

  it('keeps all bytes of values and targets', () => {
    const [request] = parse(['GET /caf\xc3\xa9 HTTP/1.1\r\nX: Jos\xc3\xa9\r\nY: \xe9\r\n\r\n']).requests
    expect([request?.target, request?.headers]).toEqual(['/caf\xc3\xa9', ['x', 'Jos\xc3\xa9', 'y', '\xe9']])
  })

  it.each([
    ['message', '\nGET / HTTP/1.1\r\n\r\n'],
    ['message', '\r\rGET / HTTP/1.1\r\n\r\n'],
    ['message', ' GET / HTTP/1.1\r\n\r\n'],
    ['message', 'G@T / HTTP/1.1\r\n\r\n'],
    ['message', 'GET\t/ HTTP/1.1\r\n\r\n'],
    ['message', 'GET /\r\n\r\n'],
    ['message', 'GET / HTTP/1.1 \r\n\r\n'],
    ['message', 'GET / http/1.1\r\n\r\n'],
    ['message', 'GET / HTTP/1.1\n\n'],
    ['message', get('X: 1\n')],
    ['message', get(' folded\r\n')],
    ['message', get('X : 1\r\n')],
    ['message', get(': 1\r\n')],
    ['message', get('X\r\n')],
    ['message', get('X: a\0\r\n')],
    ['message', get('X: a\rb\r\n')],
    ['message', get('Transfer-Encoding: chunked\t\r\n')],
    ['message', get('Content-Length: 1 \t\r\n')],
    ['target', 'GET  / HTTP/1.1\r\n\r\n'],
    ['target', 'GET /a\tb HTTP/1.1\r\n\r\n'],
    ['version', 'GET / HTTP/1.2\r\n\r\n'],
    ['version', 'PRI * HTTP/2.0\r\n\r\n'],
    ['chunks', `${get('Transfer-Encoding: chunked\r\n')}x\r\n`],
  ])('rejects a head with the problem %s: %j', (problem, bytes) => {
    expect(parse([bytes]).problem).toBe(problem)
    expect(parse([...bytes]).problem).toBe(problem)
  })

  it('says which limit is exceeded', () => {
    const long = 'a'.repeat(200)
    for (const cut of [(text: string) => [text], (text: string) => [...text]]) {
      expect(parse(cut(`GET /${long} HTTP/1.1\r\n\r\n`), 100).problem).toBe('long-line')
      expect(parse(cut(`GET / HTTP/1.1\r\nX: ${long}\r\n\r\n`), 100).problem).toBe('large-head')
      expect(parse(cut('\r\n'.repeat(100)), 100).problem).toBe('long-line')
      const chunked = 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n'
      expect(parse(cut(`${chunked}0\r\nX: ${long}\r\n\r\n`), 100).problem).toBe('large-trailers')
      expect(parse(cut(`${chunked}0\r\n${'X: 1\r\n'.repeat(100)}\r\n`)).problem).toBe('large-trailers')
      expect(parse(cut(`${chunked}1;a=${long}\r\n`), 100).problem).toBe('large-trailers')
    }
  })

  it('knows that a rejected head is that of HEAD', () => {
    expect(parse(['HEAD / HTTP/1.1\r\nX : 1\r\n']).isHead).toBe(true)
    expect(parse([...'HEAD / HTTP/1.1\r\nX : 1\r\n']).isHead).toBe(true)
    expect(parse(['HEADER / HTTP/1.1\r\nX : 1\r\n']).isHead).toBe(false)
  })

  it.each(wireCases.map(({ name, bytes }) => [name, bytes] as const))(
    'reads the same in any pieces: %s',
    (_, bytes) => {
      const whole = parse([bytes])
      const step = Math.ceil(bytes.length / 500)
      for (let cut = 1; cut < bytes.length; cut += step) {
        expect(parse([bytes.slice(0, cut), bytes.slice(cut)])).toEqual(whole)
      }
      expect(parse([...bytes])).toEqual(whole)
    },
  )

  it('reads a head that arrives byte by byte in time proportional to its length', () => {
    const pieces = [...get(`X: ${'a'.repeat(60_000)}\r\n`)]
    const before = performance.now()
    expect(parse(pieces).requests).toHaveLength(1)
    expect(performance.now() - before).toBeLessThan(1_000)
  })
})
