/** Part of the front end suite: requests as the handler receives them, and responses as the client receives them. */
import { describe, expect, it } from 'vitest'
import { expectAlive, type FrontEndUnderTest, makeServer, requestBytes, type Served } from './front-end-under-test.ts'
import { rawExchange } from './raw-exchange.ts'
import { hasResponse, readResponses, wireHeader } from './wire-responses.ts'

export function messagesPart(under: FrontEndUnderTest): void {
  const serve = makeServer(under)

  describe('a request in the handler', () => {
    it('has its method, its headers in order with lower-case names, and the address of the client', async () => {
      const served = await serve()
      await rawExchange(served.port, requestBytes('SEARCH /s?q=1', ['X-One: 1', 'Accept: a', 'x-one: 2']), {
        until: hasResponse,
      })
      const { request } = served.seen[0]!
      expect(request.method).toBe('SEARCH')
      expect(request.headers).toEqual(['host', 'a.test', 'x-one', '1', 'accept', 'a', 'x-one', '2'])
      expect(request.remoteAddress).toBe('127.0.0.1')
      expect(request.secure).toBe(false)
    })

    it('has a body of known or unknown length, or none', async () => {
      const served = await serve()
      await rawExchange(served.port, requestBytes('POST /x', ['Content-Length: 3'], 'abc'), { until: hasResponse })
      await rawExchange(served.port, requestBytes('POST /x', ['Transfer-Encoding: chunked'], '3\r\nabc\r\n0\r\n\r\n'), {
        until: hasResponse,
      })
      await rawExchange(served.port, requestBytes('GET /x'), { until: hasResponse })
      expect(served.seen.map(({ request, body }) => [request.bodyLength, request.body !== undefined, body])).toEqual([
        [3, true, 'abc'],
        [undefined, true, 'abc'],
        [0, false, ''],
      ])
    })

    it('keeps header bytes outside ASCII', async () => {
      const served = await serve()
      const bytes = Buffer.from('aéb', 'utf8').toString('latin1')
      await rawExchange(served.port, requestBytes('GET /x', [`X-Name: ${bytes}`]), { until: hasResponse })
      expect(served.seen[0]?.request.headers[3]).toBe(bytes)
    })

    it('keeps the client address after the client has disconnected', async () => {
      const served = await serve()
      await rawExchange(served.port, requestBytes('GET /held'), { waitMs: 50 })
      expect(served.seen[0]?.request.remoteAddress).toBe('127.0.0.1')
      served.held[0]?.()
      await expectAlive(served)
    })
  })

  describe('a response', () => {
    const sendRequest = async (served: Served, line: string, headers: readonly string[] = []) => {
      const [method] = line.split(' ') as [string]
      const { text } = await rawExchange(served.port, requestBytes(line, headers), {
        until: (it) => hasResponse(it, method),
      })
      return readResponses(text, [method])[0]!
    }

    it('has its status, its headers in order and its length', async () => {
      const served = await serve()
      const pairs = encodeURIComponent(JSON.stringify(['x-a', '1', 'set-cookie', 'a=1', 'set-cookie', 'b=2']))
      const response = await sendRequest(served, `GET /headers?pairs=${pairs}`)
      expect(response.body).toBe('headers')
      expect(wireHeader(response, 'content-length')).toBe('7')
      expect(response.headers.filter(([name]) => name === 'set-cookie').map(([, value]) => value)).toEqual([
        'a=1',
        'b=2',
      ])
    })

    it('has one Date header, and no header that names the server', async () => {
      const served = await serve()
      const response = await sendRequest(served, 'GET /now')
      expect(response.headers.filter(([name]) => name === 'date')).toHaveLength(1)
      expect(response.headers.filter(([name]) => ['server', 'uwebsockets', 'x-powered-by'].includes(name))).toEqual([])
    })

    it('has correct framing even if the handler sets other framing headers', async () => {
      const served = await serve()
      const claims = [
        'content-length',
        '999',
        'transfer-encoding',
        'chunked',
        'connection',
        'keep-alive',
        'keep-alive',
        'timeout=1',
      ]
      const response = await sendRequest(served, `GET /headers?pairs=${encodeURIComponent(JSON.stringify(claims))}`)
      expect(response.complete).toBe(true)
      expect(response.headers.filter(([name]) => name === 'content-length')).toEqual([['content-length', '7']])
      expect(wireHeader(response, 'transfer-encoding')).toBeUndefined()
    })

    it('omits headers that would allow response splitting', async () => {
      const served = await serve()
      const pairs = ['x-bad', 'a\r\nx-injected: 1', 'x bad', '1', 'x-nul', 'a\0b', 'x-good', 'é']
      const response = await sendRequest(served, `GET /headers?pairs=${encodeURIComponent(JSON.stringify(pairs))}`)
      expect(response.body).toBe('headers')
      expect(response.headers.map(([name]) => name).filter((name) => name.startsWith('x'))).toEqual(['x-good'])
      expect(wireHeader(response, 'x-good')).toBe('é')
    })

    it.each([204, 304])('with status %i has no body and no Content-Length', async (status) => {
      const served = await serve()
      const { text } = await rawExchange(
        served.port,
        requestBytes(`GET /empty?status=${status}`) + requestBytes('GET /now'),
        {
          until: (it) => it.includes('now'),
        },
      )
      const [response, next] = readResponses(text)
      expect(response?.status).toBe(status)
      expect(wireHeader(response, 'x-kept')).toBe('yes')
      expect(wireHeader(response, 'content-length')).toBeUndefined()
      expect(wireHeader(response, 'transfer-encoding')).toBeUndefined()
      expect(next?.body).toBe('now')
    })

    it.each([
      ['/now', '3'],
      ['/bytes?bytes=500&known', '500'],
      ['/large?bytes=100000', '100000'],
    ])('to HEAD has the headers of GET and no body: %s', async (path, length) => {
      const served = await serve()
      const { text } = await rawExchange(served.port, requestBytes(`HEAD ${path}`) + requestBytes('GET /now'), {
        until: (it) => it.endsWith('now'),
      })
      const [response, next] = readResponses(text, ['HEAD', 'GET'])
      expect(response?.status).toBe(200)
      expect(wireHeader(response, 'content-length')).toBe(length)
      expect(response?.headers.filter(([name]) => name === 'content-length')).toHaveLength(1)
      expect(next?.body).toBe('now')
      if (served.streams.length > 0) expect(served.streams[0]?.cancelled).toBe(true)
    })

    it.each(['/fails', '/rejects'])('has status 500 if the handler throws or rejects: %s', async (path) => {
      const served = await serve()
      expect((await sendRequest(served, `GET ${path}`)).status).toBe(500)
      await expectAlive(served)
    })

    it('has its complete body if it is large', async () => {
      const served = await serve()
      const response = await sendRequest(served, 'GET /large?bytes=3000000')
      expect(response.body).toBe('x'.repeat(3_000_000))
    })
  })

  describe('Expect', () => {
    it('100-continue gets an interim response before the body is sent', async () => {
      const served = await serve()
      const { text } = await rawExchange(
        served.port,
        requestBytes('POST /echo', ['Content-Length: 3', 'Expect: 100-continue']),
        {
          later: [{ afterMs: 50, bytes: 'abc' }],
          until: (it) => it.endsWith('abc'),
        },
      )
      expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
    })
  })

  describe('a body over maxBodyBytes', () => {
    it('gets 413 at once if Content-Length exceeds the limit, and the connection stays open', async () => {
      const served = await serve({ maxBodyBytes: 10 })
      const bytes = requestBytes('POST /echo', ['Content-Length: 11'], '0123456789a') + requestBytes('GET /now')
      const { text } = await rawExchange(served.port, bytes, { until: (it) => it.endsWith('now') })
      const [refusal, next] = readResponses(text)
      expect([refusal?.status, refusal?.body]).toEqual([413, 'Request Entity Too Large\n'])
      expect(wireHeader(refusal, 'content-type')).toMatch(/^text\/plain/)
      expect(next?.body).toBe('now')
      expect(served.seen.map(({ request }) => request.path)).toEqual(['/now'])
    })

    it('gets 413 if a chunked body exceeds the limit, and the response reaches the client', async () => {
      const served = await serve({ maxBodyBytes: 100_000 })
      const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
      const bytes = requestBytes('POST /echo', ['Transfer-Encoding: chunked'], `${chunk.repeat(30)}0\r\n\r\n`)
      const { text } = await rawExchange(served.port, bytes, { waitMs: 4_000, until: hasResponse })
      const [refusal] = readResponses(text)
      expect([refusal?.status, refusal?.body, refusal?.complete]).toEqual([413, 'Request Entity Too Large\n', true])
      expect(wireHeader(refusal, 'connection')).toBe('close')
      expect(served.seen[0]?.failure).toMatchObject({ limit: 100_000 })
    })

    it('is accepted at exactly that size', async () => {
      const served = await serve({ maxBodyBytes: 10 })
      await rawExchange(served.port, requestBytes('POST /echo', ['Content-Length: 10'], '0123456789'), {
        until: hasResponse,
      })
      await rawExchange(
        served.port,
        requestBytes('POST /echo', ['Transfer-Encoding: chunked'], 'a\r\n0123456789\r\n0\r\n\r\n'),
        { until: hasResponse },
      )
      expect(served.seen.map(({ body }) => body)).toEqual(['0123456789', '0123456789'])
    })
  })
}
