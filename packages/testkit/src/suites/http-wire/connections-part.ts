/** Part of the front end suite: several requests on one connection, and slow heads. */

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { until } from '../wait.ts'
import { expectAlive, type FrontEndUnderTest, requestBytes, wireTest } from './front-end-under-test.ts'
import { openRaw } from './raw-exchange.ts'
import { hasResponse, readResponses, wireHeader } from './wire-responses.ts'

export function connectionsPart(under: FrontEndUnderTest): void {
  const it = wireTest(under)
  const { traits } = under

  describe('a connection', () => {
    it('serves several requests in sequence', async ({ served }) => {
      const client = await openRaw(served.port)
      for (let i = 1; i <= 20; i++) {
        client.socket.write(requestBytes('POST /echo', ['Content-Length: 3'], 'abc'))
        await until(() => hasResponse(client.received()) && readResponses(client.received()).length === i)
      }
      expect(readResponses(client.received()).map(({ body }) => body)).toEqual(Array(20).fill('abc'))
      client.socket.destroy()
    })

    it.for([
      ['including its first line', traits.joinsRequestLines],
      ['after its first line', true],
    ])('accepts a head that arrives byte by byte, %s', async ([from, can], { served }) => {
      if (!can) return
      const bytes = requestBytes('POST /echo', ['Content-Length: 3'], 'abc')
      const firstLength = from === 'after its first line' ? bytes.indexOf('\n') + 1 : 1
      const later = [...bytes.slice(firstLength)].map((byte, i) => ({ afterMs: 2 * (i + 1), bytes: byte }))
      const { text } = await served.exchange(bytes.slice(0, firstLength), {
        waitMs: 3_000,
        later,
        until: hasResponse,
      })
      expect(readResponses(text)[0]?.body).toBe('abc')
    })

    it('responds to pipelined requests in order and with their bodies', async ({ served }) => {
      const bytes = [
        requestBytes('GET /now'),
        requestBytes('HEAD /now'),
        requestBytes('GET /large?bytes=2000'),
        requestBytes('GET /empty'),
        requestBytes('GET /now'),
      ]
      const { text } = await served.exchange(bytes.join(''), {
        waitMs: 500,
        until: (it) => it.split('HTTP/1.1').length === 6 && it.endsWith('now'),
      })
      const responses = readResponses(text, ['GET', 'HEAD', 'GET', 'GET', 'GET'])
      expect(responses.map(({ status, body }) => [status, body.length])).toEqual([
        [200, 3],
        [200, 0],
        [200, 2_000],
        [204, 0],
        [200, 3],
      ])
    })

    it('keeps the order of responses if requests are pipelined before the previous response is complete', async ({
      served,
    }) => {
      const client = await openRaw(served.port)
      client.socket.write(requestBytes('GET /held') + requestBytes('GET /now'))
      await until(() => served.seen.length > 0)
      await sleep(50)
      for (const complete of served.held) complete()
      await Promise.race([client.closed, until(() => client.received().endsWith('now'))])
      const bodies = readResponses(client.received()).map(({ body }) => body)
      if (traits.pipelinesLater) expect(bodies).toEqual(['held', 'now'])
      else expect(bodies).toEqual([])
      client.socket.destroy()
      await expectAlive(served)
    })

    it.for(['close', 'Close', 'x-other, close'])(
      'is closed after the response if the client sends Connection: %s',
      async (value, { served }) => {
        for (const path of ['/now', '/echo', '/empty', '/bytes?bytes=1000', '/bytes?bytes=1000&known']) {
          const { text, closed } = await served.exchange(requestBytes(`GET ${path}`, [`Connection: ${value}`]))
          const [response] = readResponses(text)
          expect(response?.complete).toBe(true)
          expect(closed || wireHeader(response, 'connection') === 'close').toBe(true)
        }
      },
    )

    it('survives an upgrade that is pipelined behind a request without a response yet', async ({ served }) => {
      const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
      const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
      await served.exchange(requestBytes('GET /held') + requestBytes('GET /now', [...upgrade, key]))
      await expectAlive(served)
    })

    it('is closed after a response with Connection: close', async ({ served }) => {
      const pairs = encodeURIComponent(JSON.stringify(['connection', 'close']))
      const { text, closed } = await served.exchange(requestBytes(`GET /headers?pairs=${pairs}`))
      expect(wireHeader(readResponses(text)[0], 'connection')).toBe('close')
      expect(readResponses(text)[0]?.headers.filter(([name]) => name === 'connection')).toHaveLength(1)
      expect(closed).toBe(true)
    })

    it('stays open after a chunked request, or is closed without reading further requests', async ({ served }) => {
      const post = requestBytes('POST /echo', ['Transfer-Encoding: chunked'], '3\r\nabc\r\n0\r\n\r\n')
      const client = await openRaw(served.port)
      client.socket.write(post)
      await until(() => hasResponse(client.received()))
      client.socket.write(requestBytes('GET /now'))
      await Promise.race([client.closed, until(() => client.received().endsWith('now')), sleep(300)])
      const responses = readResponses(client.received())
      expect(responses[0]?.body).toBe('abc')
      expect(responses[1]?.body).toBe(traits.trustsChunks ? 'now' : undefined)
      if (!traits.trustsChunks) expect(wireHeader(responses[0], 'connection')).toBe('close')
      client.socket.destroy()
    })

    it.skipIf(!traits.trustsChunks)('skips chunk extensions and trailers', async ({ served }) => {
      const post = requestBytes('POST /echo', ['Transfer-Encoding: chunked'], '3;a=b\r\nabc\r\n0\r\nX-T: 1\r\n\r\n')
      const { text } = await served.exchange(post + requestBytes('GET /now'), {
        until: (it) => it.endsWith('now'),
      })
      expect(readResponses(text).map(({ body }) => body)).toEqual(['abc', 'now'])
    })

    it('never treats bytes after malformed chunks as a request', async ({ served }) => {
      const follower = requestBytes('GET /follower')
      const behind = { waitMs: 80, later: [{ afterMs: 40, bytes: follower }] }
      for (const body of [
        '\r\nabc\r\n0\r\n\r\n',
        ' 3\r\nabc\r\n0\r\n\r\n',
        '3\r\nabcXX0\r\n\r\n',
        '3\nabc\n0\n\n',
        '3;\nabc\r\n0\r\n\r\n',
        '0\n\n',
      ]) {
        const bytes = requestBytes('POST /echo', ['Transfer-Encoding: chunked'], body)
        await served.exchange(bytes + follower, { waitMs: 60 })
        await served.exchange(bytes, behind)
        await served.exchange(bytes.replace('/echo', '/through') + follower, { waitMs: 60 })
        await served.exchange(bytes.replace('/echo', '/early'), behind)
        await served.exchange(bytes.replace('/echo', '/now'), behind)
      }
      expect(served.seen.map(({ request }) => request.path)).not.toContain('/follower')
      await expectAlive(served)
    })

    it('never treats a body as a request if a header without a name precedes Content-Length', async ({ served }) => {
      const follower = requestBytes('GET /follower')
      const bytes = requestBytes('POST /now', [': v', `Content-Length: ${follower.length}`], follower)
      await served.exchange(bytes, { waitMs: 60 })
      expect(served.seen.map(({ request }) => request.path)).not.toContain('/follower')
    })

    it.skipIf(!traits.http10)('of HTTP/1.0 is served without a Host header and then closed', async ({ served }) => {
      const { text, closed } = await served.exchange('GET /now HTTP/1.0\r\n\r\n')
      expect(readResponses(text)[0]).toMatchObject({ status: 200, body: 'now' })
      expect(closed).toBe(true)
    })

    it.skipIf(!traits.http10)('of HTTP/1.0 is reset if a body of unknown length fails', async ({ served }) => {
      const client = await openRaw(served.port)
      let reset = false
      client.socket.on('error', () => {
        reset = true
      })
      client.socket.write('GET /bytes?bytes=500000&failAfter=200000 HTTP/1.0\r\n\r\n')
      await client.closed
      await sleep(20)
      expect(reset).toBe(true)
    })
  })

  describe('a slow head', () => {
    it('closes the connection after the timeout, even if bytes keep arriving', { timeout: 30_000 }, async ({
      serve,
    }) => {
      const served = await serve({ headerTimeoutMs: 300 })
      const limitMs = traits.setsHeaderTimeout ? 2_000 : 14_000
      const later = Array.from({ length: limitMs / 100 }, (_, i) => ({ afterMs: 100 * (i + 1), bytes: 'x' }))
      const [trickle, silent, noHost] = await Promise.all([
        served.exchange('GET /x HTTP/1.1\r\nHost: a.test\r\nX: ', { waitMs: limitMs, later }),
        served.exchange('GET /x', { waitMs: limitMs }),
        served.exchange('GET /x HTTP/1.1\r\n\r\n', { waitMs: limitMs }),
      ])
      expect([trickle.closed, silent.closed, noHost.closed]).toEqual([true, true, true])
      for (const { text } of [trickle, silent]) expect(text === '' || readResponses(text)[0]?.status === 408).toBe(true)
      expect(served.seen).toHaveLength(0)
    })
  })
}
