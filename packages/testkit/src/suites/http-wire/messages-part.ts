/** Part of the front end suite: requests as the handler receives them, and responses as the client receives them. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { expectAlive, type FrontEndUnderTest, requestBytes, wireTest } from './front-end-under-test.ts'
import { hasResponse, readResponses, wireHeader } from './wire-responses.ts'

export function messagesPart(under: FrontEndUnderTest): void {
  const it = wireTest(under)

  describe('a request in the handler', () => {
    it('has its method, its headers in order with lower-case names, and the address of the client', async ({
      served,
    }) => {
      await served.request('SEARCH /s?q=1', ['X-One: 1', 'Accept: a', 'x-one: 2'])
      const { request } = served.seen[0]!
      expect(request.method).toBe('SEARCH')
      expect(request.headers).toEqual(['host', 'a.test', 'x-one', '1', 'accept', 'a', 'x-one', '2'])
      expect(request.remoteAddress).toBe('127.0.0.1')
      expect(request.secure).toBe(false)
    })

    it('keeps the question mark of an empty query', async ({ served }) => {
      for (const target of ['/s', '/s?', '/s?q']) await served.request(`GET ${target}`)
      expect(served.seen.map(({ request }) => request.hasEmptyQuery ?? false)).toEqual([false, true, false])
    })

    it('has a body of known or unknown length, or none', async ({ served }) => {
      await served.request('POST /x', ['Content-Length: 3'], 'abc')
      await served.request('POST /x', ['Transfer-Encoding: chunked'], '3\r\nabc\r\n0\r\n\r\n')
      await served.request('GET /x')
      expect(served.seen.map(({ request, body }) => [request.bodyLength, request.body !== undefined, body])).toEqual([
        [3, true, 'abc'],
        [undefined, true, 'abc'],
        [0, false, ''],
      ])
    })

    it('keeps header bytes outside ASCII', async ({ served }) => {
      const bytes = Buffer.from('aéb', 'utf8').toString('latin1')
      await served.request('GET /x', [`X-Name: ${bytes}`])
      expect(served.seen[0]?.request.headers[3]).toBe(bytes)
    })

    it('keeps the client address after the client has disconnected', async ({ served }) => {
      await served.exchange(requestBytes('GET /held'), { waitMs: 50 })
      expect(served.seen[0]?.request.remoteAddress).toBe('127.0.0.1')
      served.held[0]?.()
      await expectAlive(served)
    })
  })

  describe('a response', () => {
    it('has its status, its headers in order and its length', async ({ served }) => {
      const pairs = encodeURIComponent(JSON.stringify(['x-a', '1', 'set-cookie', 'a=1', 'set-cookie', 'b=2']))
      const response = await served.request(`GET /headers?pairs=${pairs}`)
      expect(response.body).toBe('headers')
      expect(wireHeader(response, 'content-length')).toBe('7')
      expect(response.headers.filter(([name]) => name === 'set-cookie').map(([, value]) => value)).toEqual([
        'a=1',
        'b=2',
      ])
    })

    it('has one Date header, and no header that names the server', async ({ served }) => {
      const response = await served.request('GET /now')
      expect(response.headers.filter(([name]) => name === 'date')).toHaveLength(1)
      expect(response.headers.filter(([name]) => ['server', 'uwebsockets', 'x-powered-by'].includes(name))).toEqual([])
    })

    it('has correct framing even if the handler sets other framing headers', async ({ served }) => {
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
      const response = await served.request(`GET /headers?pairs=${encodeURIComponent(JSON.stringify(claims))}`)
      expect(response.complete).toBe(true)
      expect(response.headers.filter(([name]) => name === 'content-length')).toEqual([['content-length', '7']])
      expect(wireHeader(response, 'transfer-encoding')).toBeUndefined()
    })

    it('omits headers that would allow response splitting', async ({ served }) => {
      const pairs = ['x-bad', 'a\r\nx-injected: 1', 'x bad', '1', 'x-nul', 'a\0b', 'x-good', 'é']
      const response = await served.request(`GET /headers?pairs=${encodeURIComponent(JSON.stringify(pairs))}`)
      expect(response.body).toBe('headers')
      expect(response.headers.map(([name]) => name).filter((name) => name.startsWith('x'))).toEqual(['x-good'])
      expect(wireHeader(response, 'x-good')).toBe('é')
    })

    it.for([204, 304])('with status %i has no body and no Content-Length', async (status, { served }) => {
      const { text } = await served.exchange(requestBytes(`GET /empty?status=${status}`) + requestBytes('GET /now'), {
        until: (it) => it.includes('now'),
      })
      const [response, next] = readResponses(text)
      expect(response?.status).toBe(status)
      expect(wireHeader(response, 'x-kept')).toBe('yes')
      expect(wireHeader(response, 'content-length')).toBeUndefined()
      expect(wireHeader(response, 'transfer-encoding')).toBeUndefined()
      expect(next?.body).toBe('now')
    })

    it.for([
      ['/now', '3'],
      ['/bytes?bytes=500&known', '500'],
      ['/large?bytes=100000', '100000'],
    ])('to HEAD has the headers of GET and no body: %s', async ([path, length], { served }) => {
      const { text } = await served.exchange(requestBytes(`HEAD ${path}`) + requestBytes('GET /now'), {
        until: (it) => it.endsWith('now'),
      })
      const [response, next] = readResponses(text, ['HEAD', 'GET'])
      expect(response?.status).toBe(200)
      expect(wireHeader(response, 'content-length')).toBe(length)
      expect(response?.headers.filter(([name]) => name === 'content-length')).toHaveLength(1)
      expect(next?.body).toBe('now')
      if (served.streams.length > 0) expect(served.streams[0]?.cancelled).toBe(true)
    })

    it('to HEAD has no body if the front end rejects it', async ({ served }) => {
      const { text } = await served.exchange(requestBytes('HEAD /a%zz'), { waitMs: 250 })
      expect(text).toMatch(/^HTTP\/1\.1 400 /)
      expect(text.slice(text.indexOf('\r\n\r\n'))).toBe('\r\n\r\n')
    })

    it('to HEAD has no Content-Length if the length of GET is unknown', async ({ served }) => {
      const { text } = await served.exchange(requestBytes('HEAD /empty?status=200') + requestBytes('GET /now'), {
        until: (it) => it.endsWith('now'),
      })
      const [response, next] = readResponses(text, ['HEAD', 'GET'])
      expect(response?.status).toBe(200)
      expect(wireHeader(response, 'content-length')).toBeUndefined()
      expect(next?.body).toBe('now')
    })

    it.for(['/fails', '/rejects'])('has status 500 if the handler throws or rejects: %s', async (path, { served }) => {
      expect((await served.request(`GET ${path}`)).status).toBe(500)
      await expectAlive(served)
    })

    it('has its complete body if it is large', async ({ served }) => {
      const response = await served.request('GET /large?bytes=3000000')
      expect(response.body).toBe('x'.repeat(3_000_000))
    })
  })

  describe('Expect', () => {
    it('100-continue gets an interim response before the body is sent', async ({ served }) => {
      const { text } = await served.exchange(
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
    it('gets 413 at once if Content-Length exceeds the limit, and the connection stays open', async ({ serve }) => {
      const served = await serve({ maxBodyBytes: 10 })
      const bytes = requestBytes('POST /echo', ['Content-Length: 11'], '0123456789a') + requestBytes('GET /now')
      const { text } = await served.exchange(bytes, { until: (it) => it.endsWith('now') })
      const [rejection, next] = readResponses(text)
      expect([rejection?.status, rejection?.body]).toEqual([413, 'Request Entity Too Large\n'])
      expect(wireHeader(rejection, 'content-type')).toMatch(/^text\/plain/)
      expect(next?.body).toBe('now')
      expect(served.seen.map(({ request }) => request.path)).toEqual(['/now'])
    })

    it('gets 413 if a chunked body exceeds the limit, and the response reaches the client', async ({ serve }) => {
      const served = await serve({ maxBodyBytes: 100_000 })
      const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
      const bytes = requestBytes('POST /echo', ['Transfer-Encoding: chunked'], `${chunk.repeat(30)}0\r\n\r\n`)
      const { text } = await served.exchange(bytes, { waitMs: 4_000, until: hasResponse })
      const [rejection] = readResponses(text)
      expect([rejection?.status, rejection?.body, rejection?.complete]).toEqual([
        413,
        'Request Entity Too Large\n',
        true,
      ])
      expect(wireHeader(rejection, 'connection')).toBe('close')
      expect(served.seen[0]?.failure).toMatchObject({ limit: 100_000 })
    })

    it('is read on after the 413, so that a client which reads late receives it', async ({ serve }) => {
      const served = await serve({ maxBodyBytes: 100_000 })
      const client = connect(served.port, '127.0.0.1').pause()
      client.on('error', () => {}) // a connection that was reset receives nothing
      client.write(requestBytes('POST /echo', ['Transfer-Encoding: chunked']), 'latin1')
      for (let sent = 0; sent < 6; sent++) {
        client.write(`10000\r\n${'x'.repeat(0x10000)}\r\n`)
        await sleep(30)
      }
      const [received] = (await once(client.resume(), 'data', { signal: AbortSignal.timeout(5_000) })) as [Buffer]
      client.destroy()
      expect(received.toString()).toMatch(/^HTTP\/1.1 413 /)
    })

    it('is accepted at exactly that size', async ({ serve }) => {
      const served = await serve({ maxBodyBytes: 10 })
      await served.request('POST /echo', ['Content-Length: 10'], '0123456789')
      await served.request('POST /echo', ['Transfer-Encoding: chunked'], 'a\r\n0123456789\r\n0\r\n\r\n')
      expect(served.seen.map(({ body }) => body)).toEqual(['0123456789', '0123456789'])
    })
  })
}
