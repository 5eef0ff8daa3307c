/** Part of the front end suite: more than one request on a connection, and heads that take too long. */

import { describe, expect, it } from 'vitest'
import { expectAlive, type FrontEndUnderTest, makeServer, pause, requestBytes, until } from './front-end-under-test.ts'
import { openRaw, rawExchange } from './raw-exchange.ts'
import { hasResponse, readResponses, wireHeader } from './wire-responses.ts'

export function connectionsPart(under: FrontEndUnderTest): void {
  const serve = makeServer(under)
  const { traits } = under

  describe('a connection', () => {
    it('serves one request after the other', async () => {
      const served = await serve()
      const client = await openRaw(served.port)
      for (let i = 1; i <= 20; i++) {
        client.socket.write(requestBytes('POST /echo', ['Content-Length: 3'], 'abc'))
        await until(() => hasResponse(client.received()) && readResponses(client.received()).length === i)
      }
      expect(readResponses(client.received()).map(({ body }) => body)).toEqual(Array(20).fill('abc'))
      client.socket.destroy()
    })

    it.each([
      ['from its first line on', traits.joinsRequestLines],
      ['behind its first line', true],
    ])('serves a head that comes byte by byte, %s', async (from, can) => {
      if (!can) return
      const served = await serve()
      const bytes = requestBytes('POST /echo', ['Content-Length: 3'], 'abc')
      const whole = from === 'behind its first line' ? bytes.indexOf('\n') + 1 : 1
      const later = [...bytes.slice(whole)].map((byte, i) => ({ afterMs: 2 * (i + 1), bytes: byte }))
      const { text } = await rawExchange(served.port, bytes.slice(0, whole), {
        waitMs: 3_000,
        later,
        until: hasResponse,
      })
      expect(readResponses(text)[0]?.body).toBe('abc')
    })

    it('answers pipelined requests in order, bodies and all', async () => {
      const served = await serve()
      const bytes = [
        requestBytes('GET /now'),
        requestBytes('HEAD /now'),
        requestBytes('GET /large?bytes=2000'),
        requestBytes('GET /empty'),
        requestBytes('GET /now'),
      ]
      const { text } = await rawExchange(served.port, bytes.join(''), {
        waitMs: 500,
        until: (it) => it.split('HTTP/1.1').length === 6 && it.endsWith('now'),
      })
      const answers = readResponses(text, ['GET', 'HEAD', 'GET', 'GET', 'GET'])
      expect(answers.map(({ status, body }) => [status, body.length])).toEqual([
        [200, 3],
        [200, 0],
        [200, 2_000],
        [204, 0],
        [200, 3],
      ])
    })

    it('never mixes answers up when requests are pipelined over one in the making', async () => {
      const served = await serve()
      const client = await openRaw(served.port)
      client.socket.write(requestBytes('GET /held') + requestBytes('GET /now'))
      await until(() => served.seen.length > 0)
      await pause(50)
      for (const give of served.held) give()
      await Promise.race([client.closed, until(() => client.received().endsWith('now'))])
      const bodies = readResponses(client.received()).map(({ body }) => body)
      if (traits.pipelinesLater) expect(bodies).toEqual(['held', 'now'])
      else expect(bodies).toEqual([])
      client.socket.destroy()
      await expectAlive(served)
    })

    it.each(['close', 'Close', 'x-other, close'])(
      'ends after the answer when the client asks for it: Connection: %s',
      async (value) => {
        const served = await serve()
        for (const path of ['/now', '/echo', '/empty', '/bytes?bytes=1000', '/bytes?bytes=1000&known']) {
          const { text, closed } = await rawExchange(served.port, requestBytes(`GET ${path}`, [`Connection: ${value}`]))
          const [answer] = readResponses(text)
          expect(answer?.complete).toBe(true)
          expect(closed || wireHeader(answer, 'connection') === 'close').toBe(true)
        }
      },
    )

    it('ends after an answer that says so', async () => {
      const served = await serve()
      const pairs = encodeURIComponent(JSON.stringify(['connection', 'close']))
      const { text, closed } = await rawExchange(served.port, requestBytes(`GET /headers?pairs=${pairs}`))
      expect(wireHeader(readResponses(text)[0], 'connection')).toBe('close')
      expect(readResponses(text)[0]?.headers.filter(([name]) => name === 'connection')).toHaveLength(1)
      expect(closed).toBe(true)
    })

    it('goes on after a chunked request, or ends without reading what follows', async () => {
      const served = await serve()
      const post = requestBytes('POST /echo', ['Transfer-Encoding: chunked'], '3\r\nabc\r\n0\r\n\r\n')
      const client = await openRaw(served.port)
      client.socket.write(post)
      await until(() => hasResponse(client.received()))
      client.socket.write(requestBytes('GET /now'))
      await Promise.race([client.closed, until(() => client.received().endsWith('now')), pause(300)])
      const answers = readResponses(client.received())
      expect(answers[0]?.body).toBe('abc')
      expect(answers[1]?.body).toBe(traits.trustsChunks ? 'now' : undefined)
      if (!traits.trustsChunks) expect(wireHeader(answers[0], 'connection')).toBe('close')
      client.socket.destroy()
    })

    it.skipIf(!traits.trustsChunks)('reads past chunk extensions and trailers', async () => {
      const served = await serve()
      const post = requestBytes('POST /echo', ['Transfer-Encoding: chunked'], '3;a=b\r\nabc\r\n0\r\nX-T: 1\r\n\r\n')
      const { text } = await rawExchange(served.port, post + requestBytes('GET /now'), {
        until: (it) => it.endsWith('now'),
      })
      expect(readResponses(text).map(({ body }) => body)).toEqual(['abc', 'now'])
    })

    it('takes nothing for a request behind chunks that end early', async () => {
      const served = await serve()
      const follower = requestBytes('GET /follower')
      for (const body of [
        '\r\nabc\r\n0\r\n\r\n',
        ' 3\r\nabc\r\n0\r\n\r\n',
        '3\r\nabcXX0\r\n\r\n',
        '3\nabc\n0\n\n',
        '3;\nabc\r\n0\r\n\r\n',
        '0\n\n',
      ]) {
        const bytes = requestBytes('POST /echo', ['Transfer-Encoding: chunked'], body)
        await rawExchange(served.port, bytes + follower, { waitMs: 60 })
        await rawExchange(served.port, bytes, { waitMs: 80, later: [{ afterMs: 40, bytes: follower }] })
        await rawExchange(served.port, bytes.replace('/echo', '/through') + follower, { waitMs: 60 })
        await rawExchange(served.port, bytes.replace('/echo', '/early'), {
          waitMs: 80,
          later: [{ afterMs: 40, bytes: follower }],
        })
        await rawExchange(served.port, bytes.replace('/echo', '/now'), {
          waitMs: 80,
          later: [{ afterMs: 40, bytes: follower }],
        })
      }
      expect(served.seen.map(({ request }) => request.path)).not.toContain('/follower')
      await expectAlive(served)
    })

    it('takes nothing for a request behind a length that a nameless header hides', async () => {
      const served = await serve()
      const follower = requestBytes('GET /follower')
      const bytes = requestBytes('POST /now', [': v', `Content-Length: ${follower.length}`], follower)
      await rawExchange(served.port, bytes, { waitMs: 60 })
      expect(served.seen.map(({ request }) => request.path)).not.toContain('/follower')
    })

    it.skipIf(!traits.http10)('of HTTP/1.0 is served and closed, also without Host', async () => {
      const served = await serve()
      const { text, closed } = await rawExchange(served.port, 'GET /now HTTP/1.0\r\n\r\n')
      expect(readResponses(text)[0]).toMatchObject({ status: 200, body: 'now' })
      expect(closed).toBe(true)
    })

    it.skipIf(!traits.http10)('of HTTP/1.0 is reset when a body of unknown length breaks off', async () => {
      const served = await serve()
      const client = await openRaw(served.port)
      let reset = false
      client.socket.on('error', () => {
        reset = true
      })
      client.socket.write('GET /bytes?bytes=500000&failAfter=200000 HTTP/1.0\r\n\r\n')
      await client.closed
      await pause(20)
      expect(reset).toBe(true)
    })
  })

  describe('a head that takes too long', () => {
    it('is cut, however busily it trickles', { timeout: 30_000 }, async () => {
      const served = await serve({ headerTimeoutMs: 300 })
      const limitMs = traits.setsHeaderTimeout ? 2_000 : 14_000
      const later = Array.from({ length: limitMs / 100 }, (_, i) => ({ afterMs: 100 * (i + 1), bytes: 'x' }))
      const [trickle, silent, noHost] = await Promise.all([
        rawExchange(served.port, 'GET /x HTTP/1.1\r\nHost: a.test\r\nX: ', { waitMs: limitMs, later }),
        rawExchange(served.port, 'GET /x', { waitMs: limitMs }),
        rawExchange(served.port, 'GET /x HTTP/1.1\r\n\r\n', { waitMs: limitMs }),
      ])
      expect([trickle.closed, silent.closed, noHost.closed]).toEqual([true, true, true])
      for (const { text } of [trickle, silent]) expect(text === '' || readResponses(text)[0]?.status === 408).toBe(true)
      expect(served.seen).toHaveLength(0)
    })
  })
}
